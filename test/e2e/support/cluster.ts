import { execFile } from 'child_process';
import { generateKeyPairSync } from 'crypto';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart, Testing } from 'cdk8s';
import { Process } from './process';
import { Exposure, TcpProxyAddon } from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { startIngress } from '../../data-path/support/ingress';
import { CertificateAuthority, CertificatePair } from '../../support/certificates';
import { freePorts } from '../../support/ports';

/** The control plane that the tests play; its host is in /etc/hosts of the network namespace, see scripts/e2e.sh. */
export const EXPOSURE = new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com' });

const START_DEADLINE_MS = 60_000;

/** One line of the API server's audit log. */
export interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource: string; readonly namespace?: string; readonly name?: string; readonly apiGroup?: string };
  readonly responseStatus?: { readonly code: number };
  readonly requestURI: string;
}

export interface KubectlOptions {
  readonly input?: string;
  /** Flags of another identity or server, instead of the administrator's kubeconfig. */
  readonly as?: string[];
}

export interface ClusterOptions {
  /** Further arguments of the API server. */
  readonly apiServerArgs?: string[];
  /** Whether it is a tenant's, behind the shared ingress. Default: true. */
  readonly behindIngress?: boolean;
  /** How the tenant is exposed. Default: EXPOSURE. */
  readonly exposure?: Exposure;
}

/** What an API server of the same tenant in another management cluster has of its own; nothing by default, as after a move by the book. */
export interface ElsewhereOptions {
  /** An authority of its own. */
  readonly ca?: CertificateAuthority;
  /** Keys of service accounts of its own. */
  readonly ownServiceAccountKeys?: boolean;
  /** Another part of the datastore. */
  readonly etcdPrefix?: string;
}

/** A tenant's API server, as a hosted control plane runs it, behind a shared ingress at 127.0.0.1:443. */
export class Cluster {
  public static async start({ apiServerArgs = [], behindIngress = true, exposure = EXPOSURE }: ClusterOptions = {}): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
    const ca = await CertificateAuthority.create('kubernetes', 'ecdsa');
    const cluster = new Cluster(folder, ca, exposure, await freePorts(3), apiServerArgs);
    await cluster.writeCertificates();
    cluster.startEtcd();
    await cluster.startApiServer();
    if (behindIngress) {
      await startIngress(folder, { [exposure.api.host]: cluster.port }, exposure.api.port);
    }
    return cluster;
  }

  public apiServer!: Process;
  /** Who writes the endpoints of the Service `kubernetes`; this project sets `none` where its tcp-proxy owns them. */
  public endpointReconciler: 'none' | 'lease' = 'none';
  /** Port of the API server on 127.0.0.1. */
  public readonly port: number;
  private readonly kubeconfig: string;
  private readonly etcdPorts: number[];

  private constructor(
    public readonly folder: string,
    public readonly ca: CertificateAuthority,
    private readonly exposure: Exposure,
    ports: number[],
    private readonly apiServerArgs: string[],
  ) {
    [this.port, ...this.etcdPorts] = ports;
    this.kubeconfig = this.file('admin.conf');
  }

  public get caFile(): string {
    return this.file('ca.crt');
  }

  /** A file of the cluster's folder. */
  public file(name: string): string {
    return join(this.folder, name);
  }

  /** Runs kubectl and gives what it prints; rejects with what it complains about. */
  public kubectl(args: string[], options: KubectlOptions = {}): Promise<string> {
    const identity = options.as ?? [`--kubeconfig=${this.kubeconfig}`];
    return new Promise((resolve, reject) => {
      const child = execFile(tool('kubectl'), [...identity, ...args], { maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
        if (error) {
          reject(new Error(`kubectl ${args.join(' ')}: ${stderr || error.message}`));
        } else {
          resolve(stdout);
        }
      });
      // kubectl may end before it has read anything: its exit code says how that went.
      child.stdin!.on('error', () => undefined).end(options.input ?? '');
    });
  }

  /** Reads an object; undefined when there is none. */
  public async get(kind: string, namespace: string, name: string): Promise<any> {
    const text = await this.kubectl(['get', kind, '--namespace', namespace, name, '--output', 'json', '--ignore-not-found']);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Applies manifests as the administrator. */
  public async apply(manifests: object[], ...flags: string[]): Promise<string> {
    // Not as a List: kubectl would validate that by itself, with rules that ignore defaults.
    return this.kubectl(['apply', '--filename=-', ...flags], { input: manifests.map(manifest => JSON.stringify(manifest)).join('\n') });
  }

  /** Applies everything of a tcp-proxy addon but its workload, which the tests play themselves. */
  public async applyAddon(): Promise<void> {
    const chart = new Chart(new App(), 'tenant');
    new TcpProxyAddon(chart, 'tcp-proxy', { exposure: EXPOSURE });
    await this.apply(Testing.synth(chart).filter((manifest: any) => manifest.kind !== 'Deployment'));
  }

  /** A token of a service account, as the kubelet projects it into pods. */
  public async token(namespace: string, serviceAccount: string): Promise<string> {
    return (await this.kubectl(['create', 'token', serviceAccount, '--namespace', namespace])).trim();
  }

  /** What the API server recorded of a user. */
  public auditOf(username: string): AuditEvent[] {
    return readFileSync(this.file('audit.log'), 'utf8').split('\n').filter(Boolean)
      .map(line => JSON.parse(line) as AuditEvent)
      .filter(event => event.user.username === username);
  }

  public writePair(name: string, pair: CertificatePair): void {
    writeFileSync(this.file(`${name}.crt`), pair.certificate);
    writeFileSync(this.file(`${name}.key`), pair.key);
  }

  /** Starts the API server again after it was killed. */
  public async startApiServer(): Promise<void> {
    this.apiServer = await this.startReplica(this.port);
  }

  /** The API server of this tenant in another management cluster: on the same datastore, and with the Secrets that came along. */
  public async elsewhere({ ca = this.ca, ownServiceAccountKeys = false, etcdPrefix }: ElsewhereOptions = {}): Promise<Cluster> {
    const [port] = await freePorts(1);
    const flags = etcdPrefix === undefined ? [] : [`--etcd-prefix=${etcdPrefix}`];
    const cluster = new Cluster(mkdtempSync(join(tmpdir(), 'e2e-')), ca, this.exposure, [port, ...this.etcdPorts], [...this.apiServerArgs, ...flags]);
    await cluster.writeCertificates();
    if (!ownServiceAccountKeys) ['sa.key', 'sa.pub'].forEach(name => copyFileSync(this.file(name), cluster.file(name)));
    await cluster.startApiServer();
    return cluster;
  }

  /** Starts an API server on the one etcd, at a port of 127.0.0.1. */
  public async startReplica(port: number): Promise<Process> {
    const replica = new Process(tool('kube-apiserver'), [
      `--etcd-servers=http://127.0.0.1:${this.etcdPorts[0]}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=10.77.0.1',
      `--tls-cert-file=${this.file('apiserver.crt')}`,
      `--tls-private-key-file=${this.file('apiserver.key')}`,
      `--client-ca-file=${this.caFile}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.96.0.0/16',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-signing-key-file=${this.file('sa.key')}`,
      `--service-account-key-file=${this.file('sa.pub')}`,
      `--audit-policy-file=${this.file('audit.yaml')}`,
      `--audit-log-path=${this.file('audit.log')}`,
      // No controller manager makes the service accounts of pods here.
      '--disable-admission-plugins=ServiceAccount',
      `--endpoint-reconciler-type=${this.endpointReconciler}`,
      ...this.apiServerArgs,
    ], { cwd: this.folder });
    await eventually(async () => {
      if (!replica.alive) {
        throw new Error(`kube-apiserver ended:\n${replica.output}`);
      }
      return (await this.kubectl(['get', '--raw=/readyz', `--server=https://127.0.0.1:${port}`])) === 'ok';
    }, START_DEADLINE_MS);
    return replica;
  }

  private startEtcd(): void {
    const [client, peer] = this.etcdPorts.map(port => `http://127.0.0.1:${port}`);
    new Process(tool('etcd'), [
      `--data-dir=${this.file('etcd')}`,
      '--unsafe-no-fsync',
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ]);
  }

  private async writeCertificates(): Promise<void> {
    writeFileSync(this.caFile, this.ca.certificate);
    this.writePair('apiserver', await this.ca.issue({ commonName: 'kube-apiserver', sans: [...this.exposure.certSans, '127.0.0.1'], keyType: 'ecdsa' }));
    this.writePair('admin', await this.ca.issue({ commonName: 'admin', organization: 'system:masters', keyType: 'ecdsa' }));
    const serviceAccount = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(this.file('sa.key'), serviceAccount.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(this.file('sa.pub'), serviceAccount.publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(this.file('audit.yaml'), JSON.stringify({
      apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }],
    }));
    writeFileSync(this.kubeconfig, JSON.stringify({
      'apiVersion': 'v1',
      'kind': 'Config',
      'clusters': [{ name: 'tenant', cluster: { 'server': `https://127.0.0.1:${this.port}`, 'certificate-authority': this.caFile } }],
      'users': [{ name: 'admin', user: { 'client-certificate': this.file('admin.crt'), 'client-key': this.file('admin.key') } }],
      'contexts': [{ name: 'admin', context: { cluster: 'tenant', user: 'admin' } }],
      'current-context': 'admin',
    }));
  }
}

function tool(name: string): string {
  return join(process.env.KUBEBUILDER_ASSETS!, name);
}
