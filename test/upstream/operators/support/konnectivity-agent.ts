import { mkdirSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';

const NAMESPACE = 'kube-system';
const NAME = 'konnectivity-agent';
/** Where the kubelet mounts what every pod has. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * A konnectivity agent of the tenant's DaemonSet, as a kubelet would run it: its arguments to the letter, but for where files are, with
 * the token of its volume.
 */
export async function startKonnectivityAgent(tenant: Cluster, program: string, nodeAddress: string): Promise<Process> {
  const { spec: { template: { spec: pod } } } = await tenant.get('daemonset', NAMESPACE, NAME);
  const [{ args, volumeMounts: [{ mountPath }] }] = pod.containers;
  const [{ projected: { sources: [{ serviceAccountToken: { path, audience } }] } }] = pod.volumes;
  const root = tenant.file(`${NAME}-${nodeAddress}`);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const token = await tenant.kubectl(['create', 'token', pod.serviceAccountName, '--namespace', NAMESPACE, `--audience=${audience}`]);
  write(join(mountPath, path), token.trim());
  write(join(SERVICE_ACCOUNT, 'ca.crt'), (await tenant.get('configmap', NAMESPACE, 'kube-root-ca.crt')).data['ca.crt']);
  return new Process(program, args.map((arg: string) =>
    arg.replace('$(NODE_IP)', nodeAddress).replace(/=(?=\/var\/run\/secrets\/)/, `=${root}`)));
}
