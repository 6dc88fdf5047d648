import { GATEWAY } from '../../../conformance/matrix';
import { OperatorCase } from '../../../conformance/operators/cases';
import { Cluster } from '../../../e2e/support/cluster';

const CONTROLLER = 'tests.example.com/gateway';

/** The Gateway of the matrix, with the listeners that operators ask for. */
const GATEWAY_OBJECTS = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: GATEWAY.namespace } },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: GATEWAY,
    spec: {
      gatewayClassName: 'tests',
      listeners: [['kube-apiserver', 6443], ['konnectivity-server', 8132]].map(([name, port]) => ({
        name, port, protocol: 'TLS', tls: { mode: 'Passthrough' }, allowedRoutes: { namespaces: { from: 'All' } },
      })),
    },
  },
];

/** The Gateways that the cases are attached to. */
export function gatewaysOf(cases: OperatorCase[]): any[] {
  const ofExamples = cases.filter(({ title }) => title.startsWith('example')).flatMap(({ manifests }) => manifests.filter(({ kind }) => kind === 'Gateway'));
  return [...GATEWAY_OBJECTS, ...new Map(ofExamples.map(gateway => [gateway.metadata.name, gateway])).values()];
}

/** Plays the controller of the Gateway: takes every TLSRoute that has no status. */
export async function attachRoutes(cluster: Cluster, objects: any[]): Promise<void> {
  for (const { metadata, spec } of objects.filter(({ kind, status }) => kind === 'TLSRoute' && !status?.parents?.length)) {
    const parents = spec.parentRefs.map((parentRef: any) => ({
      parentRef,
      controllerName: CONTROLLER,
      conditions: [{
        type: 'Accepted', status: 'True', reason: 'Accepted', message: '', observedGeneration: metadata.generation, lastTransitionTime: new Date().toISOString(),
      }],
    }));
    await cluster.kubectl(['patch', 'tlsroutes.gateway.networking.k8s.io', metadata.name, '--namespace', metadata.namespace,
      '--subresource=status', '--type=merge', '--patch', JSON.stringify({ status: { parents } })]);
  }
}
