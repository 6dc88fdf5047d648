import { isIP } from 'net';
import { Fault, nameOf, Rule } from './rule';
import { ControlPlane } from '../../manifests/control-plane';
import { pickText } from '../../manifests/fields';
import { KeysOf, lookUp } from '../../manifests/lookup';
import { destinationOf, Platform } from '../../manifests/platform';
import { sendsClusterId } from '../../manifests/read-hypershift';
import { AllowedSource, ClusterIdRoute, ListUse } from '../../manifests/read-shared-gateway';
import { HYPERSHIFT_TLV_TYPE } from '../../model/cluster-id';

export const foreignClusterId: Rule = {
  code: 'HCP620',
  severity: 'error',
  title: 'a cluster ID leads to another tenant',
  check: platform => [...secondIds(platform), ...idsOfOtherHosts(platform), ...idsOfHostedClusters(platform)],
};

/** One tenant has one ID; the second one is that of somebody else. */
function secondIds(platform: Platform): Fault[] {
  const first = new Map<string, ClusterIdRoute>();
  return platform.clusterIds.flatMap(route => {
    const key = `${route.gateway} ${route.namespace}/${route.service}`;
    const other = first.get(key);
    if (other === undefined) first.set(key, route);
    return other === undefined || other.clusterId === route.clusterId ? [] : [{
      source: route.source,
      field: route.path,
      message: `${route.clusterId} leads to Service ${route.namespace}/${route.service}, as ${other.clusterId} does: pods of one tenant reach the API server of the other`,
      remedy: 'Lead each cluster ID to the Service of its own tenant',
    }];
  });
}

/** A proxy dials the gateway at the API host of its tenant, where the gateway has no host of its own. */
function idsOfOtherHosts(platform: Platform): Fault[] {
  return platform.proxies.filter(({ clusterId }) => clusterId !== undefined).flatMap(({ source, clusterId, upstream }) => {
    const [mine] = lookUp(platform.controlPlanes, byApiHost, upstream.host);
    if (mine === undefined) return [];
    return lookUp(platform.clusterIds, byClusterId, clusterId!).filter(({ namespace, service }) => {
      const target = destinationOf({ backend: { namespace, service } }, platform);
      return target !== mine && mine.service !== undefined;
    }).map(route => ({
      source: route.source,
      field: route.path,
      message: `${clusterId} is sent by ${nameOf(source)} of ${nameOf(mine.source)}, but leads to Service ${route.namespace}/${route.service}`,
      remedy: `Lead it to Service ${mine.service!.namespace}/${mine.service!.name}`,
    }));
  });
}

function idsOfHostedClusters(platform: Platform): Fault[] {
  return platform.clusterIds.flatMap(({ source, clusterId, namespace, service, path }) => {
    const target = destinationOf({ backend: { namespace, service } }, platform);
    const own = target?.system === 'HyperShift' ? pickText(target.source.object, 'spec.clusterID') : undefined;
    return own === undefined || own === clusterId ? [] : [{
      source,
      field: path,
      message: `${clusterId} leads to ${nameOf(target!.source)}, whose nodes send ${own} (compared byte for byte)`,
      remedy: `Write ${own}`,
    }];
  });
}

export const hypershiftTlv: Rule = {
  code: 'HCP633',
  severity: 'error',
  title: 'a shared gateway does not read the TLV that HyperShift sends',
  check: platform => platform.clusterIds.flatMap(({ source, gateway, clusterId, namespace, service, path }) => {
    const read = platform.tlvTypes.get(gateway);
    const target = destinationOf({ backend: { namespace, service } }, platform);
    return target === undefined || !sendsClusterId(target.source) || read === undefined || read === HYPERSHIFT_TLV_TYPE ? [] : [{
      source,
      field: path,
      message: `nodes of HyperShift send ${clusterId} in TLV 0x${HYPERSHIFT_TLV_TYPE.toString(16)}, but gateway ${gateway} reads 0x${read.toString(16)}`,
      remedy: 'Set hypershiftCompatibility of the gateway',
    }];
  }),
};

export const allowedList: Rule = {
  code: 'HCP631',
  severity: 'error',
  title: 'a list of allowed networks is not that of the tenant',
  check: platform => [
    ...platform.allowedSources.filter(({ gateway, list }) => lookUp(platform.listUses, byGatewayAndList, `${gateway} ${list}`).length === 0)
      .map(({ source, list, path }) => ({
        source,
        field: path,
        message: `no target names the list ${list}, so what it allows is allowed to nobody`,
        remedy: 'Write namespace/name of the control plane, as its targets do',
      })),
    ...platform.listUses.flatMap(({ source, gateway, namespace, service, list, path }): Fault[] => {
      if (lookUp(platform.allowedSources, byGatewayAndList, `${gateway} ${list}`).length === 0) {
        return [{ source, field: path, message: `the list ${list} has no network in allowed.map, so nobody gets in`, remedy: 'Add networks, or take the list away from the target' }];
      }
      const target = destinationOf({ backend: { namespace, service } }, platform);
      const [owner] = lookUp(platform.controlPlanes, byName, list);
      return target === undefined || owner === undefined || owner === target ? [] : [{
        source,
        field: path,
        message: `the list ${list} is that of ${nameOf(owner.source)}, but the target is ${nameOf(target.source)}`,
        remedy: 'Name the list of its own control plane',
      }];
    }),
  ],
};

export const allowedNetwork: Rule = {
  code: 'HCP632',
  severity: 'error',
  title: 'a line of allowed networks is no network',
  check: platform => platform.allowedSources.filter(({ network }) => !isNetwork(network)).map(({ source, network, list, path }) => ({
    source,
    field: path,
    message: `"${network}" is no network, so nobody is let in by this line of ${list}`,
    remedy: 'Write an address and a prefix length, like 203.0.113.0/24',
  })),
};

function isNetwork(text: string): boolean {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const family = isIP(match?.[1] ?? '');
  return family !== 0 && Number(match![2]) <= (family === 4 ? 32 : 128);
}

const byApiHost: KeysOf<ControlPlane> = ({ api }) => (api ? [api.host] : []);
const byName: KeysOf<ControlPlane> = ({ source }) => [`${source.namespace}/${source.name}`];
const byClusterId: KeysOf<ClusterIdRoute> = ({ clusterId }) => [clusterId];
const byGatewayAndList: KeysOf<AllowedSource | ListUse> = ({ gateway, list }) => [`${gateway} ${list}`];
