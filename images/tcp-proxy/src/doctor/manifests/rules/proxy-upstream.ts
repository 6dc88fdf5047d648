import { isIP } from 'net';
import { nameOf, Rule } from './rule';
import { pickTexts } from '../fields';

export const unknownUpstream: Rule = {
  code: 'HCP611',
  severity: 'error',
  title: 'a tcp-proxy asks for a host that no control plane has',
  check: platform => platform.proxies.filter(({ mode, upstream }) => mode === 'sni' && isIP(upstream.host) === 0).flatMap(({ source, upstream }) => {
    const hosts = platform.controlPlanes.flatMap(({ api }) => (api ? [api.host] : []));
    return hosts.length === 0 || hosts.includes(upstream.host) ? [] : [{
      source,
      field: upstream.path,
      message: `sends pods to ${upstream.host}, but the control planes of these manifests have ${hosts.slice(0, 5).join(', ')}${hosts.length > 5 ? ', …' : ''}`,
      remedy: 'Write the API host of its control plane, e.g. after that has changed',
    }];
  }),
};

export const hostPortTwice: Rule = {
  code: 'HCP612',
  severity: 'error',
  title: "steward-tcp-proxy's upstream has two ports",
  check: platform => platform.proxies.filter(({ upstream }) => /:\d+:\d+$/.test(upstream.value) && isIP(upstream.value) === 0).map(({ source, upstream }) => ({
    source,
    field: upstream.path,
    message: `dials ${upstream.value}`,
    remedy: 'Write ingress.hostname of the TenantControlPlane without a port',
  })),
};

export const unknownClusterId: Rule = {
  code: 'HCP613',
  severity: 'error',
  title: 'no shared gateway knows the cluster ID of a tcp-proxy',
  check: platform => platform.proxies.filter(({ clusterId }) => clusterId !== undefined).flatMap(({ source, clusterId, upstream }) => {
    if (platform.clusterIds.length === 0 || platform.clusterIds.some(route => route.clusterId === clusterId)) return [];
    return [{
      source,
      field: upstream.path,
      message: `sends cluster ID ${clusterId}, which is in no cluster-ids.map of these manifests (compared byte for byte)`,
      remedy: 'Register the tenant with the gateway, or correct the ID',
    }];
  }),
};

export const tlvType: Rule = {
  code: 'HCP614',
  severity: 'error',
  title: 'a tcp-proxy and the shared gateway use different TLV types',
  check: platform => platform.proxies.flatMap(({ source, clusterId, tlvType: sent, upstream }) => platform.clusterIds
    .filter(route => route.clusterId === clusterId)
    .flatMap(route => {
      const read = platform.tlvTypes.get(route.gateway);
      return sent === undefined || read === undefined || read === sent ? [] : [{
        source,
        field: upstream.path,
        message: `sends the cluster ID in TLV 0x${sent.toString(16)}, but gateway ${route.gateway} reads 0x${read.toString(16)}`,
        remedy: 'Use one type on both sides',
      }];
    })),
};

export const clusterIdTwice: Rule = {
  code: 'HCP615',
  severity: 'error',
  title: 'two tenants have the same cluster ID',
  check: platform => platform.clusterIds.flatMap((route, i) => {
    const other = platform.clusterIds.slice(0, i).find(({ gateway, clusterId }) => gateway === route.gateway && clusterId === route.clusterId);
    return other === undefined ? [] : [{
      source: route.source,
      field: 'data["cluster-ids.map"]',
      message: `${route.clusterId} leads to ${route.namespace}/${route.service} and, in ${nameOf(other.source)}, to ${other.namespace}/${other.service}`,
      remedy: 'Give each tenant an ID of its own',
    }];
  }),
};

export const insecureUpstream: Rule = {
  code: 'HCP616',
  severity: 'error',
  title: "a tcp-proxy does not verify the API server's certificate",
  check: platform => [
    ...platform.proxies.filter(({ insecure }) => insecure).map(({ source, upstream }) => ({
      source,
      field: upstream.path,
      message: 'accepts any certificate: whoever is on the way can pose as the API server and collect bearer tokens',
      remedy: "Verify with the tenant's CA: verify required, ca-file and verifyhost",
    })),
    ...platform.controlPlanes.filter(({ source }) => pickTexts(source.object, 'spec.addons.tcpProxy.extraArgs').some(arg => arg.startsWith('--upstream-insecure')))
      .map(({ source }) => ({
        source,
        field: 'spec.addons.tcpProxy.extraArgs',
        message: 'has --upstream-insecure, so anyone on the way can collect bearer tokens',
        remedy: 'Take it away',
      })),
  ],
};
