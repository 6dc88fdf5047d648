import { endpointsAtAddress } from './by-address';
import { endpointsAtPort } from './by-port';
import { ControlPlane } from './control-plane';
import { needsProxy } from './endpoint-owner';
import { pickText, pickTexts } from './fields';
import { KubernetesEndpoints } from './kubernetes-endpoints';
import { KeysOf, lookUp } from './lookup';
import { Platform, proxiesOf } from './platform';
import { Proxy } from './proxy';
import { TunnelRoute } from './read-shared-gateway';
import { groupAndKind, Source } from './source';

/** How pods of a tenant reach the API server at the Service `kubernetes`, as far as manifests say. */
export interface PodPath {
  /** `tunnel` is a tcp-proxy that puts TLS around the bytes; `operator`: a proxy that the operator brings; `api-server`: no edge at all. */
  readonly way: 'ipv6-address' | 'port' | 'tcp-proxy' | 'tunnel' | 'operator' | 'api-server';
  /** What `default/kubernetes` holds, as `address:port`, where that is at a shared edge. */
  readonly endpoints: string[];
  /** Undefined: not known. */
  readonly opensTls?: boolean;
  /** Who can be the API server towards pods. */
  readonly apiServers: string;
}

const API_SERVER_ALONE = 'the API server alone';
const KEY_IN_TENANT = 'the API server, and whoever has the serving key of the tcp-proxy in the tenant';

/** Undefined where nothing in the manifests leads pods there. */
export function podPathOf(controlPlane: ControlPlane, platform: Platform): PodPath | undefined {
  const [atAddress] = endpointsAtAddress(controlPlane, platform);
  if (atAddress) return closed('ipv6-address', atAddress);
  const [atPort] = endpointsAtPort(controlPlane, platform);
  if (atPort) return closed('port', atPort);
  const [proxy] = proxiesOf(controlPlane, platform);
  if (proxy) return throughProxy(proxy);
  if (hasTunnel(controlPlane, platform)) return { way: 'tunnel', endpoints: [], opensTls: false, apiServers: API_SERVER_ALONE };
  if (controlPlane.operatorProxy) return { way: 'operator', endpoints: [], apiServers: `the API server, and what has the key of ${controlPlane.operatorProxy.name}` };
  // Of its nodes each has a proxy, which passes the bytes on.
  if (controlPlane.system === 'HyperShift') return { way: 'operator', endpoints: [], opensTls: false, apiServers: API_SERVER_ALONE };
  return needsProxy(controlPlane) || controlPlane.apiServerArgs === undefined ? undefined : { way: 'api-server', endpoints: [], opensTls: false, apiServers: API_SERVER_ALONE };
}

/** The same in words. */
export function podPathText({ way, endpoints, opensTls, apiServers }: PodPath): string {
  const tls = opensTls === undefined ? 'whether TLS is opened is not known' : `TLS is ${opensTls ? 'opened' : 'not opened'}`;
  return `${WAYS[way]}${endpoints.length === 0 ? '' : ` (${endpoints.join(', ')})`}; ${tls}; towards pods ${apiServers} can be the API server`;
}

const WAYS: { readonly [way in PodPath['way']]: string } = {
  'ipv6-address': 'an IPv6 address of their own at the shared edge',
  'port': 'a port of their own at the shared address',
  'tcp-proxy': 'a tcp-proxy in the tenant',
  'tunnel': 'a tcp-proxy in the tenant, through a tunnel',
  'operator': 'the proxy of the operator',
  'api-server': 'the address that the API server publishes',
};

function closed(way: PodPath['way'], { addresses, ports }: KubernetesEndpoints): PodPath {
  const endpoints = addresses.flatMap(({ value }) => ports.map(({ value: port }) => (value.includes(':') ? `[${value}]:${port}` : `${value}:${port}`)));
  return { way, endpoints, opensTls: false, apiServers: API_SERVER_ALONE };
}

function throughProxy({ mode }: Proxy): PodPath {
  const opensTls = mode === 'sni';
  return { way: 'tcp-proxy', endpoints: [], opensTls, apiServers: opensTls ? KEY_IN_TENANT : API_SERVER_ALONE };
}

/** Whether a client certificate is made for the tenant in the tunnel: its proxy does not say whose it is. */
function hasTunnel({ service }: ControlPlane, platform: Platform): boolean {
  return service !== undefined && lookUp(platform.tunnelRoutes, byTarget, `${service.namespace}/${service.name}`)
    .some(({ commonName }) => lookUp(platform.sources, byClientName, commonName).length > 0);
}

const byTarget: KeysOf<TunnelRoute> = ({ namespace, service }) => [`${namespace}/${service}`];
const byClientName: KeysOf<Source> = source => (groupAndKind(source) === 'cert-manager.io Certificate' && pickTexts(source.object, 'spec.usages').includes('client auth')
  ? [pickText(source.object, 'spec.commonName') ?? ''] : []);
