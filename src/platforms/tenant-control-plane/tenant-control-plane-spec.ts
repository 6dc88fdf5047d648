import { ApiServerCertificate, certificateMounts } from '../api-server-certificates';
import { apiServerArgs } from '../component-args';
import { quantities } from '../component-resources';
import { PlatformBindOptions } from '../control-plane-platform';
import { dnsServiceIps } from './dns-service-ips';
import { ControlPlanePort, KonnectivityAgentProps, KonnectivityServerProps, RegistrySettings, TenantControlPlaneProps } from './tenant-control-plane-props';
import * as kamaji from '../../imports/kamaji.clastix.io';
import { DEFAULT_KONNECTIVITY_PORT } from '../../manifests/tenant-control-plane-facts';

/**
 * What a TenantControlPlane of Kamaji and one of Steward share: all but the exposure and the networks.
 *
 * Steward forked Kamaji's CRD, so the fields and the values of enums are the same.
 */
export function tenantControlPlaneSpec(
  props: TenantControlPlaneProps,
  registrySettings: RegistrySettings | undefined,
  options: PlatformBindOptions,
): kamaji.TenantControlPlaneSpec {
  const { exposure } = options;
  return {
    dataStore: props.dataStore,
    dataStoreSchema: props.dataStoreSchema,
    dataStoreUsername: props.dataStoreUsername,
    controlPlane: {
      // Never without `extraArgs`, though it be empty. Without `deployment` both webhooks refuse to create the resource (they add
      // `replicas` to it), and the operators later stop at its missing replicas; without `extraArgs` neither takes back a flag
      // that it once gave the API server (resetKubeAPIServerFlags). And never without the list in it: server-side apply makes null of
      // an object whose last field leaves, which API servers before 1.36 refuse (1.32, tried). The operators see no difference.
      deployment: {
        replicas: props.replicas,
        registrySettings,
        extraArgs: { ...props.extraArgs, apiServer: apiServerArgs(options.apiServer, props.extraArgs?.apiServer, options.certificates) },
        resources: unlessEmpty({
          apiServer: quantities(props.resources?.apiServer),
          controllerManager: quantities(props.resources?.controllerManager),
          scheduler: quantities(props.resources?.scheduler),
          kine: quantities(props.resources?.kine),
        }),
        nodeSelector: props.nodeSelector,
        tolerations: props.tolerations,
        topologySpreadConstraints: props.topologySpreadConstraints,
        podAdditionalMetadata: unlessEmpty({ labels: props.podLabels, annotations: props.podAnnotations }),
      },
      service: {
        // Anything else would give the tenant an address of its own, next to the shared one.
        serviceType: kamaji.TenantControlPlaneSpecControlPlaneServiceServiceType.CLUSTER_IP,
        additionalPorts: props.additionalPorts?.map(servicePort),
      },
    },
    kubernetes: {
      version: `v${options.kubernetesVersion}`,
      // Required by the CRD although it may be empty.
      kubelet: { preferredAddressTypes: props.kubeletAddressTypes?.map(type => enumValue(type)) },
      admissionControllers: props.admissionControllers?.map(name => enumValue(name)),
    },
    networkProfile: {
      port: exposure.routes[0].servicePort,
      certSaNs: exposure.certSans,
      clusterDomain: exposure.clusterDomain,
      dnsServiceIPs: dnsServiceIps(exposure, props.coreDns !== undefined),
    },
    addons: unlessEmpty({ coreDns: props.coreDns, kubeProxy: props.kubeProxy, konnectivity: konnectivityAddon(props, options) }),
  };
}

/** Adds the certificates of entries to a spec; the generated classes do not know these fields. */
export function withCertificates<Spec extends { readonly controlPlane: any }>(spec: Spec, certificates: ApiServerCertificate[] = []): Spec {
  const { volumes, mounts } = certificateMounts(certificates);
  const { deployment } = spec.controlPlane;
  return certificates.length === 0 ? spec : {
    ...spec,
    controlPlane: { ...spec.controlPlane, deployment: { ...deployment, additionalVolumes: volumes, additionalVolumeMounts: { apiServer: mounts } } },
  };
}

/** The konnectivity addon, whose presence turns it on. */
export function konnectivityAddon(
  props: TenantControlPlaneProps,
  { exposure }: PlatformBindOptions,
): kamaji.TenantControlPlaneSpecAddonsKonnectivity | undefined {
  return exposure.konnectivity && {
    agent: konnectivityAgent(exposure.konnectivityAgentArgs, props.konnectivityAgent),
    server: props.konnectivityServer && konnectivityServer(props.konnectivityServer),
  };
}

/** A port of the control plane's Service. */
export function servicePort(port: ControlPlanePort): kamaji.TenantControlPlaneSpecControlPlaneServiceAdditionalPorts {
  const { fromNumber, fromString } = kamaji.TenantControlPlaneSpecControlPlaneServiceAdditionalPortsTargetPort;
  const target = port.targetPort ?? port.port;
  return {
    name: port.name,
    port: port.port,
    targetPort: typeof target === 'number' ? fromNumber(target) : fromString(target),
    protocol: port.protocol && enumValue(port.protocol),
    appProtocol: port.appProtocol,
  };
}

/** A public enum's value for a generated enum: equal strings that TypeScript tells apart. */
export function enumValue<T extends string>(value: string): T {
  return value as T;
}

/** The struct, or undefined when none of its fields is set. */
export function unlessEmpty<T extends object>(struct: T): T | undefined {
  return Object.values(struct).some(value => value !== undefined) ? struct : undefined;
}

/** The list, or undefined when it has no items. */
export function listUnlessEmpty<T>(list: T[] | undefined): T[] | undefined {
  return list?.length ? list : undefined;
}

function konnectivityAgent(exposureArgs: string[], agent: KonnectivityAgentProps = {}): kamaji.TenantControlPlaneSpecAddonsKonnectivityAgent {
  return {
    ...agent,
    mode: agent.mode && enumValue(agent.mode),
    extraArgs: [...exposureArgs, ...agent.extraArgs ?? []],
  };
}

function konnectivityServer(server: KonnectivityServerProps): kamaji.TenantControlPlaneSpecAddonsKonnectivityServer {
  return { ...server, port: server.port ?? DEFAULT_KONNECTIVITY_PORT, resources: quantities(server.resources) };
}
