import { existsSync, mkdtempSync, readdirSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { YamlOutputType } from 'cdk8s';
import { Cluster } from './support/cluster';
import { readDocuments } from '../../cli/documents';
import { Needed, neededBy } from '../../doctor/src/prerequisites/clusters';
import { lookFor, Looked } from '../../doctor/src/prerequisites/look';
import { appsOf } from '../../examples/apps';
import { stopParts } from '../data-path/support/parts';
import { CRD_FOLDER, KINDS_WITHOUT_DEFINITION } from '../support/crd-schemas';

/*
 * What `doctor prerequisites` lists is what the first `kubectl apply` needs: with it, and with nothing else, it succeeds.
 */
const EXAMPLES_FOLDER = join(__dirname, '..', '..', 'examples');
const EXAMPLES = readdirSync(EXAMPLES_FOLDER, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name);
/** Those whose output is for one cluster as a whole; the others have charts of tenants beside that of the management cluster. */
const OF_ONE_CLUSTER = ['hypershift', 'k0rdent-hetzner', 'k0smotron-hetzner', 'kamaji-sync'];
const BUILT_IN = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

let cluster: Cluster;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'first-apply-'));
  process.env.PATH = `${process.env.KUBEBUILDER_ASSETS}:${process.env.PATH}`;
  cluster = await Cluster.start({ behindIngress: false });
  await cluster.kubectl(['apply', '--server-side', `--filename=${CRD_FOLDER}`]);
  await cluster.apply(KINDS_WITHOUT_DEFINITION.map(kind => definition('k0smotron.io', 'v1beta2', kind)));
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
}, 180_000);

afterAll(async () => {
  await stopParts();
  rmSync(folder, { recursive: true });
});

/** A kind of which nobody recorded a definition. */
function definition(group: string, version: string, kind: string, scope = 'Namespaced'): object {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } } }],
    },
  };
}

/** Writes an example as it is divided; what belongs to the management cluster. */
function written(example: string, yamlOutputType: YamlOutputType): string[] {
  const outdir = join(folder, `${example}-${yamlOutputType}`);
  process.env.CDK8S_OUTDIR = outdir;
  // Of environments, and of clusters of a fleet, one stands for all.
  const { app } = appsOf(jest.requireActual(join(EXAMPLES_FOLDER, example, 'main'))).find(each => each.app.charts.some(chart => chart.node.id === 'management'))!;
  // Those of an earlier test are the same app.
  Object.assign(app, { outdir, yamlOutputType });
  app.synth();
  if (yamlOutputType === YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE) return [join(outdir, 'management')];
  return [OF_ONE_CLUSTER.includes(example) ? outdir : join(outdir, 'management.k8s.yaml')];
}

let applied: string[] = [];

/** Applies once. */
function firstApply(paths: string[]): Promise<string> {
  applied = paths;
  return cluster.kubectl(['apply', ...paths.map(path => `--filename=${path}`)]);
}

/** Nobody here deletes what is in a namespace, as the controller manager would; a patch of what is left would succeed. */
async function withoutNamespaces(): Promise<void> {
  if (applied.length > 0) await cluster.kubectl(['delete', '--ignore-not-found', '--wait=false', ...applied.map(path => `--filename=${path}`)]);
  applied = [];
  const { items } = JSON.parse(await cluster.kubectl(['get', 'namespaces', '--output=json']));
  for (const { metadata: { name } } of items.filter((item: any) => !BUILT_IN.includes(item.metadata.name))) {
    await cluster.kubectl(['delete', 'namespace', name, '--wait=false']);
    await cluster.kubectl(['replace', `--raw=/api/v1/namespaces/${name}/finalize`, '--filename=-'],
      { input: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } }) });
  }
}

function needs(paths: string[]): Needed['management'] {
  return neededBy(readDocuments(paths.filter(existsSync))).management;
}

async function createNamespaces(namespaces: Needed['management']): Promise<void> {
  await cluster.apply(namespaces.map(({ name, labels }) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })));
}

function ofKind(prerequisites: Needed['management'], kind: string): Needed['management'] {
  return prerequisites.filter(each => each.kind === kind);
}

async function look(prerequisites: Needed['management']): Promise<{ [title: string]: string }> {
  const looked: Looked[] = await lookFor(prerequisites, cluster.file('admin.conf'));
  return Object.fromEntries(looked.map(({ prerequisite: { kind, name }, presence, detail }) =>
    [`${kind} ${name}`, `${presence}${detail ? `: ${detail}` : ''}`]));
}

const TYPES = Object.values(YamlOutputType).filter((type): type is YamlOutputType => typeof type === 'number');
const DIVIDED = TYPES.flatMap(type => EXAMPLES.map((example): [string, string, YamlOutputType] => [example, YamlOutputType[type], type]))
  .filter(([example, , type]) => OF_ONE_CLUSTER.includes(example)
    || [YamlOutputType.FILE_PER_CHART, YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE].includes(type));

test.each(DIVIDED)('the first kubectl apply of %s, divided as %s, succeeds once the namespaces of the list are there', async (example, _, type) => {
  const paths = written(example, type);
  const namespaces = ofKind(needs(paths), 'Namespace');
  expect(namespaces.length).toBeGreaterThan(0);
  await withoutNamespaces();
  await createNamespaces(namespaces);
  await firstApply(paths);
}, 120_000);

test('the list has no namespace too many, and without one of them the apply fails', async () => {
  const paths = written('kamaji-gateway-api', YamlOutputType.FILE_PER_CHART);
  const namespaces = ofKind(needs(paths), 'Namespace');
  for (const left of namespaces) {
    await withoutNamespaces();
    await createNamespaces(namespaces.filter(each => each !== left));
    await expect(firstApply(paths)).rejects.toThrow(`namespaces "${left.name}" not found`);
  }
}, 120_000);

test('the doctor sees in a real cluster what is there, what is missing and what lacks a label', async () => {
  await withoutNamespaces();
  const prerequisites = needs(written('kamaji-gateway-api', YamlOutputType.FILE_PER_CHART));
  expect(await look(prerequisites)).toEqual({
    'Operator Kamaji': 'unsure: no Deployment runs an image that is known as its own',
    'API Gateway': 'ok',
    'API TLSRoute': 'ok',
    'API TenantControlPlane': 'ok',
    'Namespace gateways': 'missing',
    'Namespace tenants': 'missing',
    'GatewayClass cilium': 'missing: its API is not served',
    'DataStore default': 'missing: its API is not served',
  });
  await cluster.apply([
    definition('kamaji.clastix.io', 'v1alpha1', 'DataStore', 'Cluster'), { ...definition('gateway.networking.k8s.io', 'v1', 'GatewayClass', 'Cluster'), ...GATEWAY_CLASSES },
  ]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  await cluster.apply([...['gateways', 'tenants'].map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })), deployment('gateways', 'clastix/kamaji:v1')]);
  await cluster.apply([
    { apiVersion: 'kamaji.clastix.io/v1alpha1', kind: 'DataStore', metadata: { name: 'default' } },
    { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'GatewayClass', metadata: { name: 'cilium' }, spec: { controllerName: 'example.com/none' } },
  ]);
  expect(await look(prerequisites)).toEqual({
    'Operator Kamaji': 'wrong: has no ready pod: Deployment gateways/operator',
    'API Gateway': 'ok',
    'API TLSRoute': 'ok',
    'API TenantControlPlane': 'ok',
    'Namespace gateways': 'ok',
    'Namespace tenants': 'wrong: lacks example.com/control-planes=true',
    'GatewayClass cilium': 'ok',
    'DataStore default': 'ok',
  });
}, 120_000);

test('the doctor asks for Secrets by their names alone', async () => {
  await withoutNamespaces();
  await createNamespaces([{ apiVersion: 'v1', kind: 'Namespace', name: 'clusters', reason: '', neededBy: [] }]);
  const secrets = ofKind(needs(written('hypershift', YamlOutputType.FILE_PER_CHART)), 'Secret');
  expect(secrets.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(['clusters/pull-secret', 'clusters/ssh-key']);
  await cluster.apply([{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pull-secret', namespace: 'clusters' }, stringData: { '.dockerconfigjson': 'secret' } }]);
  expect(await look(secrets)).toEqual({ 'Secret pull-secret': 'ok', 'Secret ssh-key': 'missing' });
  const audited = cluster.auditOf('admin').filter(({ objectRef, verb }) => objectRef?.resource === 'secrets' && verb !== 'create' && verb !== 'patch');
  expect([...new Set(audited.map(({ verb }) => verb))]).toEqual(['get']);
}, 60_000);

/** Definitions of a group under `k8s.io` need the word of its owners. */
const GATEWAY_CLASSES = {
  metadata: { name: 'gatewayclasses.gateway.networking.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' } },
  spec: {
    ...(definition('gateway.networking.k8s.io', 'v1', 'GatewayClass', 'Cluster') as any).spec,
    names: { kind: 'GatewayClass', plural: 'gatewayclasses', singular: 'gatewayclass' },
  },
};

function deployment(namespace: string, image: string): object {
  const labels = { app: 'operator' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'operator', namespace },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'manager', image }] } } },
  };
}
