import { k8s } from 'cdk8s-plus-30';
import { AgentMount, AgentPod, AgentWorkload, memoryMount, podField } from '../agent/agent-workload';
import { GATEWAY } from '../agent/contract/commands';
import { agentArgs, inSeconds } from '../agent/contract/flags';
import { ALL_ADDRESSES, HEALTH_PORT } from '../agent/contract/health';
import { CONFIG_FILE, CONFIG_FOLDER, ROUTES_FOLDER, RUN_FOLDER } from '../agent/contract/paths';
import { mapFile, mountedMapFile, RoutingTable } from '../agent/contract/routing-tables';
import type { StopSettings } from '../haproxy/proxy-settings';

/** Ports inside the container. */
export const CONTAINER = { sniPort: 8443, clusterIdPort: 6443, tunnelPort: 8444, healthPort: HEALTH_PORT } as const;

/** Everything that the pod of a gateway depends on. */
export interface GatewayPodOptions {
  readonly workload: AgentWorkload;
  readonly stop: StopSettings;
  readonly clusterIdRouting: boolean;
  readonly nameservers: string[];
  readonly closeRemovedTenants: boolean;
  /** Names of the ConfigMaps with the routes. */
  readonly routeConfigMaps: string[];
  /** The tables in them. */
  readonly tables: readonly RoutingTable[];
  /** The files of the tunnel; undefined where there is none. */
  readonly tunnelMount?: AgentMount;
  /** Whether these are followed by the API. */
  readonly followsRoutes: boolean;
}

/** The pod of a gateway. It depends on no tenant, so no tenant's change rolls it. All that it needs is mounted; the API has it earlier. */
export function gatewayPod(options: GatewayPodOptions): AgentPod {
  const { workload, stop } = options;
  return {
    container: 'gateway',
    args: gatewayArgs(options),
    env: options.followsRoutes ? [podField(GATEWAY, 'namespace', 'metadata.namespace')] : undefined,
    ports: [
      { name: 'sni', containerPort: CONTAINER.sniPort, protocol: 'TCP' },
      ...(options.clusterIdRouting ? [{ name: 'cluster-id', containerPort: CONTAINER.clusterIdPort, protocol: 'TCP' }] : []),
      ...(options.tunnelMount ? [{ name: 'tunnel', containerPort: CONTAINER.tunnelPort, protocol: 'TCP' }] : []),
    ],
    healthPort: CONTAINER.healthPort,
    mounts: [
      { volume: { name: 'haproxy-config', configMap: { name: `${workload.metadata.name}-haproxy` } }, mountPath: CONFIG_FOLDER },
      { volume: { name: 'routes', projected: { sources: options.routeConfigMaps.map((name, shard) => routeSource(name, shard, options.tables)) } }, mountPath: ROUTES_FOLDER },
      memoryMount('run', RUN_FOLDER, '64Mi'),
      ...options.tunnelMount ? [options.tunnelMount] : [],
    ],
    startsSlowly: true,
    asksApi: options.followsRoutes,
    stopSeconds: stop.propagationDelaySeconds + stop.gracePeriodSeconds,
    spreadOver: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
  };
}

function gatewayArgs({ workload, stop, nameservers, closeRemovedTenants, routeConfigMaps, followsRoutes, tunnelMount }: GatewayPodOptions): string[] {
  return agentArgs(GATEWAY, {
    haproxyConfig: `${CONFIG_FOLDER}/${CONFIG_FILE}`,
    routesDir: ROUTES_FOLDER,
    routeConfigMap: followsRoutes ? routeConfigMaps : [],
    runDir: RUN_FOLDER,
    tunnelDir: tunnelMount?.mountPath,
    nameserver: nameservers,
    closeRemoved: closeRemovedTenants,
    healthAddress: [`${ALL_ADDRESSES}:${CONTAINER.healthPort}`],
    propagationDelay: inSeconds(stop.propagationDelaySeconds),
    gracePeriod: inSeconds(stop.gracePeriodSeconds),
    logLevel: workload.logLevel,
  });
}

function routeSource(name: string, shard: number, tables: readonly RoutingTable[]): k8s.VolumeProjection {
  return { configMap: { name, items: tables.map(table => ({ key: mapFile(table), path: mountedMapFile(table, shard) })) } };
}
