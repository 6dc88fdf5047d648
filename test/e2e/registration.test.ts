import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { Agent } from './support/agent';
import { EXPOSURE } from './support/cluster';
import { Management } from './support/delivery';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TenantCharts, TenantDelivery } from '../../src';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { CertificateAuthority } from '../support/certificates';
import { CRD_FOLDER } from '../support/crd-schemas';
import { freePorts } from '../support/ports';

/*
 * A management cluster that is its own tenant: the tests play Kamaji, Argo CD and Flux.
 */
const { name: TENANT, namespace: TENANTS } = EXPOSURE;
const PROGRAM = 'tenant-registration';
const USER = `system:serviceaccount:${PROGRAM}:${PROGRAM}`;
const ARGO_CD_SECRET = `${TENANTS}.${TENANT}-cluster`;
const FLUX_SECRET = `${TENANTS}.${TENANT}-kubeconfig`;

let management: Management;
let folder: string;
let agent: Agent;
let healthPort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'registration-'));
  management = await Management.start();
  const { cluster } = management;
  await cluster.kubectl(['apply', '--server-side', ...['argoproj.io_applications', 'kustomize.toolkit.fluxcd.io_kustomizations', 'kamaji.clastix.io_tenantcontrolplanes']
    .map(name => `--filename=${join(CRD_FOLDER, `${name}.json`)}`)]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  for (const name of ['argocd', 'flux-system']) await cluster.kubectl(['create', 'namespace', name]);
  [healthPort] = await freePorts(1);
}, 120_000);

afterAll(async () => {
  await stopParts();
  rmSync(folder, { recursive: true });
});

function manifests(delivery: TenantDelivery): any[] {
  const chart = new Chart(new App({ outdir: folder }), 'management');
  const tenants = new TenantCharts(chart, 'tenants', { delivery });
  tenants.of(new IngressExposedControlPlane(chart, TENANT, {
    namespace: TENANTS,
    kubernetesVersion: '1.32.13',
    hostname: EXPOSURE.api.host,
    platform: ControlPlanePlatform.kamaji(),
    controller: IngressController.haproxy(),
  }));
  return chart.toJson();
}

const ARGO_CD = manifests(TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/tenants.git', registration: {} }));
const FLUX = manifests(TenantDelivery.flux({ source: { name: 'platform' }, namespace: 'flux-system', registration: {} }));

/** Applies the manifests, and starts the program as they say. */
async function start(objects: any[]): Promise<void> {
  const { cluster } = management;
  await agent?.stop();
  await cluster.apply(objects);
  writeFileSync(join(folder, 'token'), await cluster.token(PROGRAM, PROGRAM));
  writeFileSync(join(folder, 'registrations.json'), objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === PROGRAM).data['registrations.json']);
  const { args } = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
  agent = new Agent([
    ...args.filter((arg: string) => !/^--(health-address|interval)=/.test(arg)),
    `--registrations=${join(folder, 'registrations.json')}`,
    `--api-server=https://127.0.0.1:${cluster.port}`,
    `--ca-file=${cluster.caFile}`,
    `--token-file=${join(folder, 'token')}`,
    `--health-address=127.0.0.1:${healthPort}`,
    '--interval=500ms',
  ]);
}

/** A Secret with its values decoded. */
async function secret(namespace: string, name: string): Promise<any> {
  const found = await management.cluster.get('secret', namespace, name);
  return found && { ...found, texts: Object.fromEntries(Object.entries(found.data ?? {}).map(([key, value]) => [key, decoded(String(value))])) };
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}

function present(namespace: string, name: string): Promise<any> {
  return eventually(async () => {
    const found = await secret(namespace, name);
    if (!found) throw new Error(agent.output);
    return found;
  }, 30_000);
}

/** Whom the API server takes a client for. */
async function whoami(server: string, ca: string, certificate: string, key: string): Promise<string> {
  const files = Object.entries({ ca, certificate, key }).map(([name, text]) => {
    writeFileSync(join(folder, `client-${name}`), decoded(text));
    return join(folder, `client-${name}`);
  });
  return management.cluster.kubectl(['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'], {
    as: ['--kubeconfig=/dev/null', `--server=${server}`, `--certificate-authority=${files[0]}`, `--client-certificate=${files[1]}`, `--client-key=${files[2]}`],
  });
}

function canI(verb: string, resource: string, namespace: string): Promise<string> {
  return management.cluster.kubectl(['auth', 'can-i', verb, resource, `--namespace=${namespace}`, `--as=${USER}`]).catch((error: Error) => error.message)
    .then(text => (text.startsWith('yes') ? 'yes' : 'no'));
}

test('Argo CD finds the cluster by a Secret with which it is let in, once the operator has made a kubeconfig', async () => {
  const { cluster } = management;
  await start(ARGO_CD);
  await eventually(async () => {
    if (!agent.output.includes(`"reason":"Secret ${TENANTS}/${TENANT}-admin-kubeconfig, which comes with the control plane"`)) throw new Error(agent.output);
    return true;
  }, 30_000);
  expect(await secret('argocd', ARGO_CD_SECRET)).toBeUndefined();

  await management.writeSecrets(cluster);
  const { metadata, texts } = await present('argocd', ARGO_CD_SECRET);
  expect(metadata.labels).toEqual({ 'argocd.argoproj.io/secret-type': 'cluster', 'app.kubernetes.io/managed-by': 'tenant-registration.cdk8s-hosted-control-plane' });
  const application = await cluster.get('application', 'argocd', `${TENANTS}.${TENANT}`);
  expect(texts.name).toBe(application.spec.destination.name);
  expect(metadata.ownerReferences).toEqual([{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', name: application.metadata.name, uid: application.metadata.uid }]);
  const { tlsClientConfig: { insecure, caData, certData, keyData } } = JSON.parse(texts.config);
  expect(insecure).toBe(false);
  expect(await whoami(texts.server, caData, certData, keyData)).toBe('kubernetes-super-admin');
}, 90_000);

test('a new kubeconfig is followed', async () => {
  const { cluster } = management;
  const before = JSON.parse((await secret('argocd', ARGO_CD_SECRET)).texts.config).tlsClientConfig;
  await management.writeSecrets(cluster);
  const after = await eventually(async () => {
    const { texts } = await secret('argocd', ARGO_CD_SECRET);
    const { tlsClientConfig } = JSON.parse(texts.config);
    if (tlsClientConfig.certData === before.certData) throw new Error(agent.output);
    return { ...tlsClientConfig, server: texts.server };
  }, 30_000);
  expect(await whoami(after.server, after.caData, after.certData, after.keyData)).toBe('kubernetes-super-admin');

  // A new authority likewise.
  const other = await CertificateAuthority.create('another', 'ecdsa');
  await management.writeSecrets(cluster, other);
  await eventually(async () => {
    const { caData } = JSON.parse((await secret('argocd', ARGO_CD_SECRET)).texts.config).tlsClientConfig;
    if (decoded(caData) !== other.certificate) throw new Error(agent.output);
    return true;
  }, 30_000);
  await management.writeSecrets(cluster);
}, 90_000);

test('the program may do what it does and nothing more', async () => {
  const { cluster } = management;
  const done = cluster.auditOf(USER).filter(({ responseStatus }) => responseStatus!.code < 400 || responseStatus!.code === 404)
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource} ${objectRef?.namespace}/${objectRef?.name}`);
  expect([...new Set(done)].sort()).toEqual([
    `get applications argocd/${TENANTS}.${TENANT}`,
    `get secrets argocd/${ARGO_CD_SECRET}`,
    `get secrets ${TENANTS}/${TENANT}-admin-kubeconfig`,
    `patch secrets argocd/${ARGO_CD_SECRET}`,
  ]);
  expect(cluster.auditOf(USER).filter(({ responseStatus }) => responseStatus!.code === 403)).toEqual([]);
  const [refused, granted] = [
    [['get', 'secrets', 'argocd'], ['list', 'secrets', 'argocd'], ['delete', 'secrets', 'argocd'], ['patch', 'secret/argocd-secret', 'argocd'], ['get', `secret/${TENANT}-ca`, TENANTS],
      ['list', 'secrets', TENANTS], ['create', 'secrets', TENANTS], ['get', 'applications', 'argocd'], ['patch', `application/${TENANTS}.${TENANT}`, 'argocd']],
    [['get', `secret/${ARGO_CD_SECRET}`, 'argocd'], ['create', 'secrets', 'argocd']],
  ];
  expect(await Promise.all(refused.map(([verb, resource, namespace]) => canI(verb, resource, namespace)))).toEqual(refused.map(() => 'no'));
  expect(await Promise.all(granted.map(([verb, resource, namespace]) => canI(verb, resource, namespace)))).toEqual(granted.map(() => 'yes'));
}, 60_000);

test('the Secret goes with its Application, and comes again with it', async () => {
  const { cluster } = management;
  await cluster.kubectl(['delete', 'application', `${TENANTS}.${TENANT}`, '--namespace=argocd']);
  await eventually(async () => {
    if (await secret('argocd', ARGO_CD_SECRET)) throw new Error(agent.output);
    return true;
  }, 30_000);
  await cluster.apply(ARGO_CD.filter(({ kind }) => kind === 'Application'));
  const { metadata: { ownerReferences: [{ uid }] } } = await present('argocd', ARGO_CD_SECRET);
  expect(uid).toBe((await cluster.get('application', 'argocd', `${TENANTS}.${TENANT}`)).metadata.uid);
}, 60_000);

test('a Secret of somebody else with the same name is left alone', async () => {
  const { cluster } = management;
  await cluster.kubectl(['label', 'secret', ARGO_CD_SECRET, '--namespace=argocd', 'app.kubernetes.io/managed-by=me', '--overwrite']);
  await cluster.kubectl(['patch', 'secret', ARGO_CD_SECRET, '--namespace=argocd', '--patch={"stringData":{"name":"mine"}}']);
  await eventually(async () => {
    if (!agent.output.includes(`Secret argocd/${ARGO_CD_SECRET} is somebody else's; rename or delete it`)) throw new Error(agent.output);
    return true;
  }, 30_000);
  expect((await secret('argocd', ARGO_CD_SECRET)).texts.name).toBe('mine');
  const looks = () => cluster.auditOf(USER).filter(({ objectRef }) => objectRef?.name === ARGO_CD_SECRET).length;
  const before = looks();
  await eventually(async () => {
    if (looks() < before + 2) throw new Error('it has not looked again');
    return true;
  }, 30_000);
  expect((await secret('argocd', ARGO_CD_SECRET)).texts.name).toBe('mine');
}, 60_000);

test('Flux finds a kubeconfig of its own beside its Kustomization, without what a kubeconfig might have Flux run', async () => {
  const { cluster } = management;
  await start(FLUX);
  const { metadata, texts } = await present('flux-system', FLUX_SECRET);
  const kustomization = await cluster.get('kustomization', 'flux-system', `${TENANTS}.${TENANT}`);
  expect(kustomization.spec.kubeConfig.secretRef).toEqual({ name: FLUX_SECRET, key: 'value' });
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'Kustomization', uid: kustomization.metadata.uid }]);
  writeFileSync(join(folder, 'flux.conf'), texts.value);
  expect(await cluster.kubectl(['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'], { as: [`--kubeconfig=${join(folder, 'flux.conf')}`] }))
    .toBe('kubernetes-super-admin');

  const evil = { ...JSON.parse(texts.value), users: [{ name: 'admin', user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh' } } }] };
  await cluster.kubectl(['patch', 'secret', `${TENANT}-admin-kubeconfig`, `--namespace=${TENANTS}`,
    `--patch=${JSON.stringify({ data: { 'super-admin.svc': Buffer.from(JSON.stringify(evil)).toString('base64') } })}`]);
  await eventually(async () => {
    if (!agent.output.includes('user.exec would run a program')) throw new Error(agent.output);
    return true;
  }, 30_000);
  expect((await secret('flux-system', FLUX_SECRET)).texts.value).toBe(texts.value);
}, 90_000);
