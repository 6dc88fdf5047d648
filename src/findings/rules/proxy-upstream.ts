import { isIP } from 'net';
import { nameOf, Rule, someOf } from './rule';
import { pick } from '../../manifests/fields';
import { KeysOf, lookUp } from '../../manifests/lookup';
import { ClusterIdRoute } from '../../manifests/read-shared-gateway';

export const unknownUpstream: Rule = {
  code: 'HCP611',
  severity: 'error',
  title: 'a tcp-proxy asks for a host that no control plane has',
  check: platform => {
    const hosts = new Set(platform.controlPlanes.flatMap(({ api }) => (api ? [api.host] : [])));
    const proxies = platform.proxies.filter(({ mode, upstream }) => mode === 'sni' && isIP(upstream.host) === 0 && !hosts.has(upstream.host));
    return hosts.size === 0 ? [] : proxies.map(({ source, upstream }) => ({
      source,
      field: upstream.path,
      message: `sends pods to ${upstream.host}, but the control planes of these manifests have ${someOf([...hosts])}`,
      remedy: 'Write the API host of its control plane, e.g. after that has changed',
    }));
  },
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
  check: platform => platform.proxies.flatMap(({ source, clusterId, upstream }) => {
    if (clusterId === undefined || platform.clusterIds.length === 0 || lookUp(platform.clusterIds, byClusterId, clusterId).length > 0) return [];
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
  check: platform => platform.proxies.flatMap(({ source, clusterId, tlvType: sent, upstream }) => lookUp(platform.clusterIds, byClusterId, clusterId ?? '')
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
  check: platform => platform.clusterIds.flatMap(route => {
    const other = lookUp(platform.clusterIds, byClusterId, route.clusterId).find(({ gateway }) => gateway === route.gateway)!;
    return other === route ? [] : [{
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
  check: platform => platform.proxies.filter(({ insecure }) => insecure).map(({ source, upstream }) => ({
    source,
    field: upstream.path,
    message: 'accepts any certificate: whoever is on the way can pose as the API server and collect bearer tokens',
    remedy: "Verify with the tenant's CA: verify required, ca-file and verifyhost",
  })),
};

export const stewardProxy: Rule = {
  code: 'HCP617',
  severity: 'warning',
  title: "Steward's own tcp-proxy verifies nothing and has the API server's key",
  check: platform => platform.controlPlanes
    .filter(({ source, system, exposure }) => system === 'Steward' && exposure !== 'none' && pick(source.object, 'spec.addons.tcpProxy') !== undefined)
    .map(({ source }) => ({
      source,
      field: 'spec.addons.tcpProxy',
      message: "runs steward-tcp-proxy with --upstream-insecure=true and a copy of the API server's private key in the tenant, and reads a certificate once",
      remedy: 'Leave it out, deploy the tcp-proxy of this project, and set --endpoint-reconciler-type=none',
    })),
};

const byClusterId: KeysOf<ClusterIdRoute> = ({ clusterId }) => [clusterId];
