import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ApiServerCertificate } from './api-server-certificates';
import type { HypershiftProps } from './hypershift/hypershift-props';
import type { K0smotronApiVersion, K0smotronClusterProps, K0smotronControlPlaneProps } from './k0smotron/k0smotron-props';
import type { KamajiProps } from './kamaji/kamaji';
import type { KamajiControlPlaneProps } from './kamaji/kamaji-control-plane';
import { addControlPlaneNetworkPolicy, NetworkPolicyOptions } from './network-policy';
import { IngressController } from '../controllers/ingress-controller';
import { ResourcePaths } from '../manifests/description';
import { PlatformSecrets } from '../model/platform-secrets';
import type { StewardProps } from './steward/steward';
import { Exposure } from '../model/exposure';
import { ExposureBackend, PassthroughRoute, TlsService } from '../model/exposure-props';
import { HostnamePattern } from '../model/hostname-pattern';
import type { RequiredObject } from '../model/required-object';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';

/** What a platform is asked to run. */
export interface PlatformBindOptions {
  /** How the control plane is reached. */
  readonly exposure: Exposure;
  /** Kubernetes version without `v`, e.g. `1.31.0`. */
  readonly kubernetesVersion: string;
  /** The ingress controller in front. */
  readonly controller: IngressController;
  /** Routes that this platform's operator is to create; empty when this library creates all. */
  readonly operatorRoutes: PassthroughRoute[];
  /** What the tenant side asks of the API server. It may still change until synthesis: read it lazily. */
  readonly apiServer: IApiServerSettings;
  /**
   * Certificates that the API server serves beside its own, as `validateCertificates` took them.
   * @default - none
   */
  readonly certificates?: ApiServerCertificate[];
  /** Labels for the custom resource. */
  readonly labels: { [name: string]: string };
  /** Annotations for the custom resource. */
  readonly annotations: { [name: string]: string };
}

/**
 * What the tenant side asks of the API server.
 *
 * A tcp-proxy is added after its control plane, so these values are final only at synthesis: read them
 * inside a `Lazy`.
 */
export interface IApiServerSettings {
  /** Whether the API server must leave `default/kubernetes` alone, because the tcp-proxy owns it. */
  readonly endpointsOwnedByTcpProxy: boolean;
  /** The address that the API server advertises in `default/kubernetes`, when it is fixed. */
  readonly advertiseAddress?: string;
}

/** An object that the platform's operator creates in the control plane's namespace. */
export interface OperatorObject {
  /** Kind, e.g. `Ingress`. */
  readonly kind: string;
  /** API group, e.g. `networking.k8s.io`; empty for the core group. */
  readonly group: string;
  /** Name. */
  readonly name: string;
}

/** What a platform says of a control plane, where the user does not: names, ports and Secrets. */
export interface PlatformDefaults extends PlatformSecrets {
  /** The Service that the platform's operator creates for the control plane. */
  readonly backend: ExposureBackend;
  /**
   * Labels of the control plane's pods in the management cluster, which no other pod of the namespace has.
   * @default - not known, so there can be no NetworkPolicy for them
   */
  readonly podLabels?: { [name: string]: string };
  /**
   * Ports at which these pods connect to each other, which a NetworkPolicy for them must leave open among them.
   * @default - none
   */
  readonly peerPorts?: number[];
  /** How hosts are named. */
  readonly hostnamePattern: HostnamePattern;
  /**
   * Public port of the API server.
   * @default 443
   */
  readonly port?: number;
  /**
   * Public port of the konnectivity server.
   * @default - the port of the API server
   */
  readonly konnectivityPort?: number;
  /**
   * Whether konnectivity has the API server's host, on a port of its own.
   * @default false
   */
  readonly konnectivitySharesHostname?: boolean;
  /**
   * Whether the API server has an address of its own, and only the others are behind the shared address.
   * @default false
   */
  readonly apiOwnAddress?: boolean;
  /**
   * TLS services that every control plane of the platform has. `tlsServices` of a control plane change those of the same
   * name, field by field.
   * @default - none
   */
  readonly tlsServices?: TlsService[];
  /**
   * The Cluster of Cluster API whose control plane it is; it is in the same namespace.
   * @default - the platform is not one of Cluster API's
   */
  readonly clusterApiCluster?: string;
}

/**
 * The system that runs the control plane.
 *
 * Subclass it for a system that has no class here.
 *
 * @example
 * const kamaji = ControlPlanePlatform.kamaji({ replicas: 2, coreDns: {}, kubeProxy: {} });
 * const k0smotron = ControlPlanePlatform.k0smotron({ replicas: 3 });
 */
export abstract class ControlPlanePlatform {
  /**
   * Steward: a TenantControlPlane of `steward.butlerlabs.dev`.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static steward(props: StewardProps = {}): ControlPlanePlatform {
    const { StewardPlatform } = require('./steward/steward') as typeof import('./steward/steward');
    return new StewardPlatform(props);
  }

  /**
   * Kamaji: a TenantControlPlane of `kamaji.clastix.io`.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static kamaji(props: KamajiProps = {}): ControlPlanePlatform {
    const { KamajiPlatform } = require('./kamaji/kamaji') as typeof import('./kamaji/kamaji');
    return new KamajiPlatform(props);
  }

  /**
   * Kamaji through Cluster API: a KamajiControlPlane of `controlplane.cluster.x-k8s.io`.
   *
   * The networks, the cluster domain and the API server's port must be in the Cluster object too, as the
   * provider takes them from there.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static kamajiControlPlane(props: KamajiControlPlaneProps = {}): ControlPlanePlatform {
    const { KamajiControlPlanePlatform } = require('./kamaji/kamaji-control-plane') as typeof import('./kamaji/kamaji-control-plane');
    return new KamajiControlPlanePlatform(props);
  }

  /**
   * k0smotron without Cluster API: a Cluster of `k0smotron.io`.
   *
   * `kubernetesVersion` of the control plane may carry the revision of k0s, e.g. `1.34.3+k0s.1`.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static k0smotron(props: K0smotronClusterProps = {}): ControlPlanePlatform {
    const { K0smotronPlatform } = require('./k0smotron/k0smotron') as typeof import('./k0smotron/k0smotron');
    return new K0smotronPlatform(props);
  }

  /**
   * k0smotron through Cluster API: a K0smotronControlPlane of `controlplane.cluster.x-k8s.io`.
   *
   * The control plane must have the name of the Cluster API Cluster that refers to it.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static k0smotronControlPlane(props: K0smotronControlPlaneProps = {}): ControlPlanePlatform {
    const { K0smotronControlPlanePlatform } = require('./k0smotron/k0smotron-control-plane') as typeof import('./k0smotron/k0smotron-control-plane');
    return new K0smotronControlPlanePlatform(props);
  }

  /**
   * HyperShift: a HostedCluster of `hypershift.openshift.io`, published by Routes.
   *
   * The release image decides on the version; `kubernetesVersion` of the control plane has no effect.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static hypershift(props: HypershiftProps): ControlPlanePlatform {
    const { HypershiftPlatform } = require('./hypershift/hypershift') as typeof import('./hypershift/hypershift');
    return new HypershiftPlatform(props);
  }

  /** Identifies the platform, e.g. `kamaji`. Nothing depends on it: what a platform can do is in its other members. */
  public abstract readonly type: string;

  /**
   * How messages call the platform.
   * @default - its type
   */
  public get displayName(): string {
    return this.type;
  }

  /** The values that an exposure of this platform has when the user does not say otherwise. */
  public abstract defaults(name: string, namespace: string): PlatformDefaults;

  /**
   * The names of the routes that the platform's operator creates correctly by itself; this library adds
   * the others.
   * @default - none
   */
  public operatorRoutes(_exposure: Exposure, _controller: IngressController): string[] {
    return [];
  }

  /**
   * The objects that the platform's operator creates beside the Service and whose names could be those of another
   * control plane's, or of a route of this library. Without a version it is those of any.
   * @default - none
   */
  public operatorObjects(_exposure: Exposure, _operatorRoutes: PassthroughRoute[], _kubernetesVersion?: string): OperatorObject[] {
    return [];
  }

  /**
   * Emits the custom resource that makes the operator run the control plane.
   *
   * @throws when the exposure asks for what the operator cannot do
   */
  public abstract bind(scope: Construct, options: PlatformBindOptions): ApiObject;

  /**
   * Whether the operator brings a tcp-proxy of its own into the tenant cluster.
   * @default false
   */
  public get bringsTcpProxy(): boolean {
    return false;
  }

  /**
   * Checks that the API server can be given certificates beside its own, which it then gets by `bind`. Not called without any.
   * @default - it cannot
   * @throws when it cannot, with the field, its value, the reason and the remedy
   */
  public validateCertificates(certificates: ApiServerCertificate[]): void {
    throw invalidInput('furtherEntries', certificates.map(({ secretName }) => secretName), `have certificates of their own, which ${this.displayName} cannot give to the API server`,
      'Leave them out: clients trust the tenant\'s CA; a platform of your own can override validateCertificates()');
  }

  /** @internal Checks that the servers can be reached by further hosts, without which no route leads there. */
  public _validateEntries(_exposure: Exposure, _certificates: ApiServerCertificate[]): void {}

  /**
   * Where the custom resource has what `SynthesizedPlatform` and the doctor compare, so that they read it there.
   *
   * They know the resources of Kamaji, Steward, k0smotron and HyperShift. One of any other kind gets an annotation,
   * `cdk8s-hosted-control-plane/description`, with the hosts, ports and Services of its exposure and these paths.
   * @default - nowhere: what the exposure says is compared
   */
  public get resourcePaths(): ResourcePaths {
    return {};
  }

  /**
   * What must exist before a control plane works and no manifest refers to, for the chapter of the ExposureReport. Objects that
   * manifests of known kinds name, namespaces, and the operators of known kinds are found without it.
   * @default - nothing
   */
  public prerequisites(_exposure: Exposure): RequiredObject[] {
    return [];
  }

  /** @internal Whether the operator runs a tcp-proxy unless a TcpProxyAddon takes its place. */
  public get _hasTcpProxy(): boolean {
    return false;
  }

  /** @internal The property that has the operator bring it; undefined where it always does. */
  public get _tcpProxyProperty(): string | undefined {
    return undefined;
  }

  /** @internal Whether the tcp-proxy of the operator is known to pass TLS on unopened. */
  public get _tcpProxyPassesTls(): boolean {
    return false;
  }

  /** @internal Version of the k0smotron Cluster that a control plane is, whose workers join with a token; undefined where it is none. */
  public get _k0smotronClusterVersion(): K0smotronApiVersion | undefined {
    return undefined;
  }

  /** @internal Node ports of the management cluster that the operator takes for a control plane. */
  public _nodePorts(_exposure: Exposure): number[] {
    return [];
  }

  /** @internal Emits the NetworkPolicy that lets the peers of `policy` reach a control plane, if there is to be one. */
  public _addNetworkPolicy(scope: Construct, { exposure, policy, labels, pods }: NetworkPolicyOptions): ApiObject | undefined {
    return policy && addControlPlaneNetworkPolicy(scope, exposure, pods, policy, labels);
  }

  /** @internal Refuses an address that the API server is to advertise, where it cannot. */
  public _validateAdvertiseAddress(_address: string, _field = 'endpoints'): void {}
}

nameFactories(ControlPlanePlatform);
