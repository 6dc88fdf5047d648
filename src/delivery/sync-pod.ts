import type { k8s } from 'cdk8s-plus-30';
import { SyncProgramProps } from './sync-props';
import { AgentPod, AgentWorkload, memoryMount, podField } from '../agent/agent-workload';
import { SYNC, SYNC_DEFAULTS } from '../agent/contract/commands';
import { agentArgs, inSeconds } from '../agent/contract/flags';
import { ALL_ADDRESSES, HEALTH_PORT } from '../agent/contract/health';
import { STATE_FOLDER } from '../agent/contract/paths';
import { Plain } from '../objects/plain';

/** What a delivery by sync is where its user says nothing else, beside what sync itself is without flags. */
export const SYNC_DELIVERY_DEFAULTS = { namespace: SYNC_DEFAULTS.name, replicas: 2 } as const;

/** What differs where it keeps certificates alone. */
export const TENANT_CERTIFICATES_DEFAULTS = { name: 'tenant-certificates', namespace: 'tenant-certificates' } as const;

/** Requests and limits of sync. */
export function defaultSyncResources(): Plain<k8s.ResourceRequirements> {
  return {
    requests: { cpu: '50m', memory: '128Mi' },
    limits: { memory: '256Mi' },
  };
}

/** The pod of `sync`. It depends on no tenant, so no tenant's change rolls it. */
export function syncPod(workload: AgentWorkload, props: SyncProgramProps, certificatesOnly: boolean): AgentPod {
  return {
    container: 'sync',
    args: agentArgs(SYNC, {
      leaseName: workload.metadata.name,
      resyncInterval: inSeconds(props.resyncIntervalSeconds ?? SYNC_DEFAULTS.resyncIntervalSeconds),
      concurrency: props.concurrency ?? SYNC_DEFAULTS.concurrency,
      requestTimeout: inSeconds(props.requestTimeoutSeconds ?? SYNC_DEFAULTS.requestTimeoutSeconds),
      certificatesOnly,
      visitsFile: `${STATE_FOLDER}/visits.json`,
      healthAddress: [`${ALL_ADDRESSES}:${HEALTH_PORT}`],
      logLevel: workload.logLevel,
    }),
    env: [
      podField(SYNC, 'namespace', 'metadata.namespace'),
      podField(SYNC, 'podName', 'metadata.name'),
      // The image's own value is for proxies, which allocate little; sync would collect garbage all the time.
      { name: 'NODE_OPTIONS', value: '--max-semi-space-size=4' },
    ],
    healthPort: HEALTH_PORT,
    mounts: [memoryMount('state', STATE_FOLDER, '2Mi')],
    asksApi: true,
    spreadOver: ['kubernetes.io/hostname'],
  };
}
