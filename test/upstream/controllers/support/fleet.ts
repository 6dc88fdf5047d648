import { mkdtempSync } from 'fs';
import { App, Chart, Yaml } from 'cdk8s';
import { ask, ClientOptions, Outcome, Stream } from './client';
import { addAddresses, backendAddress, EDGE } from './network';
import { DOMAIN, hostsOf, NAMESPACE_LABELS, NAMESPACES, TenantRoute, TenantServers, TenantSpec } from './tenants';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, KubernetesServiceEndpoints, KubernetesServicePath,
} from '../../../../src';
import { eventually } from '../../../data-path/support/eventually';
import { Cluster } from '../../../e2e/support/cluster';

/** A controller, and how the tests run it. */
export interface ControllerCase {
  /** As its makers write it. */
  readonly system: string;
  readonly version: string;
  /** What is particular about its configuration, for names. @default - nothing */
  readonly how?: string;
  /** The other programs of the run with their versions, beside kube-apiserver. */
  readonly with?: string[];
  /** Files with the definitions of its custom resources. */
  readonly definitions: string[];
  /** Whether a server name that is not written in lower case is another to it. @default false */
  readonly comparesCase?: boolean;
  /** Whether `allowedCidrs` hold. */
  readonly filtersSources: boolean;
  /** Whether it leads the ports of PORT_RANGE to one tenant each. @default false */
  readonly servesPorts?: boolean;
  /** The public port of konnectivity. @default - that of the API server */
  readonly konnectivityPort?: number;
  /** Common name of the certificate that strangers are shown, of the controller's own. @default - none: the connection ends */
  readonly shownToStrangers?: string;
  /** What of this library writes its manifests. */
  controller(chart: Chart): IngressController;
  /** Runs it with the values that the library has for its chart; resolves when it takes connections. */
  start(cluster: Cluster, controller: IngressController): Promise<void>;
  /** Where it listens for a public port in these tests. @default - there */
  listensAt?(publicPort: number): number;
}

/** How long a controller may take to do what an object says. */
export const CONVERGENCE_MS = 60_000;

/** Tenants behind a controller: what the library writes for them, applied to a real API server, and the servers that play the control planes. */
export class Fleet {
  public static async start(controllerCase: ControllerCase): Promise<Fleet> {
    addAddresses(10);
    const cluster = await Cluster.start({ behindIngress: false });
    if (controllerCase.definitions.length > 0) {
      await cluster.apply(controllerCase.definitions.flatMap(file => Yaml.load(file)).filter(Boolean), '--server-side');
      await cluster.kubectl(['wait', '--for=condition=Established', 'customresourcedefinitions', '--all', '--timeout=60s']);
    }
    await cluster.apply(NAMESPACES.map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: NAMESPACE_LABELS } })));
    return new Fleet(controllerCase, cluster);
  }

  private readonly servers = new Map<string, TenantServers>();
  private applied: any[] = [];
  private addresses = 0;
  private current: TenantRoute[] = [];
  private currentController?: IngressController;

  private constructor(private readonly controllerCase: ControllerCase, public readonly cluster: Cluster) {}

  public get routes(): readonly TenantRoute[] {
    return this.current;
  }

  /** What wrote the manifests. */
  public get controller(): IngressController {
    return this.currentController!;
  }

  public routesOf({ namespace, name }: TenantSpec): TenantRoute[] {
    return this.current.filter(({ tenant }) => tenant.namespace === namespace && tenant.name === name);
  }

  /** Makes these the tenants: applies what the library writes for them, and deletes what it does not write any more. */
  public async put(tenants: TenantSpec[]): Promise<IngressController> {
    const { controller, objects, routes } = this.synthesize(tenants);
    this.current = routes;
    this.currentController = controller;
    for (const tenant of tenants) {
      if (!this.servers.has(tenant.host)) await this.serve(tenant);
    }
    await this.cluster.apply(objects);
    const kept = new Set(objects.map(keyOf));
    for (const { kind, apiVersion, metadata } of this.applied.filter(object => !kept.has(keyOf(object)))) {
      const [group] = apiVersion.split('/');
      await this.cluster.kubectl(['delete', `${kind}.${group}`, metadata.name, '--namespace', metadata.namespace]);
    }
    this.applied = objects;
    return controller;
  }

  /** Starts servers for a tenant at another address than before, and points its Services there. The old ones go on. */
  public async serve(tenant: TenantSpec): Promise<void> {
    const servers = await TenantServers.start(this.routesOf(tenant), backendAddress(++this.addresses), this.servers.get(tenant.host)?.ca);
    this.servers.set(tenant.host, servers);
    await this.cluster.apply(servers.objects());
  }

  /** How a client of the tenant connects to a route, from a network that is allowed to. */
  public clientOf(route: TenantRoute): ClientOptions {
    const { ca, client } = this.serversOf(route);
    return { ...this.strangerTo(route), servername: route.hostname, ca: ca.certificate, certificate: client, source: route.tenant.sources?.v4 };
  }

  /** How anybody connects to where a route is. */
  public strangerTo({ port }: { readonly port: number }): ClientOptions {
    return { host: EDGE.v4, port: this.controllerCase.listensAt?.(port) ?? port };
  }

  /** What the backend of a route answers. */
  public answerOf(route: TenantRoute): { readonly backend: string; readonly client: string } {
    const { namespace, name } = route.tenant;
    return { backend: this.serversOf(route).nameOf(route), client: `admin of ${namespace}/${name}` };
  }

  public ask(route: TenantRoute, options: Partial<ClientOptions> = {}): Promise<Outcome> {
    return ask({ ...this.clientOf(route), ...options });
  }

  public open(route: TenantRoute): Promise<Stream> {
    return Stream.open(this.clientOf(route));
  }

  /** Waits until the backend of the route answers. */
  public async reaches(route: TenantRoute): Promise<void> {
    await eventually(async () => {
      expect(await this.ask(route)).toMatchObject({ answer: this.answerOf(route) });
      return true;
    }, CONVERGENCE_MS);
  }

  /** Waits until a host leads nowhere. */
  public async refuses(route: TenantRoute, options: Partial<ClientOptions> = {}): Promise<void> {
    await eventually(async () => (await this.ask(route, { ca: undefined, ...options })).answer === undefined, CONVERGENCE_MS);
  }

  /** @param filtersSources whether to have the `allowedCidrs` of the tenants */
  public synthesize(
    tenants: TenantSpec[], filtersSources = this.controllerCase.filtersSources,
  ): { controller: IngressController; objects: any[]; routes: TenantRoute[] } {
    const { konnectivityPort, servesPorts } = this.controllerCase;
    const app = new App({ outdir: mkdtempSync(this.cluster.file('manifests-')) });
    const chart = new Chart(app, 'management');
    const controller = this.controllerCase.controller(chart);
    const routes = tenants.flatMap(tenant => {
      const { namespace, name, allowedCidrs, tlsServices, ownPort } = tenant;
      const { api, konnectivity } = hostsOf(tenant);
      const controlPlane = new IngressExposedControlPlane(chart, `${namespace}-${name}-of-${tenant.host.replace('.', '-')}`, {
        name,
        namespace,
        kubernetesVersion: '1.32.0',
        domain: DOMAIN,
        hostname: api,
        konnectivity: { hostname: konnectivity, port: konnectivityPort },
        tlsServices,
        platform: ControlPlanePlatform.kamaji(),
        controller,
        ownRoutes: true,
        kubernetesService: servesPorts && ownPort !== undefined
          ? KubernetesServicePath.port({ addresses: [EDGE.v4], port: ownPort })
          : KubernetesServicePath.none({ reason: 'no cluster is behind it' }),
        allowedCidrs: filtersSources ? allowedCidrs : undefined,
      });
      if (controlPlane.exposure.portRoute) {
        new KubernetesServiceEndpoints(new Chart(app, `${namespace}-${name}`), 'kubernetes', { controlPlane });
      }
      return controlPlane.routes.map(route => ({ ...route, tenant }));
    });
    app.synth();
    return { controller, routes, objects: chart.toJson().filter(({ kind }: any) => kind !== 'TenantControlPlane') };
  }

  private serversOf({ tenant }: TenantRoute): TenantServers {
    return this.servers.get(tenant.host)!;
  }
}

function keyOf({ apiVersion, kind, metadata }: any): string {
  return [apiVersion, kind, metadata.namespace, metadata.name].join(' ');
}
