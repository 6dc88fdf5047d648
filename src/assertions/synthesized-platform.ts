import { App, Chart } from 'cdk8s';
import { carriedManifests } from './carried-manifests';
import { Finding, FindingSeverity } from './finding';
import { synthesizedRoutes, SynthesizedRoute } from './routes';
import { stableManifests } from './stable-manifests';
import { SynthesizedUpstream, upstreamOf } from './upstream';
import { checkPlatform, objectOf } from '../findings/check';
import { apiHostOf, ControlPlane, konnectivityHostOf } from '../manifests/control-plane';
import { flagsOf } from '../manifests/flags';
import { Platform, readPlatform } from '../manifests/platform';
import { containerFlags, Proxy, workloadOf } from '../manifests/proxy';
import { Source, sourcesOf } from '../manifests/source';
import { includedTrees } from '../synthesis/included-trees';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { required, requiredList } from '../validation/required';

/**
 * What manifests say, for the assertions of your tests: routes, certificate names, flags, endpoints.
 *
 * It reads manifests alone, not the constructs that made them, so a test proves what is applied, also after patches. It reads them as
 * the doctor does, and `expect(platform.findings()).toEqual([])` runs the doctor's rules.
 * What is asked for and is not there is an error that lists what is.
 *
 * @example
 * const platform = SynthesizedPlatform.ofApp(app);
 * const findings = platform.findings();
 */
export class SynthesizedPlatform {
  /** Of charts, e.g. one for the management cluster and one for a tenant; they may be of different apps. */
  public static of(...charts: Chart[]): SynthesizedPlatform {
    return new SynthesizedPlatform(charts.flatMap(chart => chart.toJson()));
  }

  /** Of all charts of an app, with those of the tenants of its `TenantCharts`, whichever delivery they have. */
  public static ofApp(app: App): SynthesizedPlatform {
    const charts = requiredList('app.charts', required('app', app, 'Give the App of cdk8s').charts, 'Give the App of cdk8s');
    const tenants = app.node.findAll().flatMap(includedTrees).filter((root): root is App => root instanceof App);
    return SynthesizedPlatform.of(...charts, ...tenants.flatMap(tenant => tenant.charts));
  }

  /** Of manifests of any origin, e.g. of `Yaml.load()` of cdk8s. */
  public static ofManifests(manifests: any[]): SynthesizedPlatform {
    return new SynthesizedPlatform(requiredList('manifests', manifests, 'Give a list, e.g. of Yaml.load() of cdk8s'));
  }

  private readonly sources: Source[];
  private readonly platform: Platform;
  private readonly allRoutes: SynthesizedRoute[];
  private carriedSources?: Source[];
  private withTenants?: Platform;

  private constructor(
    /** The manifests. */
    public readonly manifests: any[],
  ) {
    this.sources = manifests.flatMap(manifest => sourcesOf(manifest, '', 1));
    this.platform = readPlatform(this.sources);
    this.allRoutes = synthesizedRoutes(this.platform);
  }

  /**
   * What the doctor finds in the manifests: hosts, routes, Services, ports, SANs, flags, agents and DNS records that disagree. It is
   * what `doctor manifests` says of the same manifests; docs/doctor.md has the table of codes.
   *
   * Give the charts of the management cluster and of the tenants together. Manifests that ConfigMaps carry to tenants are looked at
   * too. Without a control plane there is nothing to compare, which is a finding of its own (HCP002).
   */
  public findings(): Finding[] {
    return checkPlatform(this.platformWithTenants()).map(({ code, severity, source, field, message, remedy }): Finding => ({
      code,
      severity: severity === 'error' ? FindingSeverity.ERROR : FindingSeverity.WARNING,
      object: objectOf(source),
      field,
      message,
      remedy,
    }));
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
    return [...this.controlPlane(controlPlane).sans?.value ?? []];
  }

  /**
   * Flags of the API server that the custom resource sets, without dashes, e.g. `endpoint-reconciler-type`.
   *
   * @param controlPlane name of the custom resource, or `namespace/name`
   * @throws when there is no such control plane, or more than one
   */
  public apiServerFlags(controlPlane: string): { [flag: string]: string } {
    const { advertiseAddress, apiServerArgs } = this.controlPlane(controlPlane);
    return { ...advertiseAddress && { 'advertise-address': advertiseAddress.value }, ...flagsOf(apiServerArgs?.value ?? []) };
  }

  /**
   * Arguments of the konnectivity agent that the custom resource sets; empty where it has a field for the host instead, as
   * with k0smotron and HyperShift.
   *
   * @param controlPlane name of the custom resource, or `namespace/name`
   * @throws when there is no such control plane, or more than one
   */
  public konnectivityAgentArgs(controlPlane: string): string[] {
    return [...this.controlPlane(controlPlane).konnectivity.agentArgs?.value ?? []];
  }

  /**
   * The host that the custom resource announces for the API server.
   *
   * @param controlPlane name of the custom resource, or `namespace/name`
   * @throws when there is no such control plane, or more than one
   */
  public apiHost(controlPlane: string): string | undefined {
    return apiHostOf(this.controlPlane(controlPlane));
  }

  /**
   * The host that konnectivity agents dial; undefined without konnectivity.
   *
   * @param controlPlane name of the custom resource, or `namespace/name`
   * @throws when there is no such control plane, or more than one
   */
  public konnectivityHost(controlPlane: string): string | undefined {
    return konnectivityHostOf(this.controlPlane(controlPlane));
  }

  /**
   * What the tcp-proxy connects to.
   *
   * @throws when there is no tcp-proxy or more than one: give the chart of one tenant alone then
   */
  public proxyUpstream(): SynthesizedUpstream {
    return upstreamOf(this.tcpProxy());
  }

  /**
   * Flags of the tcp-proxy's agent, without dashes, e.g. `endpoints` and `endpoint-port`; empty for a static pod.
   *
   * @throws when there is no tcp-proxy or more than one: give the chart of one tenant alone then
   */
  public proxyFlags(): { [flag: string]: string } {
    const workload = workloadOf(this.tcpProxy(), this.platformWithTenants());
    return workload ? containerFlags(workload) : {};
  }

  /**
   * The manifests for a snapshot: sorted, without checksums and the configuration of HAProxy, which change with the library although
   * nobody has changed anything. Objects that ConfigMaps carry to tenants are among them, in place of the texts.
   */
  public stableManifests(): any[] {
    return stableManifests(this.sources, this.carried());
  }

  private controlPlane(name: string): ControlPlane {
    return oneOf('controlPlane', name, 'the name of one control plane', this.platform.controlPlanes, ({ source }) => source);
  }

  private tcpProxy(): Proxy {
    const proxies = this.platformWithTenants().proxies.filter(({ haproxyConfig }) => haproxyConfig !== undefined);
    if (proxies.length !== 1) {
      const titles = proxies.map(({ source: { namespace, name } }) => `${namespace}/${name}`);
      throw invalidInput('charts', titles, 'are not the configuration of one tcp-proxy', titles.length === 0 ? 'Give the chart of one tenant, with a TcpProxyAddon'
        : 'Give the chart of one tenant alone, e.g. SynthesizedPlatform.of(tenants.of(controlPlane))');
    }
    return proxies[0];
  }

  /** With what the manifests carry to tenants. */
  private platformWithTenants(): Platform {
    const carried = this.carried();
    return this.withTenants ??= carried.length === 0 ? this.platform : readPlatform([...this.sources, ...carried]);
  }

  private carried(): Source[] {
    return this.carriedSources ??= carriedManifests(this.sources);
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
