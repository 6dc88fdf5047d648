import { Fault, nameOf, Rule } from './rule';
import { Field, pick, pickList, pickNumber, pickText } from '../../manifests/fields';
import { clusterOf, findSource } from '../../manifests/find-source';
import { isOwnedBy } from '../../manifests/owners';
import { Platform } from '../../manifests/platform';
import { Source } from '../../manifests/source';

const CONTROL_PLANE_KINDS = ['K0smotronControlPlane', 'KamajiControlPlane'];

export const clusterReference: Rule = {
  code: 'HCP109',
  severity: 'error',
  title: 'a Cluster API cluster refers to an object that is not there',
  check: platform => platform.sources
    .filter(({ kind, apiVersion }) => kind === 'Cluster' && apiVersion.startsWith('cluster.x-k8s.io/'))
    .flatMap(cluster => ['spec.controlPlaneRef', 'spec.infrastructureRef'].flatMap((field): Fault[] => {
      const kind = pickText(cluster.object, `${field}.kind`);
      const name = pickText(cluster.object, `${field}.name`);
      const namespace = pickText(cluster.object, `${field}.namespace`) ?? cluster.namespace;
      if (kind === undefined || name === undefined || findSource(kind, namespace, name, platform.sources) !== undefined) return [];
      const orphan = field === 'spec.controlPlaneRef' ? orphanOf(cluster, platform) : undefined;
      // It may be in files that are not given, unless others of its kind are.
      if (orphan === undefined && !platform.sources.some(source => source.kind === kind)) return [];
      return [{
        source: cluster,
        field,
        message: `there is no ${kind} ${namespace}/${name}, so the operator never learns of the cluster`,
        remedy: orphan ? `Write kind ${orphan.kind} and name ${orphan.name}` : 'Correct kind, name and namespace',
      }];
    })),
};

/** A control plane in the namespace of the cluster to which none refers. */
function orphanOf(cluster: Source, { sources }: Platform): Source | undefined {
  return sources.find(source => CONTROL_PLANE_KINDS.includes(source.kind)
    && source.namespace === cluster.namespace && clusterOf(source, sources) === undefined);
}

interface NodePort extends Field<number> {
  readonly source: Source;
}

export const nodePortTwice: Rule = {
  code: 'HCP110',
  severity: 'error',
  title: 'two control planes take the same port of the nodes',
  check: platform => {
    const takers = new Map<number, Source>();
    return nodePorts(platform).flatMap(({ source, value, path }): Fault[] => {
      const taker = takers.get(value);
      if (taker === undefined) takers.set(value, source);
      return taker === undefined || (taker === source && source.kind !== 'Service') ? [] : [{
        source,
        field: path,
        message: `${value} is a port of every node of the management cluster, and ${nameOf(taker)} has it already`,
        remedy: 'Give each control plane ports of its own, or lead a shared address to them',
      }];
    });
  },
};

/** Of control planes, and of Services that are not theirs. */
function nodePorts({ controlPlanes, sources }: Platform): NodePort[] {
  const own = new Set(controlPlanes.flatMap(({ service }) => (service ? [`${service.namespace}/${service.name}`] : [])));
  const services = sources.filter(source => source.kind === 'Service' && !own.has(`${source.namespace}/${source.name}`)
    && !controlPlanes.some(controlPlane => isOwnedBy(source, controlPlane.source, sources)) && pickList(source.object, 'metadata.ownerReferences').length === 0);
  return [
    ...controlPlanes.flatMap(({ source, nodePorts: ports }) => ports.map(port => ({ ...port, source }))),
    ...services.flatMap(source => pickList(source.object, 'spec.ports').flatMap((item, i) => {
      const value = pickNumber(item, 'nodePort');
      return value === undefined || pick(item, 'protocol') === 'UDP' ? [] : [{ source, value, path: `spec.ports[${i}].nodePort` }];
    })),
  ];
}
