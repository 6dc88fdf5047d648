import { App, Chart } from 'cdk8s';
import { ControlPlaneResource, readControlPlanes } from './control-plane-resource';
import { readRoutes, SynthesizedRoute } from './routes';
import { readTcpProxies, SynthesizedUpstream, TcpProxyResource } from './tcp-proxy-resource';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { required, requiredList } from '../validation/required';

/**
 * What manifests say, for the assertions of your tests: routes, certificate names, flags, endpoints.
 *
 * It reads manifests alone, not the constructs that made them, so a test proves what is applied, also after patches.
 * What is asked for and is not there is an error that lists what is.
 */
export class SynthesizedPlatform {
  /** Of charts, e.g. one for the management cluster and one for a tenant; they may be of different apps. */
  public static of(...charts: Chart[]): SynthesizedPlatform {
    return new SynthesizedPlatform(charts.flatMap(chart => chart.toJson()));
  }

  /** Of all charts of an app. Those of `TenantCharts` are in apps of their own: give them to `of()`. */
  public static ofApp(app: App): SynthesizedPlatform {
    return SynthesizedPlatform.of(...requiredList('app.charts', required('app', app, 'Give the App of cdk8s').charts, 'Give the App of cdk8s'));
  }

  /** Of manifests of any origin, e.g. of `Yaml.load()` of cdk8s. */
  public static ofManifests(manifests: any[]): SynthesizedPlatform {
    return new SynthesizedPlatform(requiredList('manifests', manifests, 'Give a list, e.g. of Yaml.load() of cdk8s'));
  }

  private readonly controlPlanes: ControlPlaneResource[];
  private readonly tcpProxies: TcpProxyResource[];
  private readonly allRoutes: SynthesizedRoute[];

  private constructor(
    /** The manifests. */
    public readonly manifests: any[],
  ) {
    this.controlPlanes = readControlPlanes(manifests);
    this.tcpProxies = readTcpProxies(manifests);
    this.allRoutes = readRoutes(manifests, this.controlPlanes);
  }

  /**
   * The one object of a kind and name, e.g. for what has no method here.
   *
   * @param name its name, or `namespace/name`
   * @throws when there is none or more than one
   */
  public object(kind: string, name: string): any {
    const objects = this.manifests.filter(manifest => manifest.kind === kind);
    return oneOf('name', name, `the name of one ${kind}`, objects, ({ metadata }) => metadata);
  }

  /** Every route, by host; also those that the platform's operator makes because its custom resource asks for them. */
  public routes(): SynthesizedRoute[] {
    return [...this.allRoutes];
  }

  /** The routes for an SNI host; a host may have one on each port. */
  public routesTo(hostname: string): SynthesizedRoute[] {
    return this.allRoutes.filter(route => route.hostname === hostname);
  }

  /**
   * The one route for an SNI host.
   *
   * @throws when there is none or more than one
   */
  public routeTo(hostname: string): SynthesizedRoute {
    const routes = this.routesTo(hostname);
    if (routes.length !== 1) {
      const hosts = [...new Set(this.allRoutes.map(route => route.hostname))];
      throw invalidInput('hostname', hostname, `has ${routes.length} routes; there are routes for ${listed(hosts)}`,
        routes.length === 0 ? 'Ask for one of these hosts' : 'Use routesTo(), or make one route for it');
    }
    return routes[0];
  }

  /**
   * Names and addresses that the API server's certificate is to carry; empty where the operator alone knows, as with
   * HyperShift.
   *
   * @param controlPlane name of the custom resource, or `namespace/name`
   * @throws when there is no such control plane, or more than one
   */
  public certSans(controlPlane: string): string[] {
    return this.controlPlane(controlPlane).certSans;
  }

  /**
   * Flags of the API server that the custom resource sets, without dashes, e.g. `endpoint-reconciler-type`.
   *
   * @param controlPlane name of the custom resource, or `namespace/name`
   * @throws when there is no such control plane, or more than one
   */
  public apiServerFlags(controlPlane: string): { [flag: string]: string } {
    return this.controlPlane(controlPlane).apiServerFlags;
  }

  /**
   * Arguments of the konnectivity agent that the custom resource sets; empty where it has a field for the host instead, as
   * with k0smotron and HyperShift.
   *
   * @param controlPlane name of the custom resource, or `namespace/name`
   * @throws when there is no such control plane, or more than one
   */
  public konnectivityAgentArgs(controlPlane: string): string[] {
    return this.controlPlane(controlPlane).konnectivityAgentArgs;
  }

  /**
   * The host that the custom resource announces for the API server.
   *
   * @param controlPlane name of the custom resource, or `namespace/name`
   * @throws when there is no such control plane, or more than one
   */
  public apiHost(controlPlane: string): string | undefined {
    return this.controlPlane(controlPlane).apiHost;
  }

  /**
   * The host that konnectivity agents dial; undefined without konnectivity.
   *
   * @param controlPlane name of the custom resource, or `namespace/name`
   * @throws when there is no such control plane, or more than one
   */
  public konnectivityHost(controlPlane: string): string | undefined {
    return this.controlPlane(controlPlane).konnectivityHost;
  }

  /**
   * What the tcp-proxy connects to.
   *
   * @throws when there is no tcp-proxy or more than one: give the chart of one tenant then
   */
  public proxyUpstream(): SynthesizedUpstream {
    return this.tcpProxy().upstream;
  }

  /**
   * Flags of the tcp-proxy's agent, without dashes, e.g. `endpoints` and `endpoint-port`; empty for a static pod.
   *
   * @throws when there is no tcp-proxy or more than one: give the chart of one tenant then
   */
  public proxyFlags(): { [flag: string]: string } {
    return this.tcpProxy().flags;
  }

  private controlPlane(name: string): ControlPlaneResource {
    return oneOf('controlPlane', name, 'the name of one control plane', this.controlPlanes, controlPlane => controlPlane);
  }

  private tcpProxy(): TcpProxyResource {
    if (this.tcpProxies.length !== 1) {
      const titles = this.tcpProxies.map(({ title }) => title);
      throw invalidInput('charts', titles, 'are not the configuration of one tcp-proxy', 'Give the chart of one tenant, with a TcpProxyAddon');
    }
    return this.tcpProxies[0];
  }
}

nameFactories(SynthesizedPlatform);

/** The one item with a name, or `namespace/name`. */
function oneOf<T>(field: string, name: string, what: string, items: T[], nameOf: (item: T) => { namespace?: string; name: string }): T {
  const title = (item: T) => [nameOf(item).namespace, nameOf(item).name].filter(part => part !== undefined).join('/');
  const found = items.filter(item => nameOf(item).name === name || title(item) === name);
  if (found.length !== 1) {
    throw invalidInput(field, name, `is not ${what}; there are ${listed(items.map(title))}`,
      items.length === 0 ? 'Give charts that make one' : found.length === 0 ? 'Give one of these' : 'Give it as "namespace/name"');
  }
  return found[0];
}

function listed(names: string[]): string {
  return names.length === 0 ? 'none' : names.map(name => `"${name}"`).sort().join(', ');
}
