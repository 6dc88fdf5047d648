import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { TENANT_NAME } from './tenant-farm';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantDelivery,
} from '../../src';
import { Cluster } from '../../test/e2e/support/cluster';
import { Process } from '../../test/e2e/support/process';
import { CertificateAuthority } from '../../test/support/certificates';
import { ApiClient } from '../proxy/api-client';
import { imageProcess } from '../proxy/contender';

const KINDS = ['Namespace', 'ConfigMap', 'ServiceAccount', 'Role', 'RoleBinding'];
const PARALLEL = 8;

export interface TenantSpec {
  readonly name: string;
  /** Its API server. */
  readonly url: string;
}

/** The management cluster: a real API server that holds the bundles and the Secrets of the operators. */
export class Installation {
  public static async start(): Promise<Installation> {
    const cluster = await Cluster.start({ behindIngress: false });
    return new Installation(cluster, new ApiClient(cluster), await CertificateAuthority.create('kubernetes', 'ecdsa'));
  }

  /** Options of Node.js that the manifests set. */
  private nodeOptions = '';

  private constructor(private readonly cluster: Cluster, public readonly api: ApiClient, public readonly tenantCa: CertificateAuthority) {}

  /** Creates the manifests of the library for these tenants, each with a tcp-proxy whose certificate sync issues. */
  public async deliver(namespace: string, tenants: TenantSpec[]): Promise<void> {
    const management = new Chart(new App(), 'management');
    const charts = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync({ namespace }) });
    for (const { name } of tenants) {
      const controlPlane = new IngressExposedControlPlane(management, name, {
        namespace: `${namespace}-tenants`,
        kubernetesVersion: '1.32.13',
        hostname: `${name}.k8s.example.com`,
        platform: ControlPlanePlatform.kamaji(),
        controller: IngressController.haproxy(),
      });
      new TcpProxyAddon(charts.of(controlPlane), 'tcp-proxy', { controlPlane });
    }
    const all: any[] = management.toJson();
    const { env } = all.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
    this.nodeOptions = env.find(({ name }: any) => name === 'NODE_OPTIONS').value;
    const manifests = all.filter(({ kind }) => KINDS.includes(kind));
    const admin = await this.tenantCa.issue({ commonName: 'kubernetes-super-admin', organization: 'system:masters', keyType: 'ecdsa' });
    const ca = { 'ca.crt': this.tenantCa.certificate, 'ca.key': await this.tenantCa.key() };
    const secret = (name: string, stringData: { [key: string]: string }) =>
      ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: `${namespace}-tenants` }, stringData });
    await this.create([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${namespace}-tenants` } },
      ...manifests.filter(({ kind }) => kind === 'Namespace'),
    ]);
    await this.create([
      ...manifests.filter(({ kind }) => kind !== 'Namespace'),
      ...tenants.flatMap(({ name, url }) => [
        secret(`${name}-ca`, ca),
        secret(`${name}-admin-kubeconfig`, { 'super-admin.svc': kubeconfig(url, this.tenantCa.certificate, admin) }),
      ]),
    ]);
  }

  /** Starts sync with the permissions of the manifests, in the root file system of the image. */
  public async startSync(namespace: string): Promise<Process> {
    const folder = mkdtempSync(join(tmpdir(), 'sync-'));
    writeFileSync(join(folder, 'token'), (await this.cluster.kubectl(['create', 'token', 'tenant-sync', '--namespace', namespace, '--duration=2h'])).trim());
    return imageProcess('/usr/bin/node', [
      this.nodeOptions,
      '/usr/bin/tcp-proxy',
      'sync',
      `--namespace=${namespace}`,
      '--pod-name=tenant-sync-a',
      `--api-server=https://127.0.0.1:${this.cluster.port}`,
      `--ca-file=${this.cluster.caFile}`,
      `--token-file=${join(folder, 'token')}`,
      '--health-address=127.0.0.1:8404',
      '--log-level=warn',
    ]);
  }

  /** How many tenants are in each phase. */
  public async phases(namespace: string): Promise<{ [phase: string]: number }> {
    const { items } = await this.api.send('GET', `/api/v1/namespaces/${namespace}/configmaps?labelSelector=app.kubernetes.io/name=tenant-status&resourceVersion=0`);
    const phases: { [phase: string]: number } = {};
    for (const { data } of items) {
      phases[data.phase] = (phases[data.phase] ?? 0) + 1;
    }
    return phases;
  }

  private async create(objects: any[]): Promise<void> {
    const rest = [...objects];
    await Promise.all(Array.from({ length: PARALLEL }, async () => {
      for (let object = rest.shift(); object; object = rest.shift()) {
        await this.api.send('POST', collectionOf(object), object);
      }
    }));
  }
}

function collectionOf({ apiVersion, kind, metadata: { namespace } }: any): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return `${root}${namespace ? `/namespaces/${namespace}` : ''}/${kind.toLowerCase()}s`;
}

function kubeconfig(url: string, ca: string, admin: { certificate: string; key: string }): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: 'tenant', cluster: { 'server': url, 'tls-server-name': TENANT_NAME, 'certificate-authority-data': base64(ca) } }],
    'users': [{ name: 'admin', user: { 'client-certificate-data': base64(admin.certificate), 'client-key-data': base64(admin.key) } }],
    'contexts': [{ name: 'admin', context: { cluster: 'tenant', user: 'admin' } }],
    'current-context': 'admin',
  });
}
