import { Fault, Rule } from './rule';
import { pick, pickList, pickNumber, pickText } from '../../manifests/fields';
import { Platform } from '../../manifests/platform';
import { podSpecOf } from '../../manifests/proxy';
import { Source } from '../../manifests/source';

const HOUR_SECONDS = 3600;
/** Taints of nodes on which the proxy must run already. */
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/network-unavailable', 'node.cloudprovider.kubernetes.io/uninitialized'];

export const tolerations: Rule = {
  code: 'HCP621',
  severity: 'error',
  title: 'a tcp-proxy does not start on nodes that are not ready',
  check: platform => workloads(platform, ['Deployment', 'DaemonSet'], (source, pod) => {
    const list = pickList(pod, 'tolerations');
    const missing = TAINTS.filter(taint => !list.some(toleration => tolerates(toleration, taint)));
    return missing.length === 0 ? [] : [{
      source,
      field: 'spec.template.spec.tolerations',
      message: `leaves out ${missing.join(', ')}: such a node needs the proxy to become ready (k0sproject/k0smotron#1313)`,
      remedy: 'Write a toleration with operator: Exists alone',
    }];
  }),
};

export const clusterDns: Rule = {
  code: 'HCP622',
  severity: 'error',
  title: 'a tcp-proxy asks the DNS that it makes reachable',
  check: platform => workloads(platform, ['Deployment', 'DaemonSet', 'Pod'], (source, pod) => {
    const policy = pickText(pod, 'dnsPolicy') ?? 'ClusterFirst';
    const usesCluster = policy === 'ClusterFirstWithHostNet' || (policy === 'ClusterFirst' && pick(pod, 'hostNetwork') !== true);
    return !usesCluster || pickList(pod, 'hostAliases').length > 0 ? [] : [{
      source,
      field: `${source.kind === 'Pod' ? 'spec' : 'spec.template.spec'}.dnsPolicy`,
      message: `is ${policy}: CoreDNS needs the API server, and the proxy needs CoreDNS to find it (gardener/gardener#3211)`,
      remedy: 'Set Default, or hostAliases with the host',
    }];
  }),
};

export const hostPortRollout: Rule = {
  code: 'HCP623',
  severity: 'warning',
  title: 'a tcp-proxy on host ports cannot be rolled out on few nodes',
  check: platform => workloads(platform, ['Deployment'], (source, pod) => {
    const surge = pick(source.object, 'spec.strategy.rollingUpdate.maxSurge');
    const recreates = pickText(source.object, 'spec.strategy.type') === 'Recreate';
    return pick(pod, 'hostNetwork') !== true || recreates || surge === 0 || surge === '0%' ? [] : [{
      source,
      field: 'spec.strategy.rollingUpdate.maxSurge',
      message: `is ${surge === undefined ? 'left at 25%' : String(surge)}, but a second pod on the host network finds no free port on the same node`,
      remedy: 'Set maxSurge: 0 and maxUnavailable: 1, or use a DaemonSet',
    }];
  }),
};

export const floatingImage: Rule = {
  code: 'HCP624',
  severity: 'warning',
  title: 'the image of a tcp-proxy is not fixed',
  check: platform => workloads(platform, ['Deployment', 'DaemonSet', 'Pod'], (source, pod) => pickList(pod, 'containers').flatMap((container): Fault[] => {
    const image = pickText(container, 'image') ?? '';
    const tag = /:([^:/@]+)$/.exec(image)?.[1];
    return image === '' || image.includes('@sha256:') || (tag !== undefined && tag !== 'latest') ? [] : [{
      source,
      field: 'spec.template.spec.containers[].image',
      message: `${image} may become another one at any restart`,
      remedy: 'Name a version or a digest',
    }];
  })),
};

export const shortTimeouts: Rule = {
  code: 'HCP625',
  severity: 'warning',
  title: 'HAProxy cuts watches and exec sessions',
  check: platform => platform.proxies.flatMap(({ source, haproxyConfig, upstream }) => {
    if (haproxyConfig === undefined) return [];
    const tunnel = seconds(haproxyConfig, 'tunnel');
    const idle = Math.min(tunnel ?? seconds(haproxyConfig, 'client') ?? 0, tunnel ?? seconds(haproxyConfig, 'server') ?? 0);
    return idle >= HOUR_SECONDS ? [] : [{
      source,
      field: upstream.path,
      message: `${idle === 0 ? 'has no timeouts for client, server or tunnel' : `ends connections that are silent for ${idle} s`}; ` +
        'quiet watches and "kubectl logs -f" are silent for longer (kubernetes/kubeadm#2227)',
      remedy: 'Set timeout client, server and tunnel to an hour or more, with TCP keepalive on both sides',
    }];
  }),
};

export const cpuLimit: Rule = {
  code: 'HCP626',
  severity: 'warning',
  title: 'a CPU limit slows a tcp-proxy down',
  check: platform => workloads(platform, ['Deployment', 'DaemonSet', 'Pod'], (source, pod) => pickList(pod, 'containers').flatMap((container): Fault[] => {
    const limit = pickText(container, 'resources.limits.cpu') ?? pickNumber(container, 'resources.limits.cpu');
    return limit === undefined ? [] : [{
      source,
      field: 'spec.template.spec.containers[].resources.limits.cpu',
      message: `is ${limit}: throttled, the proxy delays every client of the API in the tenant (gardener/gardener#5541)`,
      remedy: 'Leave the CPU limit out and set a request',
    }];
  })),
};

function workloads({ proxyWorkloads }: Platform, kinds: string[], check: (source: Source, pod: unknown) => Fault[]): Fault[] {
  return proxyWorkloads.filter(({ kind }) => kinds.includes(kind)).flatMap(source => check(source, podSpecOf(source)));
}

function tolerates(toleration: unknown, taint: string): boolean {
  const key = pickText(toleration, 'key');
  const effect = pickText(toleration, 'effect');
  return (key === undefined || key === taint) && (effect === undefined || effect === 'NoSchedule') && pickText(toleration, 'operator') === 'Exists';
}

const UNITS: { [unit: string]: number } = { 'us': 1e-6, 'ms': 1e-3, 's': 1, 'm': 60, 'h': 3600, 'd': 86_400, '': 1e-3 };

/** A timeout of HAProxy; without a unit they are milliseconds. */
function seconds(config: string, name: string): number | undefined {
  const match = new RegExp(`^\\s*timeout\\s+${name}\\s+(\\d+)(us|ms|s|m|h|d)?\\b`, 'm').exec(config);
  return match ? Number(match[1]) * UNITS[match[2] ?? ''] : undefined;
}
