import { ApiObject, Lazy, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { K0sVersion } from './k0s-version';
import { K0SMOTRON_CLUSTER } from './k0smotron-checks';
import { forbidsAnonymousHealth, k0sNetwork, requireNoOwnCertificate } from './k0smotron-config';
import { labelsOfK0smotronCluster } from './k0smotron-labels';
import { k0smotronSecretNames, k0smotronServiceName } from './k0smotron-names';
import { k0smotronObjects } from './k0smotron-objects';
import {
  K0smotronApiVersion, K0smotronClusterProps, K0smotronIngressProps, K0smotronPatch, K0smotronPatchType, K0smotronServiceType,
} from './k0smotron-props';
import { furtherCertSans } from './k0smotron-sans';
import { k0smotronSpec } from './k0smotron-spec';
import { validateK0smotron, validateRoutedPorts, warnOfAmbiguousIpHost, warnOfLongName, warnOfPrivilegedPort, warnOfServiceType, warnOfWrittenBackLists } from './k0smotron-validation';
import { kubernetesEndpoints } from '../../agent/contract/kubernetes-endpoints';
import { IngressController } from '../../controllers/ingress-controller';
import * as k0smotron from '../../imports/k0smotron.io';
import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT } from '../../manifests/k0smotron-facts';
import { API_ROUTE, Exposure, KONNECTIVITY_ROUTE } from '../../model/exposure';
import { PassthroughRoute } from '../../model/exposure-props';
import { HostnamePattern } from '../../model/hostname-pattern';
import { deepCopy } from '../../objects/deep-copy';
import { invalidInput } from '../../validation/invalid-input';
import { Checks, checkProps } from '../../validation/props';
import { required } from '../../validation/required';
import { KUBERNETES_UNDER_K0SMOTRON } from '../../versions/k0s';
import { checkVersion } from '../../versions/version-facts';
import { ApiServerCertificate, requireOneCertificate } from '../api-server-certificates';
import { ControlPlanePlatform, IApiServerSettings, OperatorObject, PlatformBindOptions, PlatformDefaults } from '../control-plane-platform';

/**
 * The parts of k0smotron's own tcp-proxy among the manifests that it installs into the tenant. The placeholder for
 * the endpoints of `kubernetes` stays: k0s makes no worker profile before it sees endpoints.
 */
const BUILT_IN_PROXY_MANIFESTS = ['1_haproxy-configmap.yaml', '2_haproxy-ds.yaml', '3_kube-service.yaml'];

/** The placeholder for the endpoints. */
const ENDPOINTS_MANIFEST = '0_temp-kubernetes-ep.yaml';

/** Where the replicas of an embedded NATS connect to each other. */
const NATS_CLUSTER_PORT = 6222;

/** The custom resource of one control plane. */
export interface K0smotronResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Its labels instead of the ones that were asked for. */
  readonly labels?: { [name: string]: string };
  readonly externalAddress?: string;
}

/**
 * @internal What the two custom resources of k0smotron have in common, as of its releases 1.10 and 2.1.
 *
 * By itself k0smotron creates, for `ingress.deploy`, one Ingress with both hosts, and in the tenant cluster, always,
 * a tcp-proxy: a DaemonSet `default/k0smotron-haproxy` behind the Service `kubernetes`. It sets the flags of the API
 * server and the arguments of the konnectivity agents itself.
 *
 * Avoided here:
 * - an Ingress for controllers that cannot pass TLS through for one;
 * - versions of k0s that cannot be exposed by host name, most of which its webhook lets pass;
 * - two tcp-proxies: a `TcpProxyAddon` takes the built-in one out.
 */
export abstract class K0smotronIngressPlatform extends ControlPlanePlatform {
  /** @internal Whether the custom resource is k0smotron's own Cluster, which k0smotron writes to, and not one of which it makes a Cluster. */
  protected abstract readonly _isStandalone: boolean;
  /** @internal The user's settings, as they were when they were checked. */
  protected readonly _props: K0smotronIngressProps;
  private readonly serviceType: K0smotronServiceType;
  private readonly apiVersion: K0smotronApiVersion;

  protected constructor(props: K0smotronIngressProps, checks: Checks<any>) {
    super();
    this._props = deepCopy(checkProps('', required('props', props, 'Give {} for the defaults'), checks));
    validateK0smotron(this._props);
    this.serviceType = this._props.serviceType ?? K0smotronServiceType.CLUSTER_IP;
    this.apiVersion = this._props.apiVersion ?? K0smotronApiVersion.V1BETA2;
  }

  /** @internal The custom resource for a control plane. */
  protected abstract _resource(scope: Construct, exposure: Exposure, apiVersion: K0smotronApiVersion): K0smotronResource;

  public defaults(name: string, _namespace: string): PlatformDefaults {
    const { ca, kubeconfig } = k0smotronSecretNames(name);
    return {
      backend: {
        serviceName: k0smotronServiceName(name, this.serviceType),
        apiPort: this._props.apiPort ?? DEFAULT_API_PORT,
        konnectivityPort: this._props.konnectivityPort ?? DEFAULT_KONNECTIVITY_PORT,
      },
      // What the Service selects, without a label on the Cluster; etcd's pods have another component.
      podLabels: { app: 'k0smotron', cluster: name, component: 'cluster' },
      // Replicas of the NATS in them find each other here.
      ...this._props.storage?._type === 'nats' ? { peerPorts: [NATS_CLUSTER_PORT] } : {},
      adminKubeconfig: { secretName: kubeconfig, keys: ['value'] },
      clusterCa: { secretName: ca, certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
      hostnamePattern: HostnamePattern.steward(),
    };
  }

  public override operatorRoutes(_exposure: Exposure, controller: IngressController): string[] {
    // An Ingress asks for passthrough by annotation: without one it would be an HTTPS route.
    return Object.keys(controller.ingressAnnotations).length > 0 ? [API_ROUTE, KONNECTIVITY_ROUTE] : [];
  }

  public override operatorObjects({ name }: Exposure, operatorRoutes: PassthroughRoute[], kubernetesVersion?: string): OperatorObject[] {
    return k0smotronObjects(name, this._props, {
      serviceType: this.serviceType,
      ingress: true,
      deploysIngress: operatorRoutes.length > 0,
      standalone: this._isStandalone,
      k0sVersion: kubernetesVersion === undefined ? undefined : K0sVersion.parse('kubernetesVersion', kubernetesVersion),
    });
  }

  /** @internal Its ports are the node ports too (k0smotron's `generateService`). */
  public override _nodePorts({ routes }: Exposure): number[] {
    return this.serviceType !== K0smotronServiceType.NODE_PORT ? []
      : routes.filter(({ name }) => name === API_ROUTE || name === KONNECTIVITY_ROUTE).map(({ servicePort }) => servicePort);
  }

  /** The flags in the configuration of k0s are a map. */
  public override validateCertificates(certificates: ApiServerCertificate[]): void {
    requireOneCertificate('k0s', certificates);
    requireNoOwnCertificate(this._props.k0sConfig);
  }

  public bind(scope: Construct, options: PlatformBindOptions): ApiObject {
    const { exposure, apiServer } = options;
    const ingress = ingressSpec(options);
    const version = K0sVersion.parse('kubernetesVersion', options.kubernetesVersion);
    version.requireIngress('kubernetesVersion');
    checkVersion(scope, 'kubernetesVersion', options.kubernetesVersion, KUBERNETES_UNDER_K0SMOTRON, this._props.newestKubernetesVersion);
    const network = k0sNetwork(exposure);
    validateRoutedPorts(exposure, this._props);
    this.warn(scope, exposure);
    scope.node.addValidation({ validate: () => this.endpointsErrors(exposure, apiServer) });

    const { apiVersion, kind, name, externalAddress, labels = options.labels } = this._resource(scope, exposure, this.apiVersion);
    if (this._isStandalone) {
      warnOfWrittenBackLists(scope, exposure, this._props);
    }
    return new ApiObject(scope, 'Resource', {
      apiVersion,
      kind,
      metadata: { name, namespace: exposure.namespace, labels, annotations: options.annotations },
      // Not the generated class: it would drop fields that it does not know from users' patches.
      spec: Lazy.any({
        produce: () => k0smotronSpec(this._props, {
          version: version.toString(),
          k0s: {
            network,
            certSans: furtherCertSans(exposure),
            anonymousHealth: apiServer.endpointsOwnedByTcpProxy && exposure.kubernetesEndpoint === undefined,
            certificate: options.certificates?.[0],
          },
          serviceType: this.serviceType,
          ingress,
          externalAddress,
          patches: apiServer.endpointsOwnedByTcpProxy ? [withoutBuiltInProxy(exposure)] : [],
        }),
      }),
    });
  }

  /** @internal */
  public override get _k0smotronClusterVersion(): K0smotronApiVersion | undefined {
    return this._isStandalone ? this.apiVersion : undefined;
  }

  /** @internal */
  public override get _hasTcpProxy(): boolean {
    return true;
  }

  /** @internal */
  public override _validateAdvertiseAddress(address: string, field = 'endpoints'): void {
    throw invalidInput(field, address, 'would have to be published by the API server, whose endpoint reconciler k0smotron turns off',
      field === 'endpoints' ? 'Choose TcpProxyEndpoints.owned(), ownedAdvertiseAddress() or kubernetesService()' : 'Leave it out, and add KubernetesServiceEndpoints');
  }

  /** What the tenant's side may ask for that k0smotron cannot do; known at synthesis alone. */
  private endpointsErrors({ kubernetesEndpoint }: Exposure, apiServer: IApiServerSettings): string[] {
    if (!apiServer.endpointsOwnedByTcpProxy) {
      return [];
    }
    const errors = [];
    const addition = kubernetesEndpoint ? 'KubernetesServiceEndpoints' : 'TcpProxyAddon';
    if (this.apiVersion === K0smotronApiVersion.V1BETA1) {
      errors.push(invalidInput('apiVersion', this.apiVersion, 'has no patches to take out k0smotron\'s own tcp-proxy, which would fight with the ' +
        `${addition} over default/kubernetes`, `Use K0smotronApiVersion.V1BETA2, or leave the ${addition} out`));
    }
    if (!kubernetesEndpoint && forbidsAnonymousHealth(this._props.k0sConfig)) {
      errors.push(invalidInput('k0sConfig.api.extraArgs.anonymous-auth', 'false', 'keeps the TcpProxyAddon from asking the API server for its health',
        'Leave it out; anonymous requests are answered for health and version alone'));
    }
    return errors.map(error => error.message);
  }

  private warn(scope: Construct, exposure: Exposure): void {
    warnOfLongName(scope, exposure.name, this._props);
    warnOfServiceType(scope, this.serviceType, this._props);
    warnOfPrivilegedPort(scope, this._props);
    exposure.dnsNames.forEach(host => warnOfAmbiguousIpHost(scope, host));
  }
}

/** `k0smotron.io` Cluster: a control plane whose workers are not Cluster API's. */
export class K0smotronPlatform extends K0smotronIngressPlatform {
  /** @internal */
  protected declare readonly _props: K0smotronClusterProps;
  public readonly type: string = 'k0smotron';
  /** @internal */
  protected readonly _isStandalone = true;

  public constructor(props: K0smotronClusterProps = {}) {
    super(props, K0SMOTRON_CLUSTER);
  }

  /** @internal */
  protected _resource(scope: Construct, exposure: Exposure, apiVersion: K0smotronApiVersion): K0smotronResource {
    return {
      apiVersion: `k0smotron.io/${apiVersion}`,
      kind: k0smotron.Cluster.GVK.kind,
      name: exposure.name,
      labels: labelsOfK0smotronCluster(scope),
      externalAddress: this._props.externalAddress ?? exposure.api.host,
    };
  }
}

function ingressSpec({ exposure, controller, operatorRoutes }: PlatformBindOptions): k0smotron.ClusterSpecIngress {
  const { api, konnectivity } = exposure;
  if (!konnectivity) {
    throw invalidInput('konnectivity', undefined, 'is not set, but k0smotron runs konnectivity always and must know its host',
      'Give "konnectivity", e.g. { hostname: "konnectivity.tenant-01.example.com" }, or {} together with "domain"');
  }
  if (konnectivity.port !== api.port) {
    throw invalidInput('konnectivity.port', konnectivity.port, `differs from the API server's, ${api.port}; k0smotron knows one public port`,
      'Leave it out, and give konnectivity a host of its own');
  }
  const deploy = operatorRoutes.length > 0;
  return {
    deploy,
    apiHost: api.host,
    konnectivityHost: konnectivity.host,
    port: api.port,
    className: deploy ? controller.ingressClassName : undefined,
    annotations: deploy ? controller.ingressAnnotations : undefined,
  };
}

/**
 * Takes the built-in tcp-proxy out of what k0smotron installs into the tenant.
 *
 * The patch also reaches the ConfigMap with the konnectivity agent, which has the same labels; removing keys that it
 * does not have changes nothing there.
 */
function withoutBuiltInProxy({ kubernetesEndpoint, serviceCidrs: [cidr] }: Exposure): K0smotronPatch {
  // k0s makes no worker profile before it sees endpoints, and these are right from the start.
  const placeholder = kubernetesEndpoint && kubernetesEndpoints(kubernetesEndpoint.addresses, kubernetesEndpoint.port, cidr.includes(':') ? 'IPv6' : 'IPv4').endpoints;
  return {
    kind: 'ConfigMap',
    component: 'ingress',
    type: K0smotronPatchType.MERGE,
    content: {
      data: {
        ...placeholder && { [ENDPOINTS_MANIFEST]: Yaml.stringify(placeholder) },
        ...Object.fromEntries(BUILT_IN_PROXY_MANIFESTS.map(key => [key, null])),
      },
    },
  };
}
