import { readFileSync } from 'fs';
import { join } from 'path';
import { CertificateAuthority } from '../../../../test/support/certificates';

/** Texts as they should be, from which others are made. */
export interface Seeds {
  readonly mapLines: readonly string[];
  readonly bundles: readonly string[];
  readonly objects: readonly string[];
  readonly kubeconfigs: readonly string[];
  readonly answers: readonly string[];
  readonly inventories: readonly string[];
  readonly certificates: readonly string[];
  readonly logs: readonly string[];
  readonly manifests: readonly string[];
}

const SNAPSHOT = join(__dirname, '..', '..', '..', '..', 'test', '__snapshots__', 'examples.test.ts.snap');
const OBJECT = /^ {4}\{\n[\s\S]*?^ {4}\}(?=,$)/gm;
const MOST_OBJECTS = 12;
const MOST_EXAMPLES = 20;
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Makes them; certificates are new ones. */
export async function makeSeeds(): Promise<Seeds> {
  const authority = await CertificateAuthority.create('kubernetes', 'ecdsa');
  const pair = await authority.issue({ commonName: 'tcp-proxy', sans: ['kubernetes', '10.96.0.1'], keyType: 'ecdsa' });
  const tenant = {
    version: 1,
    tenant: { namespace: 'tenants', name: 'tenant-01' },
    part: 1,
    parts: 1,
    checksum: 'abc',
    kubernetesEndpoints: 'owned',
    kubeconfig: { secretName: 'tenant-01-admin-kubeconfig', keys: ['super-admin.svc', 'admin.svc'] },
    certificate: {
      kind: 'issue',
      ca: { secretName: 'tenant-01-ca', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
      secretName: 'tcp-proxy-tls',
      caConfigMapName: 'tcp-proxy-ca',
      namespace: 'kube-system',
      dnsNames: ['kubernetes'],
      ipAddresses: ['10.96.0.1'],
    },
  };
  const kubeconfig = (user: object) => ({
    'current-context': 'admin',
    'contexts': [{ name: 'admin', context: { cluster: 'tenant', user: 'admin' } }],
    'clusters': [{ name: 'tenant', cluster: { 'server': 'https://tenant-01.tenants.svc:6443', 'certificate-authority-data': base64(authority.certificate) } }],
    'users': [{ name: 'admin', user }],
  });
  const configs = [kubeconfig({ token: 'sEcReT' }), kubeconfig({ 'client-certificate-data': base64(pair.certificate), 'client-key-data': base64(pair.key) })];
  const pod = {
    metadata: { name: 'a', labels: { app: 'b' } },
    status: { phase: 'Running', hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }], conditions: [{ type: 'Ready', status: 'True' }] },
  };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { a: '1' } };
  return {
    mapLines: [
      'tenant-01.k8s.example.com tenant-01.tenants.svc.cluster.local:6443', 'tenant-01 tenant-01.tenants.svc.cluster.local:6443:tenants/tenant-01',
      '30443 tenant-01.tenants.svc.cluster.local:6443', 'fd00::1 tenant-01.tenants.svc.cluster.local:6443', '10.0.0.0/8@tenants/tenant-01 1',
    ],
    bundles: [JSON.stringify(tenant), JSON.stringify({ ...tenant, written: [{ kind: 'Secret', namespace: 'a', name: 'b' }] })],
    objects: [
      JSON.stringify(object), `${JSON.stringify(object)}\n---\n${JSON.stringify({ ...object, kind: 'Secret' })}`,
      'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: b, namespace: a}\nspec:\n  template: &t {a: b}\n  c: *t\n',
    ],
    kubeconfigs: [...configs.map(config => JSON.stringify(config)), ...configs.map(config => JSON.stringify(config, undefined, 2))],
    answers: [
      JSON.stringify(pod), JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '1', continue: 'a' }, items: [pod, pod] }),
      JSON.stringify({ type: 'ADDED', object: pod }), JSON.stringify({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }),
    ],
    inventories: [JSON.stringify({ version: 1, objects: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'a', name: 'b', pods: 'app=b' }, { apiVersion: 'v1', kind: 'Namespace', name: 'a' }] })],
    certificates: [`${pair.certificate}=====\n${pair.key}`, `${pair.certificate}${authority.certificate}=====\n${pair.key}`],
    logs: [
      '[WARNING]  (123) : Server probe/upstream is DOWN, reason: Layer6 invalid response', 'total=0 source=12:10.0.0.1 tenant=3:tenant-01',
      '<134>10.0.0.1:1234 [28/Nov/2026] sni~ tenants/tenant 0/0/1 42 -- 1/1/0/0/0 0/0 tenant-01.k8s.example.com',
    ],
    manifests: manifests(),
  };
}

/** What the examples emit: their objects, as the snapshots have them, which is YAML too. */
function manifests(): string[] {
  const examples = readFileSync(SNAPSHOT, 'utf8').split(/^`;$/m);
  return examples.map(text => (text.match(OBJECT) ?? []).slice(0, MOST_OBJECTS).join('\n---\n')).filter(text => text !== '').slice(0, MOST_EXAMPLES);
}
