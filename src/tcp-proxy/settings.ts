import type { k8s } from 'cdk8s-plus-30';
import type { TcpProxyHaproxyOptions } from './haproxy-config';
import type { TcpProxyAddonProps } from './tcp-proxy-addon-props';
import { SERVE_DEFAULTS } from '../agent/contract/commands';
import { HEALTH_PORT } from '../agent/contract/health';
import type { StopSettings } from '../agent/contract/stopping';
import { OPENED_TLS, PASSED_BYTES } from '../haproxy/memory-limit';
import { PROXY_DEFAULTS, ProxySettings, resolveProxy, resolveStop } from '../haproxy/proxy-settings';
import { Plain, plain } from '../objects/plain';

/** What a tcp-proxy is where its user says nothing else. */
export const TCP_PROXY_DEFAULTS = {
  ...PROXY_DEFAULTS,
  name: 'tcp-proxy',
  namespace: 'kube-system',
  listenPort: SERVE_DEFAULTS.endpointPort,
  healthPort: HEALTH_PORT,
  threads: 1,
  http2: true,
  propagationDelaySeconds: SERVE_DEFAULTS.propagationDelaySeconds,
  gracePeriodSeconds: SERVE_DEFAULTS.gracePeriodSeconds,
} as const;

/** Requests and limits of a tcp-proxy. */
export function defaultTcpProxyResources(): Plain<k8s.ResourceRequirements> {
  return {
    // More than it uses: the request is its weight where a node has no CPU left, and then decides how long requests wait for one.
    requests: { cpu: '100m', memory: '48Mi' },
    limits: { memory: '512Mi' },
  };
}

/** What a tcp-proxy is set to, by its user or by default. */
export interface TcpProxySettings extends StopSettings {
  readonly healthPort: number;
  /** Options of the renderer. The others are where the proxy runs and what it leads to. */
  readonly haproxy: ProxySettings & Pick<TcpProxyHaproxyOptions, 'listenPort' | 'http2'>;
}

/** @param mode whether the proxy has TLS of its own, which decides what a connection costs */
export function resolveTcpProxy(props: Omit<TcpProxyAddonProps, 'exposure' | 'controlPlane'>, mode: 'tls' | 'tcp'): TcpProxySettings {
  return {
    ...resolveStop(props, TCP_PROXY_DEFAULTS),
    healthPort: props.healthPort ?? TCP_PROXY_DEFAULTS.healthPort,
    haproxy: {
      ...resolveProxy(props, TCP_PROXY_DEFAULTS, {
        costs: mode === 'tls' ? OPENED_TLS : PASSED_BYTES,
        memoryLimit: plain(props.resources ?? defaultTcpProxyResources()).limits?.memory,
        shares: props.shares,
        defaultShares: { perSource: 1 / 4 },
      }),
      listenPort: props.listenPort ?? TCP_PROXY_DEFAULTS.listenPort,
      http2: props.http2 ?? TCP_PROXY_DEFAULTS.http2,
    },
  };
}
