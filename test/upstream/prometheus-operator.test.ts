import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { gunzipSync } from 'zlib';
import { load, loadAll } from 'js-yaml';
import { provided } from './support/provided';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { Cluster } from '../e2e/support/cluster';
import { measuredManifests } from '../e2e/support/measured-manifests';
import { Process } from '../e2e/support/process';
import { Prometheus, promtool, rulesOf, targetOf } from '../e2e/support/prometheus';
import { KUBERNETES_VERSION } from '../e2e/support/versions';
import { recordRun } from '../support/compatibility';
import { freePorts } from '../support/ports';

/*
 * The objects of `Monitoring.prometheusOperator()` go through the operator itself: its webhook, the configuration that it makes for a
 * Prometheus, and what a real Prometheus finds with that in the API server.
 */
const [OPERATOR, WEBHOOK, DEFINITIONS] = provided('prometheus-operator');
const [PROGRAMS] = provided('prometheus');
const VERSION = /prometheus-operator-([\d.]+)/.exec(OPERATOR)![1];
const EDGE = 'shared-ingress';
const NAMESPACE = 'monitoring';
const DEADLINE_MS = 90_000;
/** Where workloads have the pods that a PodMonitor is about. */
const WORKLOADS = ['Deployment', 'DaemonSet', 'StatefulSet'];
/** What the webhook says of a rule that Prometheus cannot read. */
const REFUSED = 'could not parse expression';
const OF_THE_OPERATOR = ['PodMonitor', 'PrometheusRule'];

let cluster: Cluster;
let objects: any[];
/** What the operator has for a Prometheus. */
let configuration: any;
let rules: any[];
const seen: string[] = [];
const TESTS = 4;

/** Pods of the workloads, as their controllers and kubelets would have them. */
function pods(): any[] {
  return objects.filter(({ kind }) => WORKLOADS.includes(kind)).map(({ metadata, spec }) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: metadata.namespace, name: `${metadata.name}-0`, labels: spec.template.metadata.labels },
    spec: {
      nodeName: 'node-1',
      containers: spec.template.spec.containers.map(({ name, image, ports }: any) => ({ name, image, ports })),
    },
  }));
}

async function admitBy(port: number): Promise<void> {
  await cluster.apply([{
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'prometheus-operator' },
    webhooks: [{
      name: 'prometheusrules.monitoring.coreos.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
      rules: [{ apiGroups: ['monitoring.coreos.com'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['prometheusrules'] }],
      clientConfig: { url: `https://127.0.0.1:${port}/admission-prometheusrules/validate`, caBundle: Buffer.from(cluster.ca.certificate).toString('base64') },
    }],
  }]);
  // An API server takes a webhook up a moment after it was told of it.
  await eventually(async () => {
    const answer = await create('broken', 'rate(up[5m]').then(() => 'admitted', (error: Error) => error.message);
    if (!answer.includes(REFUSED)) throw new Error(answer);
    return true;
  }, DEADLINE_MS);
}

function create(name: string, expr: string): Promise<string> {
  return cluster.apply([{
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { namespace: NAMESPACE, name },
    spec: { groups: [{ name, rules: [{ alert: 'Broken', expr }] }] },
  }], '--dry-run=server');
}

beforeAll(async () => {
  objects = measuredManifests(EDGE);
  cluster = await Cluster.start({ behindIngress: false });
  await cluster.apply(readdirSync(DEFINITIONS).flatMap(file => loadAll(readFileSync(join(DEFINITIONS, file), 'utf8')) as object[]), '--server-side');
  await cluster.kubectl(['wait', '--for=condition=Established', 'customresourcedefinitions', '--all', '--timeout=60s']);
  const namespaces = new Set([NAMESPACE, ...objects.map(({ metadata }) => metadata.namespace)]);
  await cluster.apply([...namespaces].filter(name => name && name !== 'kube-system').map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));

  const [webhookPort, operatorPort] = await freePorts(2);
  new Process(WEBHOOK, [
    `--web.listen-address=127.0.0.1:${webhookPort}`, '--web.enable-tls=true',
    `--web.cert-file=${cluster.file('apiserver.crt')}`, `--web.key-file=${cluster.file('apiserver.key')}`,
  ]);
  await admitBy(webhookPort);
  new Process(OPERATOR, [`--web.listen-address=127.0.0.1:${operatorPort}`], {
    env: { ...process.env, KUBECONFIG: cluster.file('admin.conf') },
  });
  await cluster.apply([{
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'Prometheus',
    metadata: { namespace: NAMESPACE, name: 'all' },
    spec: {
      podMonitorSelector: {},
      podMonitorNamespaceSelector: {},
      ruleSelector: {},
      ruleNamespaceSelector: {},
      apiserverConfig: { host: `https://127.0.0.1:${cluster.port}` },
    },
  }]);
  await cluster.apply(pods());
  for (const { metadata: { namespace, name } } of pods()) {
    await cluster.kubectl(['patch', 'pod', name, '--namespace', namespace, '--subresource=status', '--type=merge', '--patch', JSON.stringify({
      status: { phase: 'Running', podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }], hostIP: '127.0.0.1' },
    })]);
  }
}, 240_000);

afterAll(async () => {
  await stopParts();
  await recordRun({
    system: 'prometheus-operator',
    version: VERSION,
    with: `kube-apiserver ${KUBERNETES_VERSION}, Prometheus of Debian`,
    what: seen.join('; '),
    result: seen.length === TESTS ? 'passed' : 'failed',
  });
});

test('the webhook of the operator admits every rule, where it refuses a broken one', async () => {
  const ours = objects.filter(({ kind }) => OF_THE_OPERATOR.includes(kind));
  await cluster.apply(ours);
  expect(ours.map(({ kind }) => kind).sort()).toEqual([...Array(5).fill('PodMonitor'), ...Array(5).fill('PrometheusRule')]);
  await expect(create('broken', 'rate(up[5m]')).rejects.toThrow(REFUSED);
  seen.push('its webhook admits the alerts of each construct');
}, DEADLINE_MS);

test('a second apply changes nothing', async () => {
  const answers = await cluster.apply(objects.filter(({ kind }) => OF_THE_OPERATOR.includes(kind)));
  expect(answers.trim().split('\n').filter(line => !line.endsWith(' unchanged'))).toEqual([]);
  seen.push('applied again nothing changes');
}, DEADLINE_MS);

test('the operator gives Prometheus all alerts and a job for each PodMonitor, and promtool finds nothing wrong in them', async () => {
  const monitors = objects.filter(({ kind }) => kind === 'PodMonitor').map(({ metadata }) => `podMonitor/${metadata.namespace}/${metadata.name}/0`);
  configuration = await eventually(async () => {
    const secret = await cluster.get('secret', NAMESPACE, 'prometheus-all');
    const found: any = load(gunzipSync(Buffer.from(secret.data['prometheus.yaml.gz'], 'base64')).toString());
    expect(found.scrape_configs.map(({ job_name }: any) => job_name).sort()).toEqual(monitors.sort());
    return found;
  }, DEADLINE_MS);
  rules = await eventually(async () => {
    const files = JSON.parse(await cluster.kubectl(['get', 'configmaps', '--namespace', NAMESPACE, '--selector=prometheus-name=all', '--output=json'])).items;
    const found = files.flatMap(({ data }: any) => Object.values<string>(data)).flatMap((text: string) => (load(text) as any).groups);
    const alerts: string[] = found.flatMap((group: any) => group.rules).map(({ alert }: any) => alert);
    expect(alerts.sort()).toEqual(rulesOf(objects).map(({ alert }) => alert).sort());
    return found;
  }, DEADLINE_MS);
  const file = join(mkdtempSync(join(tmpdir(), 'rules-')), 'rules.yml');
  writeFileSync(file, JSON.stringify({ groups: rules }));
  expect(await promtool(PROGRAMS, ['check', 'rules', file])).toContain('SUCCESS');
  seen.push('it gives Prometheus all alerts and a job for each PodMonitor');
}, 2 * DEADLINE_MS);

test('a Prometheus with that configuration finds every pod, with the labels that alerts and dashboards ask for', async () => {
  // What the reloader beside a Prometheus of the operator writes in: which of the Prometheuses it is.
  const { scrape_configs: unsharded } = JSON.parse(JSON.stringify(configuration).replaceAll('$(SHARD)', '0'));
  const jobs = unsharded.map((job: any) => ({
    ...job,
    kubernetes_sd_configs: job.kubernetes_sd_configs.map((discovery: any) => ({
      ...discovery,
      tls_config: { ca_file: cluster.caFile, cert_file: cluster.file('admin.crt'), key_file: cluster.file('admin.key') },
    })),
  }));
  const prometheus = await Prometheus.of(PROGRAMS, { ...configuration, rule_files: [], scrape_configs: jobs });
  const expected = objects.filter(({ kind }) => kind === 'PodMonitor').map(({ metadata: { name } }) => targetOf(objects, name, '').labels);
  await eventually(async () => {
    const targets = await prometheus.targets();
    expect(targets.map(({ labels: { namespace, job, pod } }) => ({ namespace, job, pod })).sort(byJob)).toEqual(expected.sort(byJob));
    expect(targets.map(({ scrapeUrl }) => scrapeUrl)).toEqual(expected.map(() => expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)));
    return true;
  }, DEADLINE_MS);
  seen.push('a Prometheus finds every pod by it, with the labels that alerts and dashboards ask for');
}, 2 * DEADLINE_MS);

function byJob(a: { job: string }, b: { job: string }): number {
  return a.job < b.job ? -1 : 1;
}
