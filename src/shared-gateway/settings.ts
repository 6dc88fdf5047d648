import type { k8s } from 'cdk8s-plus-30';
import { ExternalTrafficPolicy, SharedIngressGatewayProps } from './gateway-props';
import { GATEWAY_DEFAULTS } from '../agent/contract/commands';
import type { StopSettings } from '../agent/contract/stopping';
import { GATEWAY, GATEWAY_WITH_TUNNEL } from '../haproxy/memory-limit';
import { PROXY_DEFAULTS, ProxySettings, resolveProxy, resolveStop } from '../haproxy/proxy-settings';
import { Plain, plain } from '../objects/plain';

/** What a shared gateway is where its user says nothing else. */
export const SHARED_GATEWAY_DEFAULTS = {
  ...PROXY_DEFAULTS,
  ...GATEWAY_DEFAULTS,
  clusterDomain: 'cluster.local',
  sniPort: 443,
  clusterIdPort: 6443,
  routeShards: 8,
  threads: 2,
  replicas: 2,
} as const;

/** Requests and limits of a shared gateway. */
export function defaultGatewayResources(): Plain<k8s.ResourceRequirements> {
  return {
    requests: { cpu: '200m', memory: '256Mi' },
    limits: { memory: '4Gi' },
  };
}

/** What a shared gateway is set to, by its user or by default. */
export interface GatewaySettings extends StopSettings {
  /** Options of the renderer. The others are where the gateway listens and whom it trusts. */
  readonly haproxy: ProxySettings;
}

export function resolveGateway(props: Omit<SharedIngressGatewayProps, 'namespace'>): GatewaySettings {
  return {
    ...resolveStop(props, SHARED_GATEWAY_DEFAULTS),
    haproxy: resolveProxy(props, SHARED_GATEWAY_DEFAULTS, {
      costs: props.tunnel ? GATEWAY_WITH_TUNNEL : GATEWAY,
      memoryLimit: plain(props.resources ?? defaultGatewayResources()).limits?.memory,
      shares: props.shares,
      defaultShares: { perSource: hidesSources(props) ? undefined : 1 / 8, perTenant: 1 / 8 },
    }),
  };
}

/** Whether every source is a node. */
export function hidesSources(props: Omit<SharedIngressGatewayProps, 'namespace'>): boolean {
  const { externalTrafficPolicy, loadBalancerProxyProtocol, clusterIdRouting, portRange } = props;
  const sniPortAlone = clusterIdRouting === false && !(portRange && loadBalancerProxyProtocol?.sniPortOnly);
  const headersEverywhere = loadBalancerProxyProtocol !== undefined && sniPortAlone;
  return externalTrafficPolicy === ExternalTrafficPolicy.CLUSTER && !headersEverywhere;
}

/** Why a list of sources could not be enforced; undefined when it can. */
export function whySourcesAreHidden(props: Omit<SharedIngressGatewayProps, 'namespace'>): { readonly why: string; readonly remedy: string } | undefined {
  if (hidesSources(props)) {
    return { why: 'with externalTrafficPolicy Cluster sources are nodes', remedy: 'Use ExternalTrafficPolicy.LOCAL' };
  }
  return props.tunnel && !props.tunnel.proxyProtocolCidrs
    ? { why: 'in the tunnel every source is the ingress controller', remedy: 'Have it send the PROXY protocol, and give tunnel.proxyProtocolCidrs' }
    : undefined;
}
