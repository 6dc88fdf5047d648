import { X509Certificate } from 'crypto';
import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { Agent } from './support/agent';
import { Cluster, EXPOSURE } from './support/cluster';
import { CORE_GROUPS, Management } from './support/delivery';
import { LISTEN_PORT, Proxy } from './support/proxy';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantDelivery,
} from '../../src';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { CertificateAuthority } from '../support/certificates';

const NODE = '10.77.0.2';
const NAMESPACE = 'tenant-certificates';
const USER = `system:serviceaccount:${NAMESPACE}:${NAMESPACE}`;

let management: Management;
let tenant: Cluster;

/** A delivery, and where what it emits says that the tenant's objects are: for kubectl, in the place of its controllers. */
interface Delivery {
  readonly name: string;
  readonly delivery: TenantDelivery;
  readonly platform: ControlPlanePlatform;
  readonly source: (manifests: any[]) => { readonly folder: string } | { readonly texts: string[] };
}

const ofKind = (manifests: any[], kind: string) => manifests.find(manifest => manifest.kind === kind);
const DELIVERIES: Delivery[] = [
  {
    name: 'manifests()',
    delivery: TenantDelivery.manifests(),
    platform: ControlPlanePlatform.kamaji(),
    source: () => ({ folder: 'dist/tenants-tenant-01' }),
  },
  {
    name: 'flux()',
    delivery: TenantDelivery.flux({ source: { name: 'fleet' } }),
    platform: ControlPlanePlatform.kamaji(),
    source: manifests => ({ folder: ofKind(manifests, 'Kustomization').spec.path }),
  },
  {
    name: 'argoCd()',
    delivery: TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/fleet.git' }),
    platform: ControlPlanePlatform.kamaji(),
    source: manifests => ({ folder: ofKind(manifests, 'Application').spec.source.path }),
  },
  {
    name: 'clusterResourceSet()',
    delivery: TenantDelivery.clusterResourceSet(),
    platform: ControlPlanePlatform.kamajiControlPlane(),
    source: manifests => ({
      texts: ofKind(manifests, 'ClusterResourceSet').spec.resources.map(({ name }: any) =>
        manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name).data['objects.yaml']),
    }),
  },
];

/** What the app of a user writes, in a repository of its own. */
function synthesized({ delivery, platform }: Delivery, withTenant = true): { readonly repository: string; readonly manifests: any[] } {
  const repository = mkdtempSync(join(tmpdir(), 'repository-'));
  const app = new App({ outdir: join(repository, 'dist') });
  const chart = new Chart(app, 'management');
  const tenants = new TenantCharts(chart, 'tenants', { delivery });
  if (withTenant) {
    const controlPlane = new IngressExposedControlPlane(chart, EXPOSURE.name, {
      namespace: EXPOSURE.namespace, kubernetesVersion: '1.32.13', hostname: EXPOSURE.api.host, platform, controller: IngressController.haproxy(), konnectivity: {}, domain: 'example.com',
    });
    new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
  }
  app.synth();
  return { repository, manifests: chart.toJson() };
}

const coreOf = (manifests: any[]) => manifests.filter(({ apiVersion }) => CORE_GROUPS.includes(apiVersion));

/** What the pods of the delivered Deployment mount; undefined while a part of it is missing. */
async function mounts(): Promise<{ certificate: { certificate: string; key: string }; ca: string } | undefined> {
  const { volumes } = (await tenant.get('deployment', 'kube-system', 'tcp-proxy')).spec.template.spec;
  const secret = await tenant.get('secret', 'kube-system', volumes.find((volume: any) => volume.name === 'tls').secret.secretName);
  const configMap = await tenant.get('configmap', 'kube-system', volumes.find((volume: any) => volume.name === 'ca').configMap.name);
  const text = (key: string) => Buffer.from(secret.data[key], 'base64').toString();
  return secret && configMap && { certificate: { certificate: text('tls.crt'), key: text('tls.key') }, ca: configMap.data['ca.crt'] };
}

const issuedBy = (mounted: Awaited<ReturnType<typeof mounts>>, { certificate }: CertificateAuthority) =>
  new X509Certificate(mounted!.certificate.certificate).verify(new X509Certificate(certificate).publicKey);

async function publishPodCa(certificates: string): Promise<void> {
  await tenant.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'kube-system' }, data: { 'ca.crt': certificates } }]);
}

beforeAll(async () => {
  [management, tenant] = await Promise.all([Management.start(NAMESPACE), Cluster.start()]);
  await publishPodCa(tenant.ca.certificate);
}, 180_000);

afterAll(stopParts);

describe.each(DELIVERIES)('with $name', delivery => {
  let sync: Agent;
  let proxy: Proxy;
  let engine: (verb: 'apply' | 'delete') => Promise<unknown>;

  beforeAll(async () => {
    const { repository, manifests } = synthesized(delivery);
    await management.cluster.apply(coreOf(manifests));
    sync = await management.startSync(`sync-${delivery.name.replace(/\W/g, '').toLowerCase()}`, 8411, '--ca-settle-time=1s', '--ca-overlap=1s');
    const source = delivery.source(manifests);
    engine = verb => {
      const flags = verb === 'apply' ? ['--server-side', '--force-conflicts', '--field-manager=engine'] : ['--ignore-not-found'];
      return 'folder' in source
        ? tenant.kubectl([verb, ...flags, '--recursive', `--filename=${join(repository, source.folder)}`])
        : tenant.kubectl([verb, ...flags, '--filename=-'], { input: source.texts.join('---\n') });
    };
  }, 60_000);

  test('the proxy becomes ready after its objects and the management manifests were applied, in any order', async () => {
    await engine('apply');
    await management.writeSecrets(tenant);
    await management.synced(sync, 90_000);
    const { certificate, ca } = await eventually(mounts, 30_000);
    expect(new X509Certificate(certificate.certificate).checkHost('kubernetes.default.svc')).toBeDefined();
    const caFile = join(mkdtempSync(join(tmpdir(), 'ca-')), 'ca.crt');
    writeFileSync(caFile, ca);
    proxy = await Proxy.start(tenant, 'tcp-proxy-a', NODE, { certificate, caFile });
    await proxy.ready();
    await tenant.kubectl(['create', 'namespace', 'client']).catch(() => undefined);
    await tenant.kubectl(['create', 'serviceaccount', 'client', '--namespace=client']).catch(() => undefined);
    expect(await tenant.kubectl(['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'], {
      as: [
        '--kubeconfig=/dev/null', `--server=https://${NODE}:${LISTEN_PORT}`, '--tls-server-name=kubernetes.default.svc', `--certificate-authority=${tenant.caFile}`,
        `--token=${await tenant.token('client', 'client')}`,
      ],
    })).toBe('system:serviceaccount:client:client');
  }, 180_000);

  test('what the engine applies again does not disturb it, and sync writes nothing but its two objects', async () => {
    const before = await mounts();
    await engine('apply');
    expect(await mounts()).toEqual(before);
    const shown = await tenant.kubectl(['get', 'deployment', 'tcp-proxy', '--namespace=kube-system', '--show-managed-fields', '--output=json']);
    const { managedFields } = JSON.parse(shown).metadata;
    expect(managedFields.map(({ manager }: any) => manager)).toEqual(['engine']);
    expect(await tenant.get('configmap', 'kube-system', 'tenant-sync-inventory')).toBeUndefined();
  }, 60_000);

  test('a certificate that is lost is issued again', async () => {
    const before = (await mounts())!.certificate.certificate;
    await tenant.kubectl(['delete', 'secret', 'tcp-proxy-tls', '--namespace=kube-system']);
    const { certificate } = await eventually(async () => {
      const now = await mounts().catch(() => undefined);
      return now && now.certificate.certificate !== before ? now : undefined;
    }, 60_000);
    proxy.mount(certificate);
  }, 90_000);

  test('the certificate follows a new CA once pods trust it', async () => {
    const old = tenant.ca;
    const next = await CertificateAuthority.create('kubernetes', 'ecdsa');
    const both = `${next.certificate}${old.certificate}`;
    await management.writeSecrets(tenant, next, both);
    writeFileSync(tenant.caFile, both);
    await eventually(async () => (await mounts())!.ca.includes(next.certificate.trim()), 60_000);
    expect(issuedBy(await mounts(), old)).toBe(true);
    await publishPodCa(both);
    await eventually(async () => issuedBy(await mounts(), next), 90_000);
    // As before, for the next delivery.
    await management.writeSecrets(tenant);
    await eventually(async () => issuedBy(await mounts(), old), 90_000);
    await publishPodCa(old.certificate);
  }, 300_000);

  test('a tenant that leaves takes away the Secret, the ConfigMap, the status and what sync may read', async () => {
    await proxy.delete();
    await engine('delete');
    await management.removeBundle();
    await eventually(async () => await management.status() === undefined, 60_000);
    for (const [kind, name] of [['secret', 'tcp-proxy-tls'], ['configmap', 'tcp-proxy-ca'], ['deployment', 'tcp-proxy']]) {
      expect([name, await tenant.get(kind, 'kube-system', name)]).toEqual([name, undefined]);
    }
    // What is not among the manifests any more, as `kubectl apply --prune` and engines remove it.
    const rest = coreOf(synthesized(delivery, false).manifests);
    expect(rest).toEqual([]);
    await sync.stop();
    // There is no controller here that would empty a namespace.
    const gone = coreOf(synthesized(delivery).manifests).filter(({ kind }) => kind !== 'Namespace');
    await management.cluster.kubectl(['delete', '--ignore-not-found', '--filename=-'], { input: gone.map(object => JSON.stringify(object)).join('\n') });
    expect(await management.cluster.get('role', EXPOSURE.namespace, `${NAMESPACE}-secrets-${EXPOSURE.namespace}`)).toBeUndefined();
  }, 180_000);
});

test('sync asked both clusters for nothing that it may not have', () => {
  const events = management.cluster.auditOf(USER);
  expect(events.filter(event => event.responseStatus!.code === 403)).toEqual([]);
  expect([...new Set(events.map(({ objectRef }) => `${objectRef?.namespace}/${objectRef?.resource}`))].sort())
    .toEqual([`${NAMESPACE}/configmaps`, `${NAMESPACE}/leases`, 'tenants/secrets']);
  const written = tenant.auditOf('kubernetes-super-admin').filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
    .map(({ objectRef }) => `${objectRef?.resource} ${objectRef?.namespace}/${objectRef?.name}`);
  expect([...new Set(written)].sort()).toEqual(['configmaps kube-system/tcp-proxy-ca', 'secrets kube-system/tcp-proxy-tls']);
});
