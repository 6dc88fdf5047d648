import { join } from 'path';
import { readObjects } from './chart';
import { attachRoutes } from './gateway';
import { Placed } from './landscape';
import { OperatorFiles } from './operator';
import { eventually } from '../../../data-path/support/eventually';
import { Cluster } from '../../../e2e/support/cluster';

const CLUSTERS = 'clusters.cluster.x-k8s.io';
const INFRASTRUCTURE = 'hetznerclusters.infrastructure.cluster.x-k8s.io';
/** Kamaji's provider for Cluster API as its release installs it. */
export function kamajiProvider(folder: string): OperatorFiles {
  const installed = readObjects([join(folder, 'source', 'config', 'control-plane-components.yaml')]);
  const { metadata: { namespace }, spec: { template: { spec: pod } } } = installed.find(({ kind }) => kind === 'Deployment');
  return {
    folder,
    namespace,
    serviceAccount: pod.serviceAccountName,
    objects: installed.filter(({ kind }) => kind !== 'Deployment'),
    webhooks: [],
    // clusterctl fills in the feature gates. Ports are those of Kamaji otherwise.
    args: [
      ...pod.containers[0].args.filter((arg: string) => !arg.includes('${') && !arg.startsWith('--leader-elect')),
      '--health-probe-bind-address=127.0.0.1:18081', '--diagnostics-address=127.0.0.1:18082', '--insecure-diagnostics', '--max-concurrent-reconciles=4',
    ],
  };
}

/** What docs/kamaji.md leaves to the user: the Cluster, with an infrastructure. */
export function infrastructure({ namespace, case: { name, resource } }: Placed): any[] {
  return [
    {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
      kind: 'HetznerCluster',
      metadata: { name, namespace },
      spec: {
        controlPlaneRegions: ['nbg1'],
        controlPlaneLoadBalancer: { enabled: false },
        hetznerSecretRef: { name: 'hetzner', key: { hcloudToken: 'hcloud' } },
        sshKeys: { hcloud: [] },
      },
    },
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name, namespace },
      spec: {
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'HetznerCluster', name },
        controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: resource.kind, name: resource.metadata.name },
      },
    },
  ];
}

/** Every Cluster, and its infrastructure, has the endpoint that the library says. */
export async function endpointsOf(cluster: Cluster, placed: Placed[]): Promise<void> {
  const wanted = Object.fromEntries(placed.map(({ namespace, case: { controlPlane } }) => {
    const { host, port } = controlPlane!.apiEndpoint;
    return [namespace, { host, port }];
  }));
  for (const kind of [CLUSTERS, INFRASTRUCTURE]) {
    await eventually(async () => {
      const { items } = JSON.parse(await cluster.kubectl(['get', kind, '--all-namespaces', '--output=json']));
      expect(Object.fromEntries(items.map(({ metadata, spec }: any) => [metadata.namespace, spec.controlPlaneEndpoint]))).toEqual(wanted);
      return true;
    }, 60_000);
  }
}

/** Plays Hetzner's provider, the controller of the Gateway, and the controller manager and kubelets that run a Deployment's pods. */
export async function playClouds(cluster: Cluster, objects: any[]): Promise<void> {
  await attachRoutes(cluster, objects);
  const { items } = JSON.parse(await cluster.kubectl(['get', INFRASTRUCTURE, '--all-namespaces', '--output=json']));
  const provisioned = items.filter(({ status }: any) => !status?.ready)
    .map((object: any) => statusOf(object, { ready: true, initialization: { provisioned: true } }));
  const changed = objects.filter(({ kind, metadata, status }) => kind === 'Deployment' && status?.observedGeneration !== metadata.generation);
  const running = changed.map(object => {
    const { metadata: { generation: observedGeneration }, spec: { replicas } } = object;
    return statusOf(object, { observedGeneration, replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas });
  });
  if (provisioned.length + running.length > 0) {
    await cluster.apply([...provisioned, ...running], '--server-side', '--force-conflicts', '--subresource=status', '--field-manager=played');
  }
}

function statusOf({ apiVersion, kind, metadata: { name, namespace } }: any, status: object): object {
  return { apiVersion, kind, metadata: { name, namespace }, status };
}
