import { k8s } from 'cdk8s-plus-30';
import { RoutingTable } from './routing-tables';
import { CONTAINER_SECURITY_CONTEXT, healthProbe, POD_SECURITY_CONTEXT } from '../agent/agent-pod';

/** Paths and ports inside the container. */
export const CONTAINER = {
  configFolder: '/etc/haproxy',
  routesFolder: '/etc/tcp-proxy/routes',
  runFolder: '/run/tcp-proxy',
  sniPort: 8443,
  clusterIdPort: 6443,
  healthPort: 8404,
};

/** Everything that the pod of a gateway depends on. */
export interface GatewayPodOptions {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly imagePullSecrets?: string[];
  readonly resources: k8s.ResourceRequirements;
  readonly tolerations?: k8s.Toleration[];
  readonly nodeSelector: { [name: string]: string };
  readonly affinity?: k8s.Affinity;
  readonly priorityClassName: string;
  readonly selectorLabels: { [name: string]: string };
  readonly clusterIdRouting: boolean;
  readonly nameservers: string[];
  readonly closeRemovedTenants: boolean;
  readonly propagationDelaySeconds: number;
  readonly gracePeriodSeconds: number;
  readonly logLevel: string;
  /** Names of the ConfigMaps with the routes. */
  readonly routeConfigMaps: string[];
}

/** The pod of a gateway. It depends on no tenant, so no tenant's change rolls it. */
export function gatewayPodSpec(options: GatewayPodOptions): k8s.PodSpec {
  const { propagationDelaySeconds, gracePeriodSeconds } = options;
  const spread = (topologyKey: string) =>
    ({ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: options.selectorLabels } });
  return {
    priorityClassName: options.priorityClassName,
    nodeSelector: options.nodeSelector,
    affinity: options.affinity,
    tolerations: options.tolerations,
    topologySpreadConstraints: [spread('topology.kubernetes.io/zone'), spread('kubernetes.io/hostname')],
    imagePullSecrets: options.imagePullSecrets?.map(name => ({ name })),
    // The gateway asks the API for nothing: everything is mounted.
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: propagationDelaySeconds + gracePeriodSeconds + 10,
    securityContext: POD_SECURITY_CONTEXT,
    containers: [gatewayContainer(options)],
    volumes: [
      { name: 'haproxy-config', configMap: { name: `${options.name}-haproxy` } },
      { name: 'routes', projected: { sources: options.routeConfigMaps.map(routeSource) } },
      { name: 'run', emptyDir: { medium: 'Memory', sizeLimit: k8s.Quantity.fromString('64Mi') } },
    ],
  };
}

function routeSource(name: string, shard: number): k8s.VolumeProjection {
  const suffix = String(shard).padStart(2, '0');
  return { configMap: { name, items: Object.values(RoutingTable).map(table => ({ key: `${table}.map`, path: `${table}-${suffix}.map` })) } };
}

function gatewayContainer(options: GatewayPodOptions): k8s.Container {
  const { configFolder, routesFolder, runFolder, sniPort, clusterIdPort, healthPort } = CONTAINER;
  return {
    name: 'gateway',
    image: options.image,
    imagePullPolicy: options.imagePullPolicy,
    args: [
      'gateway',
      `--haproxy-config=${configFolder}/haproxy.cfg`,
      `--routes-dir=${routesFolder}`,
      `--run-dir=${runFolder}`,
      ...options.nameservers.map(nameserver => `--nameserver=${nameserver}`),
      ...(options.closeRemovedTenants ? ['--close-removed'] : []),
      `--health-address=[::]:${healthPort}`,
      `--propagation-delay=${options.propagationDelaySeconds}s`,
      `--grace-period=${options.gracePeriodSeconds}s`,
      `--log-level=${options.logLevel}`,
    ],
    ports: [
      { name: 'sni', containerPort: sniPort, protocol: 'TCP' },
      ...(options.clusterIdRouting ? [{ name: 'cluster-id', containerPort: clusterIdPort, protocol: 'TCP' }] : []),
      { name: 'health', containerPort: healthPort, protocol: 'TCP' },
    ],
    startupProbe: healthProbe('/healthz', 1, 60),
    livenessProbe: healthProbe('/healthz', 10, 3),
    readinessProbe: healthProbe('/readyz', 5, 2),
    resources: options.resources,
    securityContext: CONTAINER_SECURITY_CONTEXT,
    volumeMounts: [
      { name: 'haproxy-config', mountPath: configFolder, readOnly: true },
      { name: 'routes', mountPath: routesFolder, readOnly: true },
      { name: 'run', mountPath: runFolder },
    ],
  };
}
