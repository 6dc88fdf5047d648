import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { HYPERSHIFT } from './hypershift-checks';
import {
  addHostedControlPlaneNamespace, addHypershiftNetworkPolicy, addVirtualMachineNetworkPolicy, closedByHypershift,
} from './hypershift-network-policy';
import { nodePortRoutes } from './hypershift-node-ports';
import { HypershiftApiPublishing, HypershiftProps } from './hypershift-props';
import { publishingWarnings, validatePublishing } from './hypershift-publishing-validation';
import {
  apiPublishing, hostedClusterServices, HYPERSHIFT_TLS_SERVICES, platformType, publishedRoutes, ROUTE_PORT,
} from './hypershift-services';
import { validateHypershift, validateHypershiftEntries, validateHypershiftExposure, validNamespaceOf } from './hypershift-validation';
import { IngressController } from '../../controllers/ingress-controller';
import {
  HostedCluster, HostedClusterSpec, HostedClusterSpecConfiguration, HostedClusterSpecControllerAvailabilityPolicy as AvailabilityPolicy,
  HostedClusterSpecEtcdManagedStorageType as StorageType, HostedClusterSpecEtcdManagementType as ManagementType,
  HostedClusterSpecNetworkingNetworkType as NetworkType,
} from '../../imports/hypershift.openshift.io';
import { API_PORT, API_SERVICE, apiServicePort, KONNECTIVITY_PORT, KONNECTIVITY_SERVICE } from '../../manifests/hypershift-facts';
import { Exposure } from '../../model/exposure';
import { PassthroughRoute } from '../../model/exposure-props';
import { HostnamePattern } from '../../model/hostname-pattern';
import { deepCopy } from '../../objects/deep-copy';
import { Warnings } from '../../synthesis/warnings';
import { checkProps } from '../../validation/props';
import { required } from '../../validation/required';
import { ApiServerCertificate } from '../api-server-certificates';
import { ControlPlanePlatform, OperatorObject, PlatformBindOptions, PlatformDefaults } from '../control-plane-platform';
import { NetworkPolicyOptions } from '../network-policy';

/**
 * `hypershift.openshift.io/v1beta1` HostedCluster.
 *
 * HyperShift runs the control plane in the namespace `<namespace>-<name>`, puts a proxy of its own on every node and keeps
 * `default/kubernetes` of the tenant itself. The nodes' proxies pass on what pods send, without a host name of the tenant's, so
 * the API server has a port of its own on the shared address, `port` of the control plane, which is its node port too. The other
 * services are Routes with a host when their port is 443, and have ports of their own otherwise.
 *
 * The OAuth and the ignition server are TLS services named `oauth` and `ignition-server`.
 */
export class HypershiftPlatform extends ControlPlanePlatform {
  public readonly type: string = 'hypershift';
  private readonly props: HypershiftProps;

  public constructor(props: HypershiftProps) {
    super();
    this.props = deepCopy(checkProps('', required('props', props, 'Give releaseImage and pullSecretName'), HYPERSHIFT));
    validateHypershift(this.props);
  }

  public defaults(name: string, namespace: string): PlatformDefaults {
    return {
      backend: {
        serviceName: API_SERVICE,
        serviceNamespace: validNamespaceOf(name, namespace),
        apiPort: apiServicePort(platformType(this.props)),
        konnectivityServiceName: KONNECTIVITY_SERVICE,
        konnectivityPort: KONNECTIVITY_PORT,
      },
      // Beside the HostedCluster (HyperShift's manifests.KubeConfigSecret). The CA is in the control plane's namespace, and
      // nothing needs it: HyperShift brings a proxy of its own.
      adminKubeconfig: { secretName: `${name}-admin-kubeconfig`, keys: ['kubeconfig'] },
      hostnamePattern: HostnamePattern.steward(),
      port: apiPublishing(this.props) === HypershiftApiPublishing.LOAD_BALANCER ? API_PORT : ROUTE_PORT,
      konnectivityPort: ROUTE_PORT,
      apiOwnAddress: apiPublishing(this.props) === HypershiftApiPublishing.LOAD_BALANCER,
      tlsServices: HYPERSHIFT_TLS_SERVICES,
    };
  }

  public override get bringsTcpProxy(): boolean {
    return true;
  }

  /** @internal HAProxy of the nodes is in TCP mode. */
  public override get _tcpProxyPassesTls(): boolean {
    return true;
  }

  public override operatorRoutes(exposure: Exposure, controller: IngressController): string[] {
    return controller.servesOpenShiftRoutes ? publishedRoutes(exposure).map(({ name }) => name) : [];
  }

  /** @internal */
  public override _nodePorts(exposure: Exposure): number[] {
    return nodePortRoutes(this.props, exposure).map(({ port }) => port);
  }

  /** @internal */
  public override _addNetworkPolicy(scope: Construct, options: NetworkPolicyOptions): ApiObject | undefined {
    const { ingress, egress } = closedByHypershift(this.props, options.exposure, options.controller);
    if (!ingress && !egress) {
      return super._addNetworkPolicy(scope, options);
    }
    const outward = egress ? addVirtualMachineNetworkPolicy(scope, options) : undefined;
    return ingress ? addHypershiftNetworkPolicy(scope, options) : outward;
  }

  /** Beside the HostedCluster (HyperShift's manifests of its operator); the others are in a namespace of the control plane's own. */
  public override operatorObjects({ name }: Exposure, _operatorRoutes: PassthroughRoute[], _kubernetesVersion?: string): OperatorObject[] {
    return ['admin-kubeconfig', 'kubeadmin-password'].map(suffix => ({ kind: 'Secret', group: '', name: `${name}-${suffix}` }));
  }

  /** As many as there are. */
  public override validateCertificates(_certificates: ApiServerCertificate[]): void {}

  /** @internal */
  public override _validateEntries(exposure: Exposure, certificates: ApiServerCertificate[]): void {
    validateHypershiftEntries(exposure, certificates);
  }

  public bind(scope: Construct, options: PlatformBindOptions): ApiObject {
    validateHypershiftExposure(this.props, options);
    validatePublishing(this.props, options);
    publishingWarnings(this.props, options).forEach(text => Warnings._add(scope, text));
    const { exposure, controller } = options;
    const { name, namespace } = exposure;
    const { ingress, egress } = closedByHypershift(this.props, exposure, controller);
    if (ingress || egress) {
      addHostedControlPlaneNamespace(scope, exposure.routes[0].serviceNamespace, options.labels);
    }
    return new ApiObject(scope, 'Resource', withCertificates(HostedCluster.manifest({
      metadata: { name, namespace, labels: options.labels, annotations: options.annotations },
      spec: this.spec(exposure),
    }), options.certificates));
  }

  private spec(exposure: Exposure): HostedClusterSpec {
    const { props } = this;
    return {
      clusterId: exposure.clusterId ?? props.clusterId,
      release: { image: props.releaseImage },
      pullSecret: { name: props.pullSecretName },
      sshKey: props.sshKeyName === undefined ? undefined : { name: props.sshKeyName },
      platform: props.platform ?? { type: 'None' },
      dns: props.baseDomain === undefined ? undefined : { baseDomain: props.baseDomain },
      controllerAvailabilityPolicy: (props.availability ?? 'HighlyAvailable') as AvailabilityPolicy,
      configuration: configuration(props),
      nodeSelector: props.nodeSelector,
      etcd: {
        managementType: ManagementType.MANAGED,
        managed: {
          storage: {
            type: StorageType.PERSISTENT_VOLUME,
            persistentVolume: { size: props.etcdStorageSize ?? '8Gi', storageClassName: props.etcdStorageClassName },
          },
        },
      },
      networking: {
        networkType: (props.networkType ?? 'OVNKubernetes') as NetworkType,
        clusterNetwork: networks(exposure.podCidrs),
        serviceNetwork: networks(exposure.serviceCidrs),
        machineNetwork: props.machineCidrs && networks(props.machineCidrs),
        apiServer: {
          advertiseAddress: props.advertiseAddress,
          port: props.apiServerPort ?? 6443,
          allowedCidrBlocks: props.allowedCidrBlocks,
        },
      },
      services: hostedClusterServices(props, exposure),
    };
  }
}

/** Adds the certificates of entries; the generated class does not know the field. HyperShift mounts the Secrets and sets the flags. */
function withCertificates(manifest: any, certificates: ApiServerCertificate[] = []): any {
  const namedCertificates = certificates.map(({ secretName, hosts }) => ({ names: hosts, servingCertificate: { name: secretName } }));
  return certificates.length === 0 ? manifest : {
    ...manifest,
    spec: { ...manifest.spec, configuration: { ...manifest.spec.configuration, apiServer: { servingCerts: { namedCertificates } } } },
  };
}

function networks(cidrs: string[]): { cidr: string }[] {
  return cidrs.map(cidr => ({ cidr }));
}

function configuration({ httpProxy, serviceNodePortRange }: HypershiftProps): HostedClusterSpecConfiguration | undefined {
  return httpProxy || serviceNodePortRange !== undefined ? {
    network: serviceNodePortRange === undefined ? undefined : { serviceNodePortRange },
    proxy: httpProxy && { ...httpProxy },
  } : undefined;
}
