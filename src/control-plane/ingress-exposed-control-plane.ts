import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Endpoint } from './endpoint';
import { Exposure, KonnectivityExposure, PassthroughRoute, TenantNetwork, TlsService } from './exposure';
import { HostnamePattern } from './hostname-pattern';
import { addControlPlaneNetworkPolicy, ControlPlaneNetworkPolicy } from './network-policy';
import { TenantSide } from './tenant-side';
import { IngressController } from '../controllers/ingress-controller';
import { ControlPlanePlatform } from '../platforms/control-plane-platform';
import { Claims } from '../validation/claims';
import { invalidInput } from '../validation/invalid-input';
import { IpNetwork } from '../validation/ip-network';
import { Warnings } from '../validation/warnings';

/** A hosted control plane behind a shared address. */
export interface IngressExposedControlPlaneProps {
  /** Namespace of the control plane in the management cluster; it must exist. */
  readonly namespace: string;
  /**
   * Name of the control plane: a DNS-1035 label, as its Service has the same name.
   * @default - the construct's id
   */
  readonly name?: string;
  /** Kubernetes version of the tenant cluster, e.g. `1.31.0`. */
  readonly kubernetesVersion: string;
  /** The system that runs the control plane. */
  readonly platform: ControlPlanePlatform;
  /** What routes at the shared address. */
  readonly controller: IngressController;

  /**
   * Public DNS name of the API server, without a port.
   * @default - from `domain` and `hostnamePattern`
   */
  readonly hostname?: string;
  /**
   * Domain of all tenants; hosts that are not given are made of it.
   * @default - none; then every host must be given
   */
  readonly domain?: string;
  /**
   * How hosts are made of the domain.
   * @default - as the platform names them, see `HostnamePattern`
   */
  readonly hostnamePattern?: HostnamePattern;
  /**
   * Public port of the API server.
   * @default - 443, or what the platform requires
   */
  readonly port?: number;
  /**
   * Run konnectivity, the tunnel from the API server to the nodes, and expose it; `{}` takes every default.
   * @default - no konnectivity
   */
  readonly konnectivity?: KonnectivityExposure;
  /**
   * Further TLS services behind the same address, e.g. Talos' trustd.
   * @default - none
   */
  readonly tlsServices?: TlsService[];
  /**
   * Source networks that may connect, in CIDR notation, on every route. It is an error when the controller
   * cannot filter connections that it does not open.
   * @default - everyone
   */
  readonly allowedCidrs?: string[];
  /**
   * Emit a NetworkPolicy for the control plane's pods that opens the exposed ports to the given namespaces alone.
   * @default - none
   */
  readonly networkPolicy?: ControlPlaneNetworkPolicy;
  /**
   * Network of the tenant cluster.
   * @default - the platform's defaults, see the fields
   */
  readonly network?: TenantNetwork;
  /**
   * Further names and addresses for the API server's certificate.
   * @default - the hosts and the in-cluster names alone
   */
  readonly certSans?: string[];
  /**
   * Identifies the tenant at a shared gateway that routes on the PROXY protocol.
   * @default - none
   */
  readonly clusterId?: string;
  /**
   * Have every route made by this library, also those that the platform's operator would create.
   * @default false
   */
  readonly ownRoutes?: boolean;
  /**
   * The management cluster that the objects go to. Names must differ within one; an app that serves several
   * clusters names them here.
   * @default management
   */
  readonly managementCluster?: string;
  /**
   * Labels for every object.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
  /**
   * Annotations for the custom resource of the control plane.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
}

/**
 * A hosted control plane whose API server, and konnectivity server, are reached through a shared address
 * by their SNI host. Belongs into a chart for the management cluster.
 */
export class IngressExposedControlPlane extends Construct {
  /** How the control plane is reached: the source of every name and port. */
  public readonly exposure: Exposure;
  /** The custom resource of the platform, e.g. the TenantControlPlane; patch it for what has no property. */
  public readonly platformObject: ApiObject;
  /** The routes that this library emits, in the order of `exposure.routes`. */
  public readonly routeObjects: ApiObject[];

  /** The NetworkPolicy, when there is one. */
  public readonly networkPolicyObject?: ApiObject;

  /** @internal */
  public readonly _tenantSide: TenantSide;

  public constructor(scope: Construct, id: string, props: IngressExposedControlPlaneProps) {
    super(scope, id);
    const name = props.name ?? id;
    const { platform, controller } = props;
    const defaults = platform.defaults(name, props.namespace);

    this.exposure = new Exposure({
      name,
      namespace: props.namespace,
      hostname: props.hostname,
      domain: props.domain,
      hostnamePattern: props.hostnamePattern ?? defaults.hostnamePattern,
      port: props.port ?? defaults.port,
      konnectivity: props.konnectivity && {
        hostname: props.konnectivity.hostname,
        port: props.konnectivity.port ?? defaults.konnectivityPort,
      },
      konnectivitySharesHostname: defaults.konnectivitySharesHostname,
      tlsServices: props.tlsServices,
      backend: defaults.backend,
      network: props.network,
      certSans: props.certSans,
      clusterId: props.clusterId,
    });
    const kubernetesVersion = parseVersion(props.kubernetesVersion);
    const allowedCidrs = parseAllowedCidrs(props.allowedCidrs);
    const labels = {
      'app.kubernetes.io/name': 'hosted-control-plane',
      'app.kubernetes.io/instance': name,
      ...props.labels,
    };

    // An operator knows nothing of source networks, so routes with them are ours.
    const operatorMakes = props.ownRoutes || allowedCidrs ? [] : platform.operatorRoutes(this.exposure, controller);
    const operatorRoutes = this.exposure.routes.filter(route => operatorMakes.includes(route.name));
    const ownRoutes = this.exposure.routes.filter(route => !operatorMakes.includes(route.name));

    controller.warnings.forEach(text => Warnings._add(this, text));
    this._tenantSide = new TenantSide(this, platform);
    this.platformObject = platform.bind(new Construct(this, 'platform'), {
      exposure: this.exposure,
      kubernetesVersion,
      controller,
      operatorRoutes,
      apiServer: this._tenantSide,
      labels,
      annotations: props.annotations ?? {},
    });
    this.routeObjects = ownRoutes.length === 0 ? [] : controller.bind(new Construct(this, 'routes'), {
      exposure: this.exposure,
      routes: ownRoutes,
      allowedCidrs,
      labels,
    });
    this.networkPolicyObject = props.networkPolicy
      && addControlPlaneNetworkPolicy(this, this.exposure, defaults.podLabels, props.networkPolicy, labels);
    this.claimNames(props.managementCluster ?? 'management');
  }

  /** Public endpoint of the API server. */
  public get apiEndpoint(): Endpoint {
    return this.exposure.api;
  }

  /** Public endpoint of the konnectivity server. */
  public get konnectivityEndpoint(): Endpoint | undefined {
    return this.exposure.konnectivity;
  }

  /** Names and addresses that the API server's certificate carries. */
  public get certSans(): string[] {
    return this.exposure.certSans;
  }

  /** Public DNS names that must resolve to the shared address. */
  public get dnsNames(): string[] {
    return this.exposure.dnsNames;
  }

  /** All routes, also those that the platform's operator creates. */
  public get routes(): PassthroughRoute[] {
    return this.exposure.routes;
  }

  private claimNames(managementCluster: string): void {
    const claims = Claims.of(this);
    for (const route of this.exposure.routes) {
      claims.claim('SNI host', `${route.hostname}:${route.port}`, this,
        'A shared address routes on the host alone: give each control plane hosts of its own');
    }
    if (this.exposure.clusterId) {
      claims.claim('cluster ID', this.exposure.clusterId, this, 'Give each control plane a cluster ID of its own');
    }
    for (const object of [this.platformObject, ...this.routeObjects]) {
      claims.claim(`${object.kind} in cluster "${managementCluster}"`, `${this.exposure.namespace}/${object.name}`, this,
        'Rename one of them, or say with managementCluster that they go to different clusters');
    }
  }
}

function parseVersion(version: string): string {
  const match = /^v?(\d+\.\d+\.\d+(?:[-+].+)?)$/.exec(version);
  if (!match) {
    throw invalidInput('kubernetesVersion', version, 'is not a version', 'Give major, minor and patch, e.g. "1.31.0"');
  }
  return match[1];
}

function parseAllowedCidrs(cidrs?: string[]): string[] | undefined {
  if (cidrs?.length === 0) {
    throw invalidInput('allowedCidrs', cidrs, 'is empty, which would let nobody in', 'Leave it out to allow everyone, or list networks');
  }
  cidrs?.forEach((cidr, i) => IpNetwork.parse(`allowedCidrs[${i}]`, cidr));
  return cidrs;
}
