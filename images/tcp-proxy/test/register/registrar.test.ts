import { pino } from 'pino';
import { Registration } from '../../../../src/agent/contract/registrations';
import { ApiError, CallOptions, KubernetesApi } from '../../src/kubernetes/kubernetes-api';
import { Registrar } from '../../src/register/registrar';

const PEM = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');

/** A kubeconfig with further fields of its cluster and its user. */
function kubeconfig(cluster: object = {}, user: object = { token: 'abc' }): string {
  return Buffer.from(JSON.stringify({
    'clusters': [{ name: 'c', cluster: { 'server': 'https://a.example.com:6443', 'certificate-authority-data': PEM, ...cluster } }],
    'users': [{ name: 'u', user }],
    'contexts': [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  })).toString('base64');
}

function registration(name: string): Registration {
  return {
    tenant: { namespace: 'tenants', name },
    kubeconfig: { secretName: `${name}-admin`, keys: ['value'] },
    secret: { namespace: 'argocd', name: `${name}-cluster` },
    owner: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', resource: 'applications', name },
    as: { kind: 'argo-cd', name: `cluster-${name}` },
  };
}

/** A few objects by their paths, and what was done to them. */
class Store {
  public readonly objects = new Map<string, any>();
  public readonly writes: string[] = [];
  public readonly lines: any[] = [];
  private readonly registrar = new Registrar(this as unknown as KubernetesApi, pino({}, { write: line => this.lines.push(JSON.parse(line)) }));

  public async call(_: string, path: string): Promise<any> {
    if (!this.objects.has(path)) throw new ApiError(404, 'NotFound', 'not found');
    return this.objects.get(path);
  }

  public async apply(path: string, object: any): Promise<void> {
    this.writes.push(`apply ${path}`);
    this.objects.set(path, { ...object, metadata: { ...object.metadata, uid: `uid of ${path}`, resourceVersion: '1' } });
  }

  public async send(method: string, path: string, { body }: CallOptions): Promise<void> {
    this.writes.push(`${method} ${path} ${JSON.stringify((body as any).preconditions)}`);
    this.objects.delete(path);
  }

  public tenant(name: string, value = kubeconfig()): this {
    this.objects.set(`/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/${name}`, { metadata: { name, uid: `uid-${name}` } });
    this.objects.set(`/api/v1/namespaces/tenants/secrets/${name}-admin`, { metadata: { name }, data: { value } });
    return this;
  }

  public round(...names: string[]): Promise<object> {
    return this.registrar.round(names.map(registration));
  }

  public config(name: string): any {
    const { data } = this.objects.get(`/api/v1/namespaces/argocd/secrets/${name}-cluster`);
    return { server: Buffer.from(data.server, 'base64').toString(), ...JSON.parse(Buffer.from(data.config, 'base64').toString()) };
  }
}

test('writes nothing while nothing has changed, also when others add labels of theirs', async () => {
  const store = new Store().tenant('a');
  expect(await store.round('a')).toEqual({ registered: 1, waiting: 0, failed: 0 });
  store.objects.get('/api/v1/namespaces/argocd/secrets/a-cluster').metadata.labels.mine = 'yes';
  await store.round('a');
  expect(store.writes).toEqual(['apply /api/v1/namespaces/argocd/secrets/a-cluster']);
});

test('writes again what somebody has changed, and what has another owner of the same name', async () => {
  const store = new Store().tenant('a');
  await store.round('a');
  store.objects.get('/api/v1/namespaces/argocd/secrets/a-cluster').data.server = 'eA==';
  await store.round('a');
  expect(store.config('a').server).toBe('https://a.example.com:6443');
  store.objects.set('/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/a', { metadata: { name: 'a', uid: 'another' } });
  await store.round('a');
  expect(store.objects.get('/api/v1/namespaces/argocd/secrets/a-cluster').metadata.ownerReferences[0].uid).toBe('another');
  expect(store.writes).toHaveLength(3);
});

test('tokens and names for SNI reach Argo CD as well', async () => {
  const store = new Store().tenant('a', kubeconfig({ 'tls-server-name': 'kubernetes' }));
  await store.round('a');
  expect(store.config('a')).toMatchObject({ bearerToken: 'abc', tlsClientConfig: { insecure: false, serverName: 'kubernetes', caData: PEM } });
});

test('one that fails keeps no other waiting, and is named once', async () => {
  const store = new Store().tenant('a', kubeconfig({ 'insecure-skip-tls-verify': true })).tenant('b', kubeconfig({ server: 'http://a.example.com' })).tenant('c').tenant('d', 'eA==');
  for (let i = 0; i < 2; i++) expect(await store.round('a', 'b', 'c', 'd', 'e')).toEqual({ registered: 1, waiting: 1, failed: 3 });
  expect(store.writes).toEqual(['apply /api/v1/namespaces/argocd/secrets/c-cluster']);
  const said = store.lines.map(({ tenant, reason }) => `${tenant}: ${reason}`);
  expect(said.filter(line => line.startsWith('tenants/a'))).toEqual(['tenants/a: kubeconfig: cluster.insecure-skip-tls-verify would trust anybody; give certificate-authority-data']);
  expect(said).toContain('tenants/b: kubeconfig: cluster.server does not begin with https://');
  expect(said).toContain('tenants/e: Application argocd/e');
});

test('removes the Secret that it has looked at, and no other of its name', async () => {
  const store = new Store().tenant('a');
  await store.round('a');
  store.objects.delete('/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/a');
  await store.round('a');
  const path = '/api/v1/namespaces/argocd/secrets/a-cluster';
  expect(store.writes[1]).toBe(`DELETE ${path} {"uid":"uid of ${path}","resourceVersion":"1"}`);
});

test('a Secret of somebody else is neither changed nor removed', async () => {
  const store = new Store().tenant('a');
  store.objects.set('/api/v1/namespaces/argocd/secrets/a-cluster', { metadata: { name: 'a-cluster', uid: 'x' }, data: {} });
  expect(await store.round('a')).toMatchObject({ failed: 1 });
  store.objects.delete('/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/a');
  expect(await store.round('a')).toMatchObject({ failed: 1 });
  expect(store.writes).toEqual([]);
});

test('a kubeconfig that is gone leaves the registration as it was', async () => {
  const store = new Store().tenant('a');
  await store.round('a');
  store.objects.delete('/api/v1/namespaces/tenants/secrets/a-admin');
  expect(await store.round('a')).toMatchObject({ waiting: 1 });
  expect(store.writes).toHaveLength(1);
});
