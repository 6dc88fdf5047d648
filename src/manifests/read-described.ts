import { ControlPlane, OwnPort, Server } from './control-plane';
import { DescribedRoute, Description, DESCRIPTION_ANNOTATION, DESCRIPTION_VERSION, PATH_TYPES, ResourcePaths } from './description';
import { Field, pick, pickList, pickNumber, pickRecord, pickText } from './fields';
import { Host, hostOf } from './host';
import { operatorRoute } from './operator-routes';
import { Source } from './source';
import { Unread } from './unread';
import { API_ROUTE, KONNECTIVITY_ROUTE } from '../model/exposure';

const ANNOTATION_PATH = `metadata.annotations["${DESCRIPTION_ANNOTATION}"]`;
const REMEDY = 'Write it anew with this library, or correct it by hand (docs/testing.md)';

/** Whether an object says of itself that it is a control plane. */
export function describesItself({ object }: Source): boolean {
  return Object.prototype.hasOwnProperty.call(pickRecord(object, 'metadata.annotations'), DESCRIPTION_ANNOTATION);
}

/** A control plane of any kind, by its description and the fields that this names; or why there is none to compare. */
export function readDescribed(source: Source): { readonly controlPlane?: ControlPlane; readonly unread: Unread[] } {
  const description = parse(pickRecord(source.object, 'metadata.annotations')[DESCRIPTION_ANNOTATION]);
  if (typeof description === 'string') return { unread: [{ source, field: ANNOTATION_PATH, reason: description, remedy: REMEDY }] };
  const unread = Object.entries(description.paths ?? {})
    // A platform has the path for its control planes without konnectivity, too.
    .filter(([key]) => key !== 'konnectivityHost' || description.routes.some(({ name }) => name === KONNECTIVITY_ROUTE))
    .flatMap(([key, path]) => faultOf(source, key, path));
  return { controlPlane: controlPlaneOf(source, description), unread };
}

/** The description, or what is wrong with it. */
function parse(text: unknown): Description | string {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    return 'is no JSON';
  }
  const version = pick(value, 'version');
  if (version !== DESCRIPTION_VERSION) return `has version ${JSON.stringify(version)}; what is known here is ${DESCRIPTION_VERSION}`;
  const routes = pickList(value, 'routes').map(routeOf);
  const broken = routes.indexOf(undefined);
  if (broken !== -1) return `has routes[${broken}] without a name, a host, a port, or the namespace, name and port of a Service`;
  if (!routes.some(route => route!.name === API_ROUTE)) return `has no route ${API_ROUTE}`;
  const paths = pickRecord(value, 'paths');
  const unknown = Object.entries(paths).find(([key, path]) => !Object.keys(PATH_TYPES).includes(key) || typeof path !== 'string');
  if (unknown) return `has paths.${unknown[0]}, which is not known here or no text`;
  return {
    version,
    platform: pickText(value, 'platform') ?? 'the platform',
    routes: routes as DescribedRoute[],
    bringsTcpProxy: pick(value, 'bringsTcpProxy') === true,
    paths,
  };
}

function routeOf(value: unknown): DescribedRoute | undefined {
  const [name, host, namespace, service] = ['name', 'host', 'namespace', 'service'].map(key => pickText(value, key));
  const [port, servicePort] = ['port', 'servicePort'].map(key => pickNumber(value, key));
  if (!name || !host || !namespace || !service || port === undefined || servicePort === undefined) return undefined;
  const flag = (key: string) => pick(value, key) === true;
  return { name, host, port, namespace, service, servicePort, byOperator: flag('byOperator'), ownAddress: flag('ownAddress') };
}

/** Lists and texts may be left out, as may most fields; a control plane without its host is not the one that was described. */
function faultOf(source: Source, key: string, path: string): Unread[] {
  const type = PATH_TYPES[key as keyof ResourcePaths];
  const value = pick(source.object, path);
  const missing = value === undefined || value === null || value === '';
  if (missing ? type !== 'host' : isOf(type, value)) return [];
  const wanted = { host: 'a host', text: 'a text', texts: 'a list of texts', args: 'a list of texts, or a map' }[type];
  return [{
    source,
    field: path,
    reason: `is ${missing ? 'not there' : `not ${wanted}`}, and ${ANNOTATION_PATH} says that it is ${wanted} (${key})`,
    remedy: `Correct ${key} in the resource, or in resourcePaths of the platform`,
  }];
}

function isOf(type: 'host' | 'text' | 'texts' | 'args', value: unknown): boolean {
  if (type === 'host' || type === 'text') return typeof value === 'string';
  if (Array.isArray(value)) return value.every(item => typeof item === 'string');
  return type === 'args' && typeof value === 'object';
}

function controlPlaneOf(source: Source, { platform, routes, bringsTcpProxy, paths = {} }: Description): ControlPlane {
  const api = routes.find(({ name }) => name === API_ROUTE)!;
  const konnectivity = routes.find(({ name }) => name === KONNECTIVITY_ROUTE);
  const apiHost = hostAt(source, paths.apiHost, api);
  const konnectivityHost = konnectivity && hostAt(source, paths.konnectivityHost, konnectivity);
  return {
    source,
    system: platform,
    described: true,
    exposure: 'ingress',
    api: api.ownAddress ? undefined : apiHost,
    apiByPort: api.ownAddress ? ownPort(api, apiHost) : undefined,
    publicPort: { value: apiHost?.port ?? api.port, path: apiHost?.path ?? ANNOTATION_PATH },
    konnectivity: {
      enabled: konnectivity !== undefined,
      host: konnectivityHost,
      port: konnectivity && { value: konnectivityHost?.port ?? konnectivity.port, path: konnectivityHost?.path ?? ANNOTATION_PATH },
      agentArgs: paths.konnectivityAgentArgs === undefined ? undefined : argsAt(source, paths.konnectivityAgentArgs),
    },
    service: {
      namespace: api.namespace,
      name: api.service,
      apiPort: api.servicePort,
      konnectivityName: konnectivity?.service,
      konnectivityPort: konnectivity?.servicePort ?? api.servicePort,
    },
    furtherServers: routes.filter(route => route !== api && route !== konnectivity).map(serverOf),
    sans: paths.certSans === undefined ? undefined : argsAt(source, paths.certSans),
    apiServerArgs: paths.apiServerArgs === undefined ? undefined : argsAt(source, paths.apiServerArgs),
    advertiseAddress: textAt(source, paths.advertiseAddress),
    operatorOwnsEndpoints: false,
    operatorProxy: bringsTcpProxy ? { name: `the tcp-proxy of ${platform}`, path: ANNOTATION_PATH, remedy: 'Leave one of the two out' } : undefined,
    nodePorts: [],
    operatorRoutes: routes.filter(({ byOperator }) => byOperator).map(({ host, namespace, service, servicePort }) => operatorRoute(
      source, hostOf(host, ANNOTATION_PATH), `the routes of ${platform}'s operator`, { namespace, service, port: { value: servicePort, path: ANNOTATION_PATH } })),
  };
}

function ownPort({ port }: DescribedRoute, host: Host | undefined): OwnPort | undefined {
  return host && { host, port: host.port ?? port };
}

function serverOf({ name, host, namespace, service, servicePort }: DescribedRoute): Server {
  return { title: `server ${name}`, host: hostOf(host, ANNOTATION_PATH), namespace, services: [service], port: servicePort };
}

/** What the resource has at the path is what counts, though the routes say otherwise. */
function hostAt({ object }: Source, path: string | undefined, route: DescribedRoute): Host | undefined {
  if (path === undefined) return hostOf(route.host, ANNOTATION_PATH);
  const value = pickText(object, path);
  return value === undefined || value === '' ? undefined : hostOf(value, path);
}

function textAt({ object }: Source, path: string | undefined): Field<string> | undefined {
  const value = path === undefined ? undefined : pickText(object, path);
  return value === undefined || value === '' ? undefined : { value, path: path! };
}

function argsAt({ object }: Source, path: string): Field<string[]> {
  const value = pick(object, path);
  const args = Array.isArray(value) ? value.map(String) : Object.entries(pickRecord(object, path)).map(([flag, of]) => `--${flag}=${String(of)}`);
  return { value: args, path };
}
