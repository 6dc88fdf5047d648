import { clusterOf as clusterOfControlPlane } from '../../../src/manifests/find-source';
import { Source } from '../../../src/manifests/source';
import { Fields, fieldsOf, Json } from '../code/expression';
import { at, own } from '../json';

/** The Cluster of Cluster API that a control plane is of: it is labelled with its name, and owned by it. Before that was applied, the Cluster alone refers to it. */
export function clusterName(source: Source, sources: Source[]): string {
  const object = source.object as Json;
  const label = own(at(object, 'metadata.labels'), 'cluster.x-k8s.io/cluster-name');
  const owners = at(object, 'metadata.ownerReferences');
  const owner = Array.isArray(owners) ? owners.find(each => own(each, 'kind') === 'Cluster') : undefined;
  const names = [label, own(owner, 'name'), clusterOfControlPlane(source, sources)?.name];
  return names.find((name): name is string => typeof name === 'string') ?? source.name;
}

/** That Cluster, if it was dumped too. */
export function clusterOf(name: string, namespace: string, sources: Source[]): Json | undefined {
  return sources.find(source => source.kind === 'Cluster' && source.apiVersion.startsWith('cluster.x-k8s.io/')
    && source.name === name && source.namespace === namespace)?.object as Json | undefined;
}

/** The first network of a kind in a Cluster, as control plane providers take it. */
export function firstNetwork(cluster: Json | undefined, kind: 'services' | 'pods'): Json | undefined {
  const blocks = at(cluster, `spec.clusterNetwork.${kind}.cidrBlocks`);
  return Array.isArray(blocks) ? blocks[0] : undefined;
}

/** The networks that a Cluster names, without what stands there by itself. */
export function clusterNetwork(cluster: Json | undefined, defaults: { readonly [name in 'services' | 'pods' | 'domain']: string }): Fields | undefined {
  const cidrs = (kind: 'services' | 'pods') => {
    const first = firstNetwork(cluster, kind);
    return typeof first !== 'string' || first === defaults[kind] ? undefined : [first];
  };
  const domain = at(cluster, 'spec.clusterNetwork.serviceDomain');
  return fieldsOf({
    serviceCidrs: cidrs('services'),
    podCidrs: cidrs('pods'),
    clusterDomain: typeof domain === 'string' && domain !== '' && domain !== defaults.domain ? domain : undefined,
  });
}
