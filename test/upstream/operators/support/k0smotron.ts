import { readdirSync } from 'fs';
import { join } from 'path';
import { readObjects } from './chart';
import { Placed } from './landscape';
import { OperatorFiles } from './operator';
import { LOAD_BALANCER_ADDRESS } from '../../../conformance/operators/direct-claims';
import { Cluster } from '../../../e2e/support/cluster';

const NAMESPACE = 'k0smotron';
const CONTROL_PLANES = 'k0smotroncontrolplanes.controlplane.cluster.x-k8s.io';
/** k0smotron with its provider for Cluster API, of the files that its kustomization in config/clusterapi/controlplane names. */
export function k0smotronOperator(folder: string): OperatorFiles {
  const config = join(folder, 'source', 'config');
  const read = (...path: string[]) => readObjects([join(config, ...path)]);
  const readAll = (...path: string[]) => readdirSync(join(config, ...path)).filter(name => name.endsWith('.yaml')).sort().flatMap(name => read(...path, name));
  const definitions = [['clusterapi', 'controlplane'], ['clusterapi', 'infrastructure'], ['standalone']].flatMap(path => readAll(...path, 'crd', 'bases'));
  const conversions = [...readAll('clusterapi', 'controlplane', 'patches'), ...readAll('standalone', 'crd', 'patches')].filter(({ spec }) => spec?.conversion);
  const converted = definitions.map(definition => {
    const patch = conversions.find(({ metadata }) => metadata.name === definition.metadata.name);
    return patch ? { ...definition, spec: { ...definition.spec, conversion: patch.spec.conversion } } : definition;
  });
  const rbac = readAll('clusterapi', 'controlplane', 'rbac').filter(({ kind }) => kind !== 'Kustomization')
    .map(object => ({ ...object, metadata: { ...object.metadata, namespace: object.kind.startsWith('Cluster') ? undefined : NAMESPACE } }));
  const { spec: { template: { spec: pod } } } = read('clusterapi', 'controlplane', 'manager_config_patch.yaml').find(({ kind }) => kind === 'Deployment');
  const clusterApi = join(folder, 'cluster-api');
  return {
    folder,
    namespace: NAMESPACE,
    serviceAccount: rbac.find(({ kind }) => kind === 'ServiceAccount').metadata.name,
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
      ...[...converted, ...readObjects(readdirSync(clusterApi).map(file => join(clusterApi, file)))].map(underContract),
      ...rbac,
    ],
    webhooks: read('clusterapi', 'controlplane', 'webhook', 'manifests.yaml'),
    // clusterctl fills in the feature gates.
    args: [...pod.containers[0].args.filter((arg: string) => !arg.includes('${')), '--leader-elect=false'],
  };
}

/** Definitions of Cluster API's providers say so of themselves; its core looks for that when it resolves references. */
function underContract(definition: any): any {
  const labels = Object.fromEntries(['v1beta1', 'v1beta2'].map(version => [`cluster.x-k8s.io/${version}`, version]));
  return { ...definition, metadata: { ...definition.metadata, labels: { ...definition.metadata.labels, ...labels } } };
}

/** The Cluster of Cluster API that a K0smotronControlPlane is of, as the case has it, but with an infrastructure of machines that are there. */
export function clusterApiObjects({ namespace, case: { name, resource, manifests } }: Placed): any[] {
  const written = manifests.find(({ apiVersion, kind, metadata }) => apiVersion.startsWith('cluster.x-k8s.io/') && kind === 'Cluster' && metadata.name === name);
  return [
    { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'RemoteCluster', metadata: { name, namespace }, spec: {} },
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name, namespace },
      spec: {
        ...written?.spec,
        controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: resource.kind, name: resource.metadata.name },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'RemoteCluster', name },
      },
    },
  ];
}

/** Plays Cluster API's core, which makes its Cluster the owner of a control plane, and a cloud, which gives Services addresses. */
export async function playSurroundings(cluster: Cluster, objects: any[]): Promise<void> {
  const without = objects.filter(({ kind, metadata }) => kind === 'K0smotronControlPlane' && !metadata.ownerReferences?.length);
  for (const { metadata: { name, namespace } } of without) {
    const { items: [owner] } = JSON.parse(await cluster.kubectl(['get', 'clusters.cluster.x-k8s.io', '--namespace', namespace, '--output', 'json']));
    const { apiVersion, kind, metadata } = owner;
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true }];
    await cluster.kubectl(['patch', CONTROL_PLANES, name, '--namespace', namespace, '--type=merge', '--patch', JSON.stringify({ metadata: { ownerReferences } })]);
  }
  const waiting = objects.filter(({ kind, spec, status }) => kind === 'Service' && spec.type === 'LoadBalancer' && !status.loadBalancer?.ingress);
  for (const { metadata: { name, namespace } } of waiting) {
    await cluster.kubectl(['patch', 'service', name, '--namespace', namespace, '--subresource=status', '--type=merge',
      '--patch', JSON.stringify({ status: { loadBalancer: { ingress: [{ ip: LOAD_BALANCER_ADDRESS }] } } })]);
  }
}
