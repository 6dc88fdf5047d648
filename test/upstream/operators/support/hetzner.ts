import { readdirSync } from 'fs';
import { join } from 'path';
import { readObjects } from './chart';
import { OperatorFiles } from './operator';
import { Cluster } from '../../../e2e/support/cluster';
import { rendered } from '../../support/cluster-api';

/** Kinds that make its pods and certificates, which the tests play. */
const PLAYED = ['Deployment', 'Service', 'Certificate', 'Issuer'];

/** Hetzner's provider as its release installs it, beside the definitions of Cluster API. */
export async function hetznerProvider(cluster: Cluster, folder: string): Promise<OperatorFiles> {
  const installed = await rendered(cluster, join(folder, 'source', 'config', 'default'));
  const isWebhook = ({ kind }: any) => kind.endsWith('WebhookConfiguration');
  const { metadata: { namespace }, spec: { template: { spec: pod } } } = installed.find(({ kind }) => kind === 'Deployment');
  const clusterApi = join(folder, 'cluster-api');
  return {
    folder,
    namespace,
    serviceAccount: pod.serviceAccountName ?? installed.find(({ kind }) => kind === 'ServiceAccount').metadata.name,
    objects: [
      ...readObjects(readdirSync(clusterApi).map(file => join(clusterApi, file))),
      ...installed.filter(object => !isWebhook(object) && !PLAYED.includes(object.kind)),
    ],
    webhooks: installed.filter(isWebhook),
    args: ['--leader-elect=false', '--health-probe-bind-address=127.0.0.1:19440', '--metrics-bind-address=0'],
  };
}
