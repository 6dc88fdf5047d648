import { Rule } from './rule';
import { pick, pickList, pickNumber, pickRecord } from '../../manifests/fields';
import { Platform } from '../../manifests/platform';
import { podSpecOf } from '../../manifests/proxy';
import { Source } from '../../manifests/source';

export const selectsNothing: Rule = {
  code: 'HCP607',
  severity: 'error',
  title: 'the kubernetes Service selects no tcp-proxy',
  check: platform => kubernetesServices(platform).flatMap(source => {
    // Those of other namespaces may be of other tenants.
    const candidates = podsOf(platform, source.namespace);
    return candidates.length === 0 || candidates.some(pod => selects(source, pod)) ? [] : [{
      source,
      field: 'spec.selector',
      message: `matches the labels of none of the ${candidates.length} pods of namespace ${source.namespace}, so kubernetes.default.svc has no endpoints`,
      remedy: `Write ${text(labelsOf(candidates[0]))}`,
    }];
  }),
};

export const wrongTargetPort: Rule = {
  code: 'HCP608',
  severity: 'error',
  title: 'the kubernetes Service leads to a port that the tcp-proxy does not have',
  check: platform => kubernetesServices(platform).flatMap(source => {
    const ports = podsOf(platform, source.namespace).filter(pod => selects(source, pod)).flatMap(containerPorts);
    if (ports.length === 0) return [];
    return pickList(source.object, 'spec.ports').flatMap((port, i) => {
      const target = pick(port, 'targetPort') ?? pick(port, 'port');
      return ports.some(({ number, name }) => target === number || target === name) ? [] : [{
        source,
        field: `spec.ports[${i}].targetPort`,
        message: `is ${String(target)}, but the tcp-proxy listens on ${ports.map(({ number, name }) => (name === undefined ? String(number) : `${number} (${name})`)).join(' and ')}`,
        remedy: `Write ${ports[0].number}`,
      }];
    });
  }),
};

function kubernetesServices({ sources }: Platform): Source[] {
  return sources.filter(({ kind, namespace, name, object }) =>
    kind === 'Service' && namespace === 'default' && name === 'kubernetes' && Object.keys(pickRecord(object, 'spec.selector')).length > 0);
}

function podsOf({ proxyWorkloads }: Platform, namespace: string): Source[] {
  return proxyWorkloads.filter(source => source.namespace === namespace);
}

function labelsOf({ kind, object }: Source): Record<string, unknown> {
  return pickRecord(object, kind === 'Pod' ? 'metadata.labels' : 'spec.template.metadata.labels');
}

function selects(service: Source, pod: Source): boolean {
  const labels = labelsOf(pod);
  return Object.entries(pickRecord(service.object, 'spec.selector')).every(([name, value]) => labels[name] === value);
}

function containerPorts(pod: Source): { number: number; name: unknown }[] {
  return pickList(podSpecOf(pod), 'containers').flatMap(container => pickList(container, 'ports').flatMap(port => {
    const number = pickNumber(port, 'containerPort');
    return number === undefined ? [] : [{ number, name: pick(port, 'name') }];
  }));
}

function text(labels: Record<string, unknown>): string {
  return Object.entries(labels).map(([name, value]) => `${name}: ${String(value)}`).join(', ');
}
