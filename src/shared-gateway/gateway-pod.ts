import type { k8s } from 'cdk8s-plus-30';
import { addressContainer } from '../agent/address-container';
import { AgentMount, AgentPod, AgentWorkload, memoryMount, podField } from '../agent/agent-workload';
import { GATEWAY } from '../agent/contract/commands';
import { agentArgs, inSeconds } from '../agent/contract/flags';
import { ALL_ADDRESSES, HEALTH_PORT } from '../agent/contract/health';
import { CONFIG_FILE, CONFIG_FOLDER, ROUTES_FOLDER, RUN_FOLDER } from '../agent/contract/paths';
import { mapFile, mountedMapFile, RoutingTable } from '../agent/contract/routing-tables';
import type { StopSettings } from '../agent/contract/stopping';
import { Plain } from '../objects/plain';

/** Ports inside the container. */
export const CONTAINER = { sniPort: 8443, clusterIdPort: 6443, tunnelPort: 8444, edgePort: 8445, healthPort: HEALTH_PORT } as const;

/** Everything that the pod of a gateway depends on. */
export interface GatewayPodOptions {
  readonly workload: AgentWorkload;
  readonly stop: StopSettings;
  readonly clusterIdRouting: boolean;
  readonly nameservers: string[];
  readonly closeRemovedTenants: boolean;
  /** Names of the ConfigMaps with the routes. */
  readonly routeConfigMaps: string[];
  /** Whether the edge of a fleet connects. */
  readonly edge: boolean;
  /** The tables in them. */
  readonly tables: readonly RoutingTable[];
  /** The files of the tunnel; undefined where there is none. */
  readonly tunnelMount?: AgentMount;
  /** Whether these are followed by the API. */
  readonly followsRoutes: boolean;
  /** Whether the pod is on the network of its node. */
  readonly hostNetwork: boolean;
  /** Network that the pod makes the node's own; undefined for none. */
  readonly localNetwork?: string;
  /** Port of the addresses of tenants; undefined for none. */
  readonly addressPort?: number;
}

/** The pod of a gateway. It depends on no tenant, so no tenant's change rolls it. All that it needs is mounted; the API has it earlier. */
export function gatewayPod(options: GatewayPodOptions): AgentPod {
  const { workload, stop, hostNetwork, localNetwork, addressPort } = options;
  const port = (name: string, containerPort: number) => ({ name, containerPort, hostPort: hostNetwork ? containerPort : undefined, protocol: 'TCP' });
  return {
    container: 'gateway',
    args: gatewayArgs(options),
    env: options.followsRoutes ? [podField(GATEWAY, 'namespace', 'metadata.namespace')] : undefined,
    ports: [
      port('sni', CONTAINER.sniPort),
      ...(options.clusterIdRouting ? [port('cluster-id', CONTAINER.clusterIdPort)] : []),
      ...(addressPort === undefined ? [] : [port('address', addressPort)]),
      ...(options.tunnelMount ? [port('tunnel', CONTAINER.tunnelPort)] : []),
      ...(options.edge ? [port('edge', CONTAINER.edgePort)] : []),
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
    stop,
    spreadOver: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
    pod: hostNetwork ? {
      hostNetwork,
      // The names of Services are those of the cluster.
      dnsPolicy: 'ClusterFirstWithHostNet',
      initContainers: localNetwork === undefined ? undefined : [addressContainer(workload, 'tenant-addresses', { localNetwork: [localNetwork], logLevel: workload.logLevel })],
    } : undefined,
  };
}

/** How a new pod replaces one: beside it, or after it where both would need the ports of one node. */
export function gatewayStrategy(hostNetwork: boolean): Plain<k8s.DeploymentStrategy> {
  return { type: 'RollingUpdate', rollingUpdate: hostNetwork ? { maxSurge: 0, maxUnavailable: 1 } : { maxSurge: 1, maxUnavailable: 0 } };
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

function routeSource(name: string, shard: number, tables: readonly RoutingTable[]): Plain<k8s.VolumeProjection> {
  return { configMap: { name, items: tables.map(table => ({ key: mapFile(table), path: mountedMapFile(table, shard) })) } };
}
