import { chmodSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { doctor, Run } from '../support/doctor';
import { withFolder } from '../support/manifests';

jest.setTimeout(60_000);

const MANAGEMENT = `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: a, namespace: clusters }
spec: { pullSecret: { name: pull }, etcd: { unmanaged: {} } }
`;
const TENANT = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: tcp-proxy, namespace: kube-system }
spec: { template: { spec: { containers: [{ name: tcp-proxy, image: example.com/tcp-proxy:1 }], volumes: [{ name: tls, secret: { secretName: tcp-proxy-tls } }] } } }
`;

/** A kubectl that writes down what it is asked, and answers by the first pattern of a script that fits. */
const KUBECTL = `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require('fs');
const { dirname, join } = require('path');
const args = process.argv.slice(2);
const folder = dirname(process.argv[1]);
appendFileSync(join(folder, 'asked'), JSON.stringify(args) + '\\n');
const [, code, text] = JSON.parse(readFileSync(join(folder, 'answers'), 'utf8')).find(([pattern]) => new RegExp(pattern).test(args.join(' ')));
(code === 0 ? process.stdout : process.stderr).write(text);
process.exitCode = code;
`;

type Answers = readonly [pattern: string, code: number, text: string][];

function looking(files: { [name: string]: string }, answers: Answers, ...args: string[]): Promise<Run & { asked: string[][] }> {
  return withFolder({ ...files, bin: '' }, async folder => {
    const bin = join(folder, 'kubectl');
    writeFileSync(bin, KUBECTL);
    chmodSync(bin, 0o755);
    writeFileSync(join(folder, 'answers'), JSON.stringify(answers));
    const run = await doctor(['prerequisites', ...Object.keys(files).map(name => join(folder, name)), '--kubeconfig', 'admin.conf', ...args], { PATH: `${folder}:${process.env.PATH}` });
    return { ...run, asked: readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n').map(line => JSON.parse(line)) };
  });
}

test('without a cluster it lists what the manifests need, apart for the management cluster and for tenants', async () => {
  const { code, stdout } = await withFolder({ 'management.yaml': MANAGEMENT, 'tenant.yaml': TENANT }, folder => doctor(['prerequisites', folder]));
  expect(stdout).toBe(`In the management cluster:
  Operator HyperShift: acts on these objects (HostedCluster clusters/a)
  API hypershift.openshift.io/v1beta1 HostedCluster: is served by the API server (HostedCluster clusters/a)
  Namespace clusters: holds these objects (HostedCluster clusters/a)
  Secret clusters/pull: pulls the images of the release (HostedCluster clusters/a)
In tenant clusters:
  Secret kube-system/tcp-proxy-tls: is mounted or read by pods (Deployment kube-system/tcp-proxy)
5 things must exist before. Give --kubeconfig to look for those of the management cluster.
`);
  expect(code).toBe(0);
});

test('doctor manifests says that there is such a list, and has it in its JSON; it is no finding', async () => {
  await withFolder({ 'management.yaml': MANAGEMENT }, async folder => {
    const text = await doctor(['manifests', folder]);
    expect(text.stdout).toContain('Must exist before: 1 Operator, 1 API, 1 Namespace, 1 Secret; doctor prerequisites lists them.\n');
    const { prerequisites, findings } = JSON.parse((await doctor(['manifests', folder, '--output', 'json'])).stdout);
    expect(prerequisites.management).toContainEqual({
      apiVersion: 'v1', kind: 'Secret', namespace: 'clusters', name: 'pull', reason: 'pulls the images of the release', neededBy: ['HostedCluster clusters/a'],
    });
    expect(prerequisites.tenants).toEqual([]);
    expect(JSON.stringify(findings)).not.toContain('pull');
  });
});

test('a document that cannot be read is no shorter list', async () => {
  const { code, stdout, stderr } = await withFolder({ 'management.yaml': MANAGEMENT, 'tenant.yaml': 'kind: {{ .Values.kind }}' }, folder => doctor(['prerequisites', folder]));
  expect(stderr).toMatch(/^doctor: ".*tenant\.yaml", line 1: is no YAML \(.*\); correct it, render it if it is a template, or name other files\n$/);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

const THERE: Answers = [
  ['--raw=/version', 0, '{}'],
  ['deployments', 0, JSON.stringify({ items: [{ spec: { template: { spec: { containers: [{ image: 'quay.io/hypershift/hypershift-operator:latest' }] } } }, status: { readyReplicas: 1 } }] })],
  ['--raw=/apis/hypershift', 0, JSON.stringify({ resources: [{ kind: 'HostedCluster' }] })],
  ['namespaces', 0, JSON.stringify({ items: [{ metadata: { name: 'clusters' } }] })],
  ['Secret', 0, 'pull   Opaque   1   5d\n'],
];

test('with a cluster it looks for each, without what is in Secrets', async () => {
  const { code, stdout, asked } = await looking({ 'management.yaml': MANAGEMENT }, THERE);
  expect(stdout).toContain('  ok       Secret clusters/pull: pulls the images of the release');
  expect(stdout).toMatch(/All 4 are there, as far as it shows\.\n$/);
  expect(code).toBe(0);
  expect(asked.find(args => args.includes('Secret'))).toEqual(
    ['get', 'Secret', 'pull', '--namespace=clusters', '--ignore-not-found', '--no-headers', '--kubeconfig=admin.conf', '--request-timeout=60s']);
});

test.each<[string, Answers, string]>([
  ['what is missing', [['Secret', 0, '']], 'missing  Secret clusters/pull: pulls the images of the release (HostedCluster clusters/a)\n'],
  ['what may not be looked at', [['Secret', 1, 'Error from server (Forbidden): secrets "pull" is forbidden']], 'unknown  Secret clusters/pull: pulls the images of the release (HostedCluster clusters/a): Error from server (Forbidden)'],
  ['an API that is not served', [['--raw=/apis/', 1, 'Error from server (NotFound): the server could not find the requested resource']], 'missing  API hypershift.openshift.io/v1beta1 HostedCluster'],
  ['an answer that steers terminals', [['Secret', 1, '\u001b[2J hello']], ': ?[2J hello\n'],
])('%s is not well', async (_, answers, line) => {
  const { code, stdout } = await looking({ 'management.yaml': MANAGEMENT }, [...answers, ...THERE]);
  expect(stdout).toContain(line);
  expect(stdout).toContain('1 of 4 are not there as they must be.');
  expect(code).toBe(1);
});

test('names of manifests are no flags of kubectl', async () => {
  const hostile = MANAGEMENT.replace('name: pull', 'name: "--kubeconfig=/etc/passwd"');
  const { code, stdout, asked } = await looking({ 'management.yaml': hostile }, THERE, '--output', 'json');
  expect(JSON.parse(stdout).management.find(({ kind }: any) => kind === 'Secret')).toMatchObject({ presence: 'unknown', detail: 'no object can have that name' });
  expect(asked.flat().filter(arg => arg.includes('passwd'))).toEqual([]);
  expect(code).toBe(1);
});

test('a cluster that does not answer is no answer', async () => {
  const { code, stdout, stderr } = await looking({ 'management.yaml': MANAGEMENT }, [['', 1, 'connection refused']]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--kubeconfig "admin.conf": kubectl cannot read the cluster: connection refused');
});

test.each([[['--context', 'a'], /--context is of a --kubeconfig/], [['--output', 'sarif'], /choose text or json/]])('%j is refused', async (args, message) => {
  const { code, stderr } = await withFolder({ 'management.yaml': MANAGEMENT }, folder => doctor(['prerequisites', folder, ...args]));
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});
