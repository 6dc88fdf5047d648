import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { SYNC_DEFAULTS } from '../../../../src/agent/contract/commands';
import { DEFAULT_LOG_LEVEL } from '../../../../src/agent/contract/log-level';
import { syncRules, tenantSecretsRules } from '../../../../src/agent/contract/rbac';
import { SyncConfiguration } from '../../src/sync/configuration';
import { SyncProgram } from '../../src/sync/program';
import { issueCertificate, ServingCertificate } from '../support/fake-api/certificates';
import { FakeCluster } from '../support/fake-api/fake-cluster';
import { AnyObject } from '../support/fake-api/object-store';

export const NAMESPACE = 'tenant-sync';
export const BUNDLES = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
export const INVENTORY = '/api/v1/namespaces/kube-system/configmaps/tenant-sync-inventory';

/** Longest wait for a condition: generous, because a busy machine is slow and a failure is rare. */
const PATIENCE_MS = 20_000;
jest.setTimeout(2 * PATIENCE_MS);

export interface BundleOptions {
  readonly objects?: readonly object[];
  /** Instead of the objects. */
  readonly yaml?: string;
  readonly settings?: object;
  readonly part?: number;
  readonly parts?: number;
}

/** A management cluster with tenants, and programs that sync them. */
export class Harness {
  static async create(): Promise<Harness> {
    const harness = new Harness();
    await harness.management.start();
    return harness;
  }

  readonly certificate: ServingCertificate = issueCertificate('localhost');
  readonly management = new FakeCluster(this.certificate);
  readonly logs: Record<string, unknown>[] = [];
  readonly tenants: FakeCluster[] = [];
  readonly dir = mkdtempSync(join(tmpdir(), 'sync-'));
  readonly caFile = join(this.dir, 'ca.crt');
  readonly tokenFile = join(this.dir, 'token');
  private markers = 0;
  private readonly running: { readonly shutdown: AbortController; readonly ended: Promise<void> }[] = [];

  private constructor() {
    writeFileSync(this.caFile, this.certificate.ca);
    writeFileSync(this.tokenFile, 'token-1\n');
  }

  /** A tenant's API server with its kubeconfig in the management cluster. */
  async tenant(name: string): Promise<FakeCluster> {
    const tenant = new FakeCluster(this.certificate);
    await tenant.start();
    this.tenants.push(tenant);
    this.kubeconfig(name, tenant.url);
    return tenant;
  }

  /** Puts the Secret with the kubeconfig of a tenant. */
  kubeconfig(name: string, server: string, { key = 'admin.svc', ca = this.certificate.ca } = {}): void {
    const kubeconfig = JSON.stringify({
      'current-context': 'admin',
      'contexts': [{ name: 'admin', context: { cluster: 'tenant', user: 'admin' } }],
      'clusters': [{ name: 'tenant', cluster: { server, 'certificate-authority-data': base64(ca) } }],
      'users': [{ name: 'admin', user: { token: 'token-1' } }],
    });
    this.management.put(`/api/v1/namespaces/tenants/secrets/${name}-admin-kubeconfig`, { data: { [key]: base64(kubeconfig) } });
    this.grant();
  }

  /** Puts a bundle, or one part of it. */
  bundle(name: string, { objects = [], yaml, settings = {}, part = 1, parts = 1 }: BundleOptions): void {
    const text = yaml ?? objects.map((object) => JSON.stringify(object)).join('\n---\n');
    const tenant = {
      version: 1,
      tenant: { namespace: 'tenants', name },
      part,
      parts,
      checksum: createHash('sha256').update(text + JSON.stringify(settings)).digest('hex'),
      kubeconfig: { secretName: `${name}-admin-kubeconfig`, keys: ['super-admin.svc', 'admin.svc'] },
      ...settings,
    };
    this.management.put(`${BUNDLES}/tenants-${name}${part === 1 ? '' : `-${part}`}`, {
      metadata: { labels: { 'app.kubernetes.io/name': 'tenant-bundle', 'app.kubernetes.io/instance': `tenants.${name}` } },
      data: { 'tenant.json': JSON.stringify(tenant), 'objects.yaml': text },
    });
  }

  /** Puts the Secret with the authority of a tenant, as operators have it. */
  authority(name: string): void {
    const [key, certificate] = ['key', 'crt'].map((suffix) => join(this.dir, `${name}-ca.${suffix}`));
    const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=kubernetes'];
    execFileSync('openssl', words, { stdio: 'pipe' });
    const data = { 'tls.crt': base64(readFileSync(certificate, 'utf8')), 'tls.key': base64(readFileSync(key, 'utf8')) };
    this.management.put(`/api/v1/namespaces/tenants/secrets/${name}-ca`, { data });
    this.grant();
  }

  removeBundle(name: string): void {
    this.management.remove(`${BUNDLES}/tenants-${name}`);
  }

  status(name: string): Record<string, string> | undefined {
    return this.management.object(`${BUNDLES}/tenants-${name}-status`)?.data;
  }

  statusWrites(name: string): number {
    return this.management.writes().filter((request) => (request.name ?? request.body?.metadata.name) === `tenants-${name}-status`).length;
  }

  /** Waits until a tenant is in a phase, and, if given, its message holds a text. */
  async phase(name: string, phase: string, message = ''): Promise<void> {
    await until(`${name} is ${phase} ${message}: ${JSON.stringify(this.status(name))}`, () =>
      this.status(name)?.phase === phase && this.status(name)!.message.includes(message));
  }

  /** Waits until whatever happened in the management cluster before was seen: a bundle that comes after it is. */
  async noticed(): Promise<void> {
    const name = `marker-${this.markers++}`;
    this.management.put(`${BUNDLES}/${name}`, { metadata: { labels: { 'app.kubernetes.io/name': 'tenant-bundle' } }, data: {} });
    await until('the marker is seen', () => this.management.object(`${BUNDLES}/${name}-status`) !== undefined);
  }

  /** Waits until the objects of a bundle that was just put are synced. */
  async synced(name: string): Promise<void> {
    const { checksum } = JSON.parse(this.management.object(`${BUNDLES}/tenants-${name}`)!.data['tenant.json']);
    await until(`${name} is synced`, () => this.status(name)?.phase === 'Synced' && this.status(name)!.checksum === checksum);
  }

  start(options: Partial<SyncConfiguration> = {}): { program: SyncProgram; stop(): Promise<void> } {
    const shutdown = new AbortController();
    const logger = pino({ level: 'debug' }, { write: (line) => this.logs.push(JSON.parse(line)) });
    const program = new SyncProgram(this.configuration(options), shutdown.signal, logger);
    const ended = program.run();
    this.running.push({ shutdown, ended });
    return {
      program,
      stop: async () => {
        shutdown.abort();
        await ended;
      },
    };
  }

  flags(podName: string, ...more: string[]): string[] {
    return [
      'sync', '--namespace', NAMESPACE, '--pod-name', podName, '--api-server', this.management.url,
      '--ca-file', this.caFile, '--token-file', this.tokenFile, '--health-address', '127.0.0.1:0', ...more,
    ];
  }

  async close(): Promise<void> {
    this.running.forEach(({ shutdown }) => shutdown.abort());
    await Promise.all(this.running.map(async ({ ended }) => ended));
    await Promise.all([this.management, ...this.tenants].map(async (cluster) => cluster.stop()));
    rmSync(this.dir, { recursive: true });
  }

  /** What the manifests grant. */
  grant(secrets: string[] = this.management.store.list('/api/v1/namespaces/tenants/secrets').map(({ metadata }) => metadata.name)): void {
    this.management.roles = [
      { namespace: NAMESPACE, rules: syncRules(SYNC_DEFAULTS.name) },
      { namespace: 'tenants', rules: tenantSecretsRules(secrets) },
    ];
  }

  private configuration(options: Partial<SyncConfiguration>): SyncConfiguration {
    return {
      namespace: NAMESPACE,
      podName: 'sync-0',
      apiServer: this.management.url,
      caFile: this.caFile,
      tokenFile: this.tokenFile,
      leaseName: SYNC_DEFAULTS.name,
      resyncInterval: 600_000,
      secretsInterval: 600_000,
      concurrency: 16,
      requestTimeout: 10_000,
      caSettleTime: 0,
      caOverlap: 0,
      certificatesOnly: false,
      healthAddress: [{ host: '127.0.0.1', port: 0 }],
      logLevel: DEFAULT_LOG_LEVEL,
      ...options,
    };
  }
}

/** The settings of a bundle that ask for the certificate of a tcp-proxy. */
export function certificateOf(name: string, objects: { namespace?: string; secretName?: string } = {}): object {
  return {
    certificate: {
      kind: 'issue',
      ca: { secretName: `${name}-ca`, certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
      secretName: 'tcp-proxy-tls',
      caConfigMapName: 'tcp-proxy-ca',
      namespace: 'kube-system',
      dnsNames: ['kubernetes'],
      ipAddresses: ['10.96.0.1'],
      ...objects,
    },
  };
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function configMap(name: string, data: Record<string, string> = { a: '1' }): AnyObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data };
}

export function deployment(name: string): AnyObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app: name } }, template: {} },
  };
}

/** Waits for a condition; fails when it does not come true in time. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!await condition()) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function metric(program: SyncProgram, name: string, labels: Record<string, string> = {}): Promise<number> {
  const { values } = await program.registry.getSingleMetric(name)!.get();
  const has = (of: Record<string, unknown>) => Object.entries(labels).every(([label, wanted]) => of[label] === wanted);
  return values.filter((value) => has(value.labels)).reduce((sum, { value }) => sum + value, 0);
}
