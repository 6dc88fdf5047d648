import { join } from 'path';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';
import { CertificateAuthority } from '../../../support/certificates';

/** Of scripts/k0s.sh. */
const PROGRAM = join(process.env.K0S_FOLDER!, 'exec-server');
const PORT = 10250;

/** A node with one pod. */
export interface NodeOfPod {
  readonly name: string;
  readonly address: string;
  /** Who issues the certificate of its kubelet. */
  readonly authority: CertificateAuthority;
  /** The object, on this node. */
  readonly pod: any;
  /** Words before a command that is to run in it. */
  readonly enter: string[];
}

/** Has an API server run commands in a pod, as `kubectl exec` and k0smotron do: the rest of what a kubelet does. */
export async function serveExec(cluster: Cluster, { name: node, address, authority, pod, enter }: NodeOfPod): Promise<void> {
  cluster.writePair(node, await authority.issue({ commonName: node, sans: [address] }));
  new Process(PROGRAM, [`${address}:${PORT}`, cluster.file(`${node}.crt`), cluster.file(`${node}.key`), ...enter]);
  await cluster.apply([{ apiVersion: 'v1', kind: 'Node', metadata: { name: node } }, pod]);
  const { metadata: { name, namespace } } = pod;
  const say = (words: string[], status: object) => cluster.kubectl(['patch', ...words, '--subresource=status', '--type=merge', '--patch', JSON.stringify({ status })]);
  await say(['node', node], { addresses: [{ type: 'InternalIP', address }], daemonEndpoints: { kubeletEndpoint: { Port: PORT } } });
  await say(['pod', name, '--namespace', namespace], { phase: 'Running' });
}
