import { BlockList, isIP } from 'net';
import { Fault, nameOf, Rule } from './rule';
import { endpointsAtEdge } from '../../manifests/by-address';
import { ControlPlane } from '../../manifests/control-plane';
import { needsProxy, RECONCILER_FLAG as FLAG } from '../../manifests/endpoint-owner';
import { Field, pick, pickRecord, pickText, pickTexts } from '../../manifests/fields';
import { flagValues } from '../../manifests/flags';
import { Platform, proxiesOf } from '../../manifests/platform';
import { Source } from '../../manifests/source';
import { KAMAJI_ADDON_DOMAIN } from '../../manifests/tenant-control-plane-facts';

export const reconcilerOn: Rule = {
  code: 'HCP601',
  severity: 'error',
  title: 'a tcp-proxy and the API server both write default/kubernetes',
  check: platform => platform.controlPlanes.flatMap(controlPlane => {
    const { source, apiServerArgs, operatorOwnsEndpoints, advertiseAddress } = controlPlane;
    const owner = ownerInTenant(controlPlane, platform);
    if (owner === undefined || operatorOwnsEndpoints || apiServerArgs === undefined) return [];
    const values = flagValues(apiServerArgs.value, FLAG);
    if (values.includes('none')) return [];
    // One that sends pods to the API server's own advertise address leaves the endpoints to the API server.
    if (values.length === 0 && advertiseAddress !== undefined) return [];
    return [{
      source,
      field: apiServerArgs.path,
      message: `has no ${FLAG}=none, but ${owner} takes the endpoints of default/kubernetes over, so both write them in turn (kubermatic/kubermatic#9047)`,
      remedy: `Add ${FLAG}=none`,
    }];
  }),
};

export const reconcilerOff: Rule = {
  code: 'HCP602',
  severity: 'warning',
  title: 'nobody writes default/kubernetes',
  check: platform => platform.controlPlanes.flatMap(controlPlane => {
    const { source, apiServerArgs } = controlPlane;
    if (!needsProxy(controlPlane) || ownerInTenant(controlPlane, platform) !== undefined) return [];
    // The upstream of such a proxy does not tell whose it is.
    if (platform.proxies.some(({ mode }) => mode !== 'sni')) return [];
    return [{
      source,
      field: apiServerArgs?.path,
      message: `has ${controlPlane.operatorOwnsEndpoints ? 'none, as its own one is taken out' : `${FLAG}=none`}, but these manifests hold no tcp-proxy for it, so pods find no API server at kubernetes.default.svc`,
      remedy: 'Check the manifests of the tenant together with these, or take the flag away',
    }];
  }),
};

export const reconcilerTwice: Rule = {
  code: 'HCP603',
  severity: 'error',
  title: 'the endpoint reconciler has two values',
  check: platform => platform.controlPlanes.flatMap(({ source, apiServerArgs }) => {
    const values = [...new Set(flagValues(apiServerArgs?.value ?? [], FLAG))];
    return values.length < 2 ? [] : [{
      source,
      field: apiServerArgs?.path,
      message: `has ${values.map(value => `${FLAG}=${value}`).join(' and ')}, and the last one counts`,
      remedy: 'Leave one of them',
    }];
  }),
};

export const unreachableEndpoint: Rule = {
  code: 'HCP604',
  severity: 'error',
  title: 'default/kubernetes has an address that no node can reach',
  check: platform => [
    ...platform.kubernetesEndpoints.flatMap(({ source, addresses }) => addresses.flatMap(address => fault(source, address, serviceCidrs(platform)))),
    ...platform.controlPlanes.flatMap(({ source, advertiseAddress }) =>
      advertiseAddress === undefined ? [] : fault(source, advertiseAddress, ownServiceCidrs(source))),
  ],
};

export const serviceWithoutNotReady: Rule = {
  code: 'HCP605',
  severity: 'error',
  title: 'the kubernetes Service forgets proxies on nodes that are not ready',
  check: platform => platform.sources
    .filter(({ kind, namespace, name, object }) => kind === 'Service' && namespace === 'default' && name === 'kubernetes' && pick(object, 'spec.selector') !== undefined)
    .filter(({ object }) => pick(object, 'spec.publishNotReadyAddresses') !== true)
    .map(source => ({
      source,
      field: 'spec.publishNotReadyAddresses',
      message: 'is not true: on a node that is not ready the network plugin finds no API server, and so the node never becomes ready (k0sproject/k0smotron#1492)',
      remedy: 'Set it to true',
    })),
};

/** What writes the endpoints in the tenant. */
function ownerInTenant(controlPlane: ControlPlane, platform: Platform): string | undefined {
  const [proxy] = proxiesOf(controlPlane, platform);
  if (proxy) return nameOf(proxy.source);
  const [endpoints] = endpointsAtEdge(controlPlane, platform);
  if (endpoints) return nameOf(endpoints.source);
  return KAMAJI_ADDON_DOMAIN in pickRecord(controlPlane.source.object, 'metadata.annotations') ? "Kamaji's ingress addon" : undefined;
}

function fault(source: Source, { value, path }: Field<string>, cidrs: string[]): Fault[] {
  const reason = reasonAgainst(value, cidrs);
  return reason === undefined ? [] : [{
    source,
    field: path,
    message: `${value} ${reason}`,
    remedy: 'Use addresses of nodes, or one that every node has on a device of its own',
  }];
}

function reasonAgainst(address: string, cidrs: string[]): string | undefined {
  const family = isIP(address);
  if (family === 0) return 'is no IP address; kube-proxy ignores names';
  if (inNetwork(address, family === 4 ? '127.0.0.0/8' : '::1/128')) return 'is a loopback address, which the API refuses as an endpoint';
  if (inNetwork(address, family === 4 ? '169.254.0.0/16' : 'fe80::/10')) return 'is a link-local address, which the API refuses as an endpoint';
  const cidr = cidrs.find(network => inNetwork(address, network));
  return cidr && `is in the Service network ${cidr}, and kube-proxy does not forward from one ClusterIP to another`;
}

function inNetwork(address: string, cidr: string): boolean {
  const [network, prefix] = cidr.split('/');
  if (isIP(network) === 0 || isIP(network) !== isIP(address) || !/^\d{1,3}$/.test(prefix ?? '') || Number(prefix) > (isIP(network) === 4 ? 32 : 128)) return false;
  const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), family);
  return list.check(address, family);
}

function serviceCidrs({ controlPlanes }: Platform): string[] {
  return controlPlanes.flatMap(({ source }) => ownServiceCidrs(source));
}

function ownServiceCidrs({ object }: Source): string[] {
  return [
    ...['spec.networkProfile.serviceCidr', 'spec.k0sConfig.spec.network.serviceCIDR'].flatMap(path => pickText(object, path) ?? []),
    ...pickTexts(object, 'spec.networkProfile.serviceCidrs'),
  ];
}
