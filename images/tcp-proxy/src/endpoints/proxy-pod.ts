import { canonicalAddresses } from './addresses';
import { ProxyPod } from './desired-addresses';
import { KubernetesObject } from '../kubernetes/objects';

interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly hostIP?: string;
  /** Since Kubernetes 1.29 (PodHostIPs); both families of a dual-stack node. */
  readonly hostIPs?: readonly { readonly ip: string }[];
}

/** Keeps of a `v1 Pod` what the decision needs. */
export function proxyPod(object: KubernetesObject): ProxyPod {
  const { metadata, status = {} } = object as KubernetesObject & { readonly status?: PodStatus };
  return {
    name: metadata.name,
    alive: metadata.deletionTimestamp === undefined && status.phase !== 'Succeeded' && status.phase !== 'Failed',
    ready: (status.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True'),
    hostIps: canonicalAddresses(status.hostIPs?.map(({ ip }) => ip) ?? [status.hostIP ?? '']),
  };
}
