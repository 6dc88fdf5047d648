import { readdirSync } from 'fs';
import { join } from 'path';
import { readObjects, renderChart } from './chart';
import { Datastore } from './datastore';
import { OperatorFiles } from './operator';

/** An operator of TenantControlPlanes, with a chart as Kamaji's. */
export interface TenantControlPlaneOperatorProps {
  /** As its chart and its service are called. */
  readonly name: string;
  /** API group of its kinds. */
  readonly group: string;
  /** The folder of scripts/operator.sh. */
  readonly folder: string;
  readonly datastore: Datastore;
  /** Further arguments. */
  readonly args?: string[];
}

/** Kinds of the chart that make the operator's pods, which the tests play. */
const PLAYED = ['Deployment', 'Service', 'Certificate', 'Issuer'];

/** Its chart, a DataStore, and the kinds of the Gateway API that it writes. */
export function tenantControlPlaneOperator(props: TenantControlPlaneOperatorProps, webhookCa: string): OperatorFiles {
  const { name, group, folder, datastore, args = [] } = props;
  const namespace = `${name}-system`;
  const installed = renderChart(join(folder, 'source', 'charts', name), name, namespace);
  const isWebhook = ({ kind }: any) => kind.endsWith('WebhookConfiguration');
  const { spec: { template: { spec: pod } } } = installed.find(({ kind }) => kind === 'Deployment');
  const gatewayApi = join(folder, 'gateway-api');
  return {
    folder,
    namespace,
    serviceAccount: pod.serviceAccountName,
    objects: [
      ...readObjects(readdirSync(gatewayApi).map(file => join(gatewayApi, file))),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      ...installed.filter(object => !isWebhook(object) && !PLAYED.includes(object.kind)),
      ...datastoreObjects(group, namespace, datastore),
    ],
    webhooks: installed.filter(isWebhook),
    // The file is elsewhere, and a lease that a busy machine does not renew in time would end the only process.
    args: [...pod.containers[0].args, '--leader-elect=false', `--webhook-ca-path=${webhookCa}`, '--max-concurrent-tcp-reconciles=4', ...args],
  };
}

function datastoreObjects(group: string, namespace: string, { endpoint, ca, root }: Datastore): any[] {
  const secret = (name: string, stringData: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData });
  const pair = (name: string, certificate: string, privateKey: string) => Object.fromEntries([['certificate', certificate], ['privateKey', privateKey]]
    .map(([part, keyPath]) => [part, { secretReference: { name, namespace, keyPath } }]));
  return [
    secret('etcd-certs', { 'ca.crt': ca.certificate, 'ca.key': ca.key }),
    secret('root-client-certs', { 'tls.crt': root.certificate, 'tls.key': root.key }),
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'DataStore',
      metadata: { name: 'default' },
      spec: {
        driver: 'etcd',
        endpoints: [endpoint],
        tlsConfig: { certificateAuthority: pair('etcd-certs', 'ca.crt', 'ca.key'), clientCertificate: pair('root-client-certs', 'tls.crt', 'tls.key') },
      },
    },
  ];
}
