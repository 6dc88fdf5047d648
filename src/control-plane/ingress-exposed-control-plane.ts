import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { CONTROL_PLANE } from './control-plane-checks';
import type { IngressExposedControlPlaneProps } from './ingress-exposed-control-plane-props';
import { TenantSide } from './tenant-side';
import { refuseCompetitors } from '../controllers/competitors';
import { IngressController } from '../controllers/ingress-controller';
import { claimJoinedNames } from '../controllers/joined-names';
import { Endpoint } from '../model/endpoint';
import { API_ROUTE, Exposure, KONNECTIVITY_ROUTE } from '../model/exposure';
import { PassthroughRoute, TlsService } from '../model/exposure-props';
import { recordRoutedByPort } from '../model/routed-by-port';
import { ControlPlanePlatform, OperatorObject, PlatformDefaults } from '../platforms/control-plane-platform';
import { Claims } from '../synthesis/claims';
import { claimHost } from '../synthesis/host-claims';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimNodePorts } from '../synthesis/node-port-claims';
import { claimObjectName, claimObjects, claimOperatorObjects } from '../synthesis/object-claims';
import { Warnings } from '../synthesis/warnings';
import { invalidInput, placed } from '../validation/invalid-input';
import { checkProps } from '../validation/props';
import { required } from '../validation/required';

/**
 * A hosted control plane whose API server, and konnectivity server, are reached through a shared address
 * by their SNI host. Belongs into a chart for the management cluster.
 */
export class IngressExposedControlPlane extends Construct {
  /** How the control plane is reached: the source of every name and port. */
  public readonly exposure: Exposure;
  /** Kubernetes version of the tenant cluster, without a leading `v`. */
  public readonly kubernetesVersion: string;
  /** The custom resource of the platform, e.g. the TenantControlPlane; patch it for what has no property. */
  public readonly platformObject: ApiObject;
  /** The routes that this library emits, in the order of `exposure.routes`. */
  public readonly routeObjects: ApiObject[];

  /** The routes that the platform's operator creates. */
  public readonly operatorRoutes: PassthroughRoute[];
  /** The NetworkPolicy, when there is one. */
  public readonly networkPolicyObject?: ApiObject;
  /** @internal What the platform says of the control plane. */
  public readonly _platformDefaults: PlatformDefaults;
  /** @internal */
  public readonly _managementCluster: string;

  public constructor(scope: Construct, id: string, props: IngressExposedControlPlaneProps) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give namespace, kubernetesVersion, platform and controller'), CONTROL_PLANE);
      const name = props.name ?? id;
      const { platform, controller } = props;
      const cluster = ManagementCluster.of(this);
      const managementCluster = cluster.name;
      const defaults = platform.defaults(name, props.namespace);
      this._platformDefaults = defaults;
      this._managementCluster = managementCluster;

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
        apiOwnAddress: defaults.apiOwnAddress,
        tlsServices: tlsServicesOf(props, defaults.tlsServices ?? []),
        backend: defaults.backend,
        network: props.network,
        certSans: props.certSans,
        clusterId: props.clusterId,
      });
      this.kubernetesVersion = parseVersion(props.kubernetesVersion);
      const allowedCidrs = parseAllowedCidrs(props.allowedCidrs);
      const labels = {
        'app.kubernetes.io/name': 'hosted-control-plane',
        'app.kubernetes.io/instance': name,
        ...props.labels,
      };

      // An operator knows nothing of source networks, so routes with them are ours.
      const operatorMakes = props.ownRoutes || allowedCidrs ? [] : this.operatorRoutesOf(platform, controller);
      const shared = this.exposure.routes.filter(route => !route.ownAddress);
      this.operatorRoutes = shared.filter(route => operatorMakes.includes(route.name));
      const ownRoutes = shared.filter(route => !operatorMakes.includes(route.name));

      controller.warnings.forEach(text => Warnings._add(this, text));
      this.platformObject = platform.bind(new Construct(this, 'platform'), {
        exposure: this.exposure,
        kubernetesVersion: this.kubernetesVersion,
        controller,
        operatorRoutes: this.operatorRoutes,
        apiServer: new TenantSide(this, platform, this.exposure, cluster),
        labels,
        annotations: props.annotations ?? {},
      });
      const allRoutes = { exposure: this.exposure, routes: shared, operatorRoutes: this.operatorRoutes };
      controller.validateRoutes(allRoutes);
      requireSeparablePorts(controller, shared);
      shared.filter(route => controller.routesByPort(route)).forEach(recordRoutedByPort);
      this.routeObjects = ownRoutes.length === 0 ? [] : controller.bind(new Construct(this, 'routes'), {
        exposure: this.exposure,
        routes: ownRoutes,
        allowedCidrs,
        labels,
      });
      requireObjectForEachRoute(controller, ownRoutes, this.routeObjects);
      this.networkPolicyObject = platform._addNetworkPolicy(this, {
        exposure: this.exposure, controller, policy: props.networkPolicy, pods: defaults, labels,
      });
      refuseCompetitors(this, controller, shared, managementCluster);
      claimJoinedNames(this, controller, controller._joinedNames(allRoutes), managementCluster);
      this.claimNames(managementCluster, controller.separatesPorts, platform.operatorObjects(this.exposure, this.operatorRoutes));
      claimNodePorts(this, platform._nodePorts(this.exposure), managementCluster);
    } catch (error) {
      throw placed(this, error);
    }
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

  private operatorRoutesOf(platform: ControlPlanePlatform, controller: IngressController): string[] {
    const names = platform.operatorRoutes(this.exposure, controller);
    const known = [API_ROUTE, KONNECTIVITY_ROUTE, ...this.exposure.routes.map(route => route.name)];
    const unknown = names.find(name => !known.includes(name));
    if (unknown !== undefined) {
      throw invalidInput(`operatorRoutes() of the platform ${platform.type}`, unknown, 'is not a route of the control plane',
        `Return names among ${[...new Set(known)].map(name => `"${name}"`).join(', ')}`);
    }
    return names;
  }

  private claimNames(managementCluster: string, separatesPorts: boolean, operatorObjects: OperatorObject[]): void {
    const { routes, namespace, clusterId } = this.exposure;
    routes.forEach(({ hostname, port }) => claimHost(this, hostname, port, separatesPorts));
    if (clusterId) {
      Claims.of(this).claim('cluster ID', clusterId, this, 'Give each control plane a cluster ID of its own');
    }
    claimObjects(this, managementCluster);
    const [{ serviceName, serviceNamespace }] = routes;
    claimObjectName(this, { kind: 'Service', group: '', name: serviceName, namespace: serviceNamespace }, managementCluster);
    claimOperatorObjects(this, operatorObjects.map(object => ({ namespace, ...object })), managementCluster);
  }
}

/** The TLS services of a control plane: those that the user gives, then those that its platform always has. */
function tlsServicesOf({ tlsServices = [], domain }: IngressExposedControlPlaneProps, known: TlsService[]): TlsService[] {
  const missing = known.filter(({ name }) => !tlsServices.some(service => service.name === name));
  if (domain === undefined && missing.length > 0) {
    throw invalidInput('tlsServices', tlsServices.map(({ name }) => name), `lacks ${missing.map(({ name }) => `"${name}"`).join(' and ')}, which the platform ` +
      'publishes too, and without "domain" there are no hosts for them',
    `Give a host for each, e.g. { name: "${missing[0].name}", hostname: "${missing[0].name}.tenant-01.example.com" }, or give "domain"`);
  }
  return [...tlsServices.map(service => ({ ...known.find(({ name }) => name === service.name), ...given(service) })), ...missing];
}

/** Without fields that are written as undefined, which would hide those of the platform. */
function given(service: TlsService): TlsService {
  return Object.fromEntries(Object.entries(service).filter(([, value]) => value !== undefined)) as unknown as TlsService;
}

/** Two hosts that are equal, on ports that the controller does not tell apart, would lead to one place. */
function requireSeparablePorts(controller: IngressController, routes: PassthroughRoute[]): void {
  const byHost = new Map<string, PassthroughRoute>();
  for (const route of controller.separatesPorts ? [] : routes) {
    const other = byHost.get(route.hostname);
    if (other) {
      throw invalidInput(`host of ${route.name}`, route.hostname, `is also that of ${other.name}, on port ${other.port} instead of ${route.port}; ` +
        `the ${controller.type} controller routes on the host alone`, `Give ${route.name} a host of its own, or use traefik or gatewayApi`);
    }
    byHost.set(route.hostname, route);
  }
}

/** A shared gateway keeps its routes in tables and has no objects for them. */
function requireObjectForEachRoute(controller: IngressController, routes: PassthroughRoute[], objects: ApiObject[]): void {
  if (objects.length !== 0 && objects.length !== routes.length) {
    throw invalidInput(`bind() of the controller ${controller.type}`, objects.map(({ name }) => name),
      `is not one object for each of the routes ${routes.map(({ name }) => `"${name}"`).join(', ')}`,
      'Return one object for each route, in their order, or none when routes are no objects');
  }
}

function parseVersion(version: string): string {
  const match = /^v?(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?)$/.exec(version);
  if (!match) {
    throw invalidInput('kubernetesVersion', version, 'is not a version', 'Give major, minor and patch, e.g. "1.31.0"');
  }
  return match[1];
}

function parseAllowedCidrs(cidrs?: string[]): string[] | undefined {
  if (cidrs?.length === 0) {
    throw invalidInput('allowedCidrs', cidrs, 'is empty, which would let nobody in', 'Leave it out to allow everyone, or list networks');
  }
  return cidrs;
}
