import { quantities } from '../component-resources';
import { CERTIFICATE_FOLDER, k0sClusterConfig, K0sConfigOptions } from './k0smotron-config';
import { K0smotronApiVersion, K0smotronPatch, K0smotronPatchType, K0smotronProps, K0smotronServiceType } from './k0smotron-props';
import { K0smotronEtcdProps, K0smotronNatsProps } from './k0smotron-storage';
import * as k0smotron from '../../imports/k0smotron.io';
import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT } from '../../manifests/k0smotron-facts';
import { enumValue, listUnlessEmpty, unlessEmpty } from '../tenant-control-plane/tenant-control-plane-spec';

/** What the spec of a control plane says beyond the user's settings. */
export interface K0smotronSpecOptions {
  /** Version of k0s. */
  readonly version: string;
  /** For the configuration of k0s. */
  readonly k0s: K0sConfigOptions;
  /** Type of the Service. */
  readonly serviceType: K0smotronServiceType;
  /** Annotations of the Service. */
  readonly serviceAnnotations?: { [name: string]: string };
  /** The ingress mode. */
  readonly ingress?: k0smotron.ClusterSpecIngress;
  /** The address that the control plane is said to have. */
  readonly externalAddress?: string;
  /** Patches of this library. */
  readonly patches?: K0smotronPatch[];
}

/**
 * The spec of a k0smotron Cluster and of a K0smotronControlPlane: it is the same type, of which Cluster API's
 * provider makes a Cluster.
 */
export function k0smotronSpec(props: K0smotronProps, options: K0smotronSpecOptions): any {
  const { certificate } = options.k0s;
  const spec = props.apiVersion === K0smotronApiVersion.V1BETA1
    ? k0smotron.ClusterV1Beta1.manifest({ spec: specV1Beta1(props, options) }).spec
    : k0smotron.Cluster.manifest({ spec: specV1Beta2(props, options) }).spec;
  // The generated classes do not know the field.
  return certificate ? { ...spec, mounts: [{ path: CERTIFICATE_FOLDER, readOnly: true, secret: { secretName: certificate.secretName } }] } : spec;
}

/** What v1beta1 and v1beta2 have in common. */
function sharedSpec(props: K0smotronProps, options: K0smotronSpecOptions) {
  return {
    version: options.version,
    replicas: props.replicas,
    image: props.image,
    serviceAccount: props.serviceAccountName,
    externalAddress: options.externalAddress,
    ingress: options.ingress,
    k0SConfig: k0sClusterConfig(props.k0sConfig, options.k0s),
    manifests: props.manifests?.map(({ name, configMapName, secretName }) => ({
      name,
      configMap: configMapName === undefined ? undefined : { name: configMapName },
      secret: secretName === undefined ? undefined : { secretName },
    })),
    resources: quantities(props.resources),
    topologySpreadConstraints: props.topologySpreadConstraints,
    persistence: persistence(props),
  };
}

function specV1Beta2(props: K0smotronProps, options: K0smotronSpecOptions): k0smotron.ClusterSpec {
  const { storage } = props;
  const annotations = options.serviceAnnotations && servicePatch(options.serviceAnnotations);
  return {
    ...sharedSpec(props, options),
    certificateRefs: props.certificateRefs?.map(({ type, secretName }) => ({ type: enumValue(type), name: secretName })),
    service: { ...servicePorts(props), type: enumValue(options.serviceType) },
    controlPlaneFlags: listUnlessEmpty(props.controlPlaneFlags),
    storage: storage && {
      type: enumValue(storage._type),
      etcd: storage._settings.etcd && etcd(storage._settings.etcd),
      kine: storage._type === 'kine' ? { dataSourceSecretName: storage._settings.dataSourceSecretName } : undefined,
      nats: storage._settings.nats && unlessEmpty({ persistence: volume(storage._settings.nats) }),
    },
    patches: listUnlessEmpty([...annotations ? [annotations] : [], ...options.patches ?? [], ...props.patches ?? []])?.map(patch => ({
      target: { kind: patch.kind, component: patch.component },
      patch: { type: enumValue(patch.type), content: JSON.stringify(patch.content) },
    })),
  };
}

function specV1Beta1(props: K0smotronProps, options: K0smotronSpecOptions): k0smotron.ClusterV1Beta1Spec {
  const settings = props.storage?._settings;
  return {
    ...sharedSpec(props, options),
    certificateRefs: props.certificateRefs?.map(({ type, secretName }) => ({ type: enumValue(type), name: secretName })),
    service: { ...servicePorts(props), type: enumValue(options.serviceType), annotations: options.serviceAnnotations },
    controllerPlaneFlags: listUnlessEmpty(props.controlPlaneFlags),
    kineDataSourceSecretName: settings?.dataSourceSecretName,
    etcd: settings?.etcd && etcd(settings.etcd),
  };
}

/** v1beta2 has no field for annotations of the Service. */
function servicePatch(annotations: { [name: string]: string }): K0smotronPatch {
  return { kind: 'Service', component: 'control-plane', type: K0smotronPatchType.MERGE, content: { metadata: { annotations } } };
}

function servicePorts(props: K0smotronProps) {
  return { apiPort: props.apiPort ?? DEFAULT_API_PORT, konnectivityPort: props.konnectivityPort ?? DEFAULT_KONNECTIVITY_PORT };
}

function etcd(props: K0smotronEtcdProps) {
  return unlessEmpty({
    image: props.image,
    args: listUnlessEmpty(props.args),
    autoDeletePvCs: props.autoDeletePvcs,
    persistence: volume(props),
    resources: quantities(props.resources),
    defragJob: props.defragSchedule === undefined ? undefined : { enabled: true, schedule: props.defragSchedule },
  });
}

function volume({ size, storageClassName }: K0smotronEtcdProps | K0smotronNatsProps) {
  return unlessEmpty({ size, storageClass: storageClassName });
}

function persistence({ persistence: chosen }: K0smotronProps) {
  const claim = chosen?._volume;
  return chosen && {
    type: chosen._type,
    hostPath: chosen._hostPath,
    autoDeletePvCs: claim?.autoDeletePvcs,
    persistentVolumeClaim: claim && {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: claim.storageClassName,
        resources: { requests: { storage: claim.size } },
      },
    },
  };
}
