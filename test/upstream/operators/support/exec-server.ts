import { TESTS_ADDRESS } from './network';
import { StatefulPod } from './stateful-pod';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';
import { CertificateAuthority } from '../../../support/certificates';

const NODE = 'node-of-pods';
const PORT = 10250;

/** Has the API server of the management cluster run commands in a pod, as `kubectl exec` and k0smotron do: the rest of what a kubelet does. */
export async function serveExec(cluster: Cluster, pod: StatefulPod, program: string): Promise<void> {
  const authority = await CertificateAuthority.create('kubelet', 'ecdsa');
  cluster.writePair('kubelet', await authority.issue({ commonName: NODE, sans: [TESTS_ADDRESS] }));
  new Process(program, [`${TESTS_ADDRESS}:${PORT}`, cluster.file('kubelet.crt'), cluster.file('kubelet.key'), 'sh', pod.enter]);
  const object = pod.object(NODE);
  await cluster.apply([{ apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } }, object]);
  const { metadata: { name, namespace } } = object;
  const say = (words: string[], status: object) => cluster.kubectl(['patch', ...words, '--subresource=status', '--type=merge', '--patch', JSON.stringify({ status })]);
  await say(['node', NODE], { addresses: [{ type: 'InternalIP', address: TESTS_ADDRESS }], daemonEndpoints: { kubeletEndpoint: { Port: PORT } } });
  await say(['pod', name, '--namespace', namespace], { phase: 'Running' });
}

