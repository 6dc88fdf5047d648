import { isApiFoundByPort, isKonnectivityFoundByPort } from './by-port';
import { ControlPlane, mayBeAt, Server, serversOf } from './control-plane';
import { Host } from './host';
import { KeysOf, lookUp } from './lookup';
import { Platform } from './platform';
import { Route } from './route';

/** Where clients find a server by its host. */
export interface Place {
  /** What they are told; undefined where the manifests do not say. */
  readonly port?: number;
  /** What leads them there: a port of a gateway, or the entries of routes. */
  readonly entries: string[];
}

export function apiPlace(controlPlane: ControlPlane, platform: Platform): Place {
  const { api, publicPort } = controlPlane;
  const byPort = isApiFoundByPort(controlPlane, platform);
  return { port: publicPort?.value, entries: byPort ? [`port ${publicPort!.value}`] : entriesOf(api, controlPlane, serversOf(controlPlane)[0], platform) };
}

export function konnectivityPlace(controlPlane: ControlPlane, platform: Platform): Place {
  const { konnectivity: { host, port } } = controlPlane;
  const byPort = isKonnectivityFoundByPort(controlPlane, platform);
  return { port: port?.value, entries: byPort ? [`port ${port!.value}`] : entriesOf(host, controlPlane, serversOf(controlPlane)[1], platform) };
}

/** Whether no client that looks for one finds the other, though both have one host. */
export function areApart(a: Place, b: Place): boolean {
  return a.port !== b.port && areElsewhere(a, b);
}

/** Whether nothing leads to both, whatever clients are told. */
export function areElsewhere({ entries: a }: Place, { entries: b }: Place): boolean {
  return a.length > 0 && b.length > 0 && !a.some(entry => b.includes(entry));
}

function entriesOf(host: Host | undefined, { source, service }: ControlPlane, server: Server, platform: Platform): string[] {
  if (host === undefined) return [];
  return lookUp(platform.routes, byHost, host.host)
    .filter(route => route.backend === undefined || service === undefined ? route.source === source : leadsTo(route.backend, server))
    .map(({ entry }) => entry);
}

function leadsTo({ namespace, service, port }: NonNullable<Route['backend']>, server: Server): boolean {
  return namespace === server.namespace && server.services.includes(service) && (typeof port?.value !== 'number' || mayBeAt(server, port.value));
}

const byHost: KeysOf<Route> = ({ host }) => (host ? [host.host] : []);
