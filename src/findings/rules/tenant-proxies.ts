import { isIP } from 'net';
import { nameOf, Rule } from './rule';
import { ControlPlane } from '../../manifests/control-plane';
import { needsProxy } from '../../manifests/endpoint-owner';
import { KeysOf, lookUp } from '../../manifests/lookup';
import { Platform, proxiesOf } from '../../manifests/platform';
import { Proxy } from '../../manifests/proxy';

export const twoProxies: Rule = {
  code: 'HCP606',
  severity: 'error',
  title: 'a tcp-proxy and the one of the operator both serve kubernetes.default.svc',
  check: platform => platform.controlPlanes.flatMap(controlPlane => {
    const { source, operatorProxy } = controlPlane;
    const [proxy] = ownProxies(controlPlane, platform);
    return operatorProxy === undefined || proxy === undefined ? [] : [{
      source,
      field: operatorProxy.path,
      message: `the operator runs ${operatorProxy.name} in the tenant, and ${nameOf(proxy.source)} is there too: both write the Service kubernetes or its endpoints in turn`,
      remedy: operatorProxy.remedy,
    }];
  }),
};

export const otherPort: Rule = {
  code: 'HCP618',
  severity: 'error',
  title: 'a tcp-proxy dials a port at which its control plane is not reached',
  check: platform => platform.proxies
    .filter(({ mode, upstream, source }) => mode === 'sni' && isIP(upstream.host) === 0 && !isOfOperator(source.name))
    .flatMap(({ source, upstream, upstreamPort }) => lookUp(platform.controlPlanes, byApiHost, upstream.host).flatMap(({ source: of, publicPort }) =>
      publicPort === undefined || publicPort.value === upstreamPort ? [] : [{
        source,
        field: upstream.path,
        message: `dials ${upstream.host}:${upstreamPort}, but ${nameOf(of)} says ${publicPort.value} in ${publicPort.path}`,
        remedy: `Write one port in both: that of the shared address, e.g. ${publicPort.value}`,
      }])),
};

export const otherTenant: Rule = {
  code: 'HCP619',
  severity: 'error',
  title: 'a tcp-proxy leads to the control plane of another tenant',
  check: platform => {
    const lonely = platform.controlPlanes.filter(controlPlane => needsProxy(controlPlane) && proxiesOf(controlPlane, platform).length === 0);
    const unassigned = platform.proxies.filter(({ mode }) => mode === 'direct').length;
    // The same manifests may be given twice; then every control plane has its proxy.
    if (lonely.length <= unassigned) return [];
    return platform.controlPlanes.flatMap(controlPlane => ownProxies(controlPlane, platform).slice(1).map(({ source, upstream }) => ({
      source,
      field: upstream.path,
      message: `leads to ${nameOf(controlPlane.source)}, as another one does, while ${nameOf(lonely[0].source)} has none: pods of one tenant would reach the API server of the other`,
      remedy: `Lead it to ${lonely[0].api?.host ?? 'the API host of its own tenant'}`,
    })));
  },
};

/** Proxies that no operator has made. */
function ownProxies(controlPlane: ControlPlane, platform: Platform): Proxy[] {
  return [...new Set(proxiesOf(controlPlane, platform))]
    .filter(({ haproxyConfig, source }) => haproxyConfig !== undefined && !isOfOperator(source.name));
}

function isOfOperator(name: string): boolean {
  return /^(k0smotron-haproxy|steward-tcp-proxy)/.test(name);
}

const byApiHost: KeysOf<ControlPlane> = ({ api }) => (api ? [api.host] : []);
