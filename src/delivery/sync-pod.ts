import { k8s } from 'cdk8s-plus-30';
import { SyncDeliveryProps } from './sync-props';
import { CONTAINER_SECURITY_CONTEXT, healthProbe, POD_SECURITY_CONTEXT } from '../agent/agent-pod';

/** Port of `/healthz`, `/readyz` and `/metrics` inside the pod. */
export const HEALTH_PORT = 8404;

/** Outlives the container, which a tenant may manage to end, and not the pod. */
const STATE_FOLDER = '/run/tenant-sync';

/** What the pod needs beside the user's settings. */
export interface SyncPodOptions {
  readonly name: string;
  readonly image: string;
  readonly selectorLabels: { [name: string]: string };
}

/** The pod of `sync`. It depends on no tenant, so no tenant's change rolls it. */
export function syncPodSpec(props: SyncDeliveryProps, { name, image, selectorLabels }: SyncPodOptions): k8s.PodSpec {
  return {
    serviceAccountName: name,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    priorityClassName: props.priorityClassName ?? 'system-cluster-critical',
    nodeSelector: props.nodeSelector ?? { 'kubernetes.io/os': 'linux' },
    affinity: props.affinity,
    tolerations: props.tolerations,
    topologySpreadConstraints: [{
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: selectorLabels },
    }],
    imagePullSecrets: props.imagePullSecrets?.map(secret => ({ name: secret })),
    securityContext: POD_SECURITY_CONTEXT,
    containers: [{
      name: 'sync',
      image,
      imagePullPolicy: props.imagePullPolicy,
      args: [
        'sync',
        `--lease-name=${name}`,
        `--resync-interval=${props.resyncIntervalSeconds ?? 3600}s`,
        `--concurrency=${props.concurrency ?? 16}`,
        `--request-timeout=${props.requestTimeoutSeconds ?? 10}s`,
        `--visits-file=${STATE_FOLDER}/visits.json`,
        `--health-address=[::]:${HEALTH_PORT}`,
        `--log-level=${props.logLevel ?? 'info'}`,
      ],
      env: [
        { name: 'TCP_PROXY_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
        { name: 'TCP_PROXY_POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        // The image's own value is for proxies, which allocate little; sync would collect garbage all the time.
        { name: 'NODE_OPTIONS', value: '--max-semi-space-size=4' },
      ],
      ports: [{ name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' }],
      livenessProbe: healthProbe('/healthz', 10, 3),
      readinessProbe: healthProbe('/readyz', 5, 2),
      resources: props.resources ?? {
        requests: { cpu: k8s.Quantity.fromString('50m'), memory: k8s.Quantity.fromString('128Mi') },
        limits: { memory: k8s.Quantity.fromString('256Mi') },
      },
      volumeMounts: [{ name: 'state', mountPath: STATE_FOLDER }],
      securityContext: CONTAINER_SECURITY_CONTEXT,
    }],
    volumes: [{ name: 'state', emptyDir: { medium: 'Memory', sizeLimit: k8s.Quantity.fromString('2Mi') } }],
  };
}
