import { mkdirSync, readFileSync, writeFileSync } from 'fs';
import { connect } from 'net';
import { join } from 'path';
import { Network, TESTS_ADDRESS, TESTS_NETWORK } from './network';
import { eventually } from '../../../data-path/support/eventually';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';
import { CertificateAuthority } from '../../../support/certificates';

/** What differs from operator to operator; files are below the folder that scripts/operator.sh made. */
export interface OperatorFiles {
  /** The folder of scripts/operator.sh. */
  readonly folder: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Its service account. */
  readonly serviceAccount: string;
  /** Definitions, roles and bindings, and what must be there before the operator starts. */
  readonly objects: any[];
  /** Mutating and validating webhooks; where they are found is replaced. */
  readonly webhooks: any[];
  readonly args: string[];
  /** Where its webhooks are. @default 9443, as controller-runtime has it */
  readonly webhookPort?: number;
  /** @default - no more than it needs of a pod's */
  readonly env?: { readonly [name: string]: string };
}

/** Those that were started, so that each has files of its own. */
let started = 0;

/** An operator as its chart runs it: with the rights of its own service account, and its webhooks in front of the API server. */
export class Operator {
  /** @param network in which its ports are free */
  public static async start(cluster: Cluster, files: (webhookCa: string) => OperatorFiles, network: Network = TESTS_NETWORK): Promise<Operator> {
    const authority = await CertificateAuthority.create('webhooks', 'ecdsa');
    const serving = await authority.issue({ commonName: 'webhooks', sans: [network.address], keyType: 'ecdsa' });
    const temporary = cluster.file(`operator-${++started}`);
    const kubeconfig = `${temporary}.conf`;
    const certificates = join(temporary, 'k8s-webhook-server', 'serving-certs');
    mkdirSync(certificates, { recursive: true });
    writeFileSync(join(certificates, 'tls.crt'), serving.certificate);
    writeFileSync(join(certificates, 'tls.key'), serving.key);
    writeFileSync(join(certificates, 'ca.crt'), authority.certificate);
    const { folder, namespace, serviceAccount, objects, webhooks, args, webhookPort = 9443, env } = files(join(certificates, 'ca.crt'));
    const address: WebhookAddress = { host: network.address, port: webhookPort, caBundle: Buffer.from(authority.certificate).toString('base64') };

    await applyInOrder(cluster, objects.map(object => convertingBy(object, address)));
    const server = `https://${network === TESTS_NETWORK ? '127.0.0.1' : TESTS_ADDRESS}:${cluster.port}`;
    writeFileSync(kubeconfig, JSON.stringify({
      'apiVersion': 'v1',
      'kind': 'Config',
      'clusters': [{ name: 'management', cluster: { server, 'tls-server-name': '127.0.0.1', 'certificate-authority': cluster.caFile } }],
      'users': [{ name: 'operator', user: { token: await cluster.token(namespace, serviceAccount) } }],
      'contexts': [{ name: 'operator', context: { cluster: 'management', user: 'operator', namespace } }],
      'current-context': 'operator',
    }));
    const [command, ...words] = [...network.prefix, join(folder, 'manager'), ...args];
    const process = new Process(command, words, {
      cwd: temporary,
      env: {
        PATH: globalThis.process.env.PATH,
        HOME: temporary,
        TMPDIR: temporary,
        KUBECONFIG: kubeconfig,
        POD_NAMESPACE: namespace,
        SERVICE_ACCOUNT: serviceAccount,
        ...env,
      },
    });
    await eventually(async () => {
      if (!process.alive) {
        throw new Error(`the operator ended:\n${process.output}`);
      }
      return webhooks.length === 0 || listens(network.address, webhookPort);
    }, 120_000);
    if (webhooks.length === 0) {
      return new Operator(process, versionOf(folder));
    }
    await cluster.apply(webhooks.map(object => ({
      ...object,
      webhooks: object.webhooks.map((webhook: any) => ({ ...webhook, clientConfig: clientConfig(webhook.clientConfig.service.path, address) })),
    })), '--server-side');
    return new Operator(process, versionOf(folder));
  }

  private constructor(public readonly process: Process, public readonly version: string) {}
}

/** Of a folder of scripts/operator.sh or scripts/cluster-api.sh. */
export function versionOf(folder: string): string {
  return readFileSync(join(folder, 'version'), 'utf8').trim();
}

/** Definitions first: what follows them is of their kinds. */
async function applyInOrder(cluster: Cluster, objects: any[]): Promise<void> {
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  await cluster.apply(definitions, '--server-side');
  await cluster.kubectl(['wait', '--for=condition=Established', 'customresourcedefinitions', '--all', '--timeout=60s']);
  await cluster.apply(objects.filter(({ kind }) => kind === 'Namespace'), '--server-side');
  await cluster.apply(objects.filter(({ kind }) => !['CustomResourceDefinition', 'Namespace'].includes(kind)), '--server-side');
}

/** A definition whose versions the operator converts, at the address of the tests. */
function convertingBy(object: any, address: WebhookAddress): any {
  const { conversion } = object.spec ?? {};
  if (conversion?.strategy !== 'Webhook') {
    return object;
  }
  const { path = '/convert' } = conversion.webhook.clientConfig?.service ?? {};
  const webhook = { ...conversion.webhook, clientConfig: clientConfig(path, address) };
  return { ...object, spec: { ...object.spec, conversion: { ...conversion, webhook } } };
}

interface WebhookAddress {
  readonly host: string;
  readonly port: number;
  readonly caBundle: string;
}

function clientConfig(path: string, { host, port, caBundle }: WebhookAddress): object {
  return { url: `https://${host}:${port}${path}`, caBundle };
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false)).once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
}
