/**
 * Runs the tests with several versions of Kubernetes and HAProxy: `npm run upstream:versions -- [kubernetes|haproxy]…`.
 *
 * The versions of Kubernetes are those in KUBERNETES_VERSIONS, the suites of Debian those in HAPROXY_SUITES. Each test file becomes a run
 * in COMPATIBILITY_RESULTS. What is not there yet is built, which takes minutes for each version of Kubernetes.
 */
import { execFileSync, spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { basename, join } from 'path';
import { recordRun } from '../test/support/compatibility';

const ROOT = join(__dirname, '..');
const { KUBERNETES_VERSIONS = '1.32.13 1.37.2', HAPROXY_SUITES = 'trixie sid' } = process.env;

/** What the end-to-end tests that depend on the API server look at: a line each. The other files are one line together. */
const END_TO_END: { readonly [file: string]: string } = {
  'tenant': 'endpoints of default/kubernetes, tokens, permissions and watches through tcp-proxies',
  'first-apply': 'the first kubectl apply of every example',
  'apply': 'second apply, change and removal of what is written',
  'removal': 'a tenant with and without a tcp-proxy, and its removal',
  'gateway': 'the shared gateway: client certificates, tenants added under open watches',
  'delivery': 'sync: delivery, certificates, change of the CA, removal',
  'tenant-port': 'a port of the tenant instead of pods: client certificates, watches, upgraded connections, endpoints that are never empty',
  'service-host-injection': 'the MutatingAdmissionPolicy of KubernetesServiceHostInjection changes pods',
  'konnectivity-host-aliases': 'the MutatingAdmissionPolicy of KonnectivityHostAliases gives agents the addresses of their server',
  'host-policy': 'the ValidatingAdmissionPolicies of HostPolicy refuse hosts of others',
  'k0smotron-apply': 'a Cluster that k0smotron has written to is applied again',
  'manifests': 'every manifest with strict validation',
};

interface JestReport {
  readonly testResults: { readonly name: string; readonly status: string; readonly assertionResults: { readonly status: string }[] }[];
}

/** Runs jest by a command that takes its flags, and gives what came of each test file. */
function run(command: string, args: string[], environment: { [name: string]: string }): JestReport['testResults'] {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  try {
    const report = join(folder, 'report.json');
    spawnSync(command, [...args, '--json', `--outputFile=${report}`], { cwd: ROOT, env: { ...process.env, ...environment }, stdio: ['ignore', 2, 2] });
    return (JSON.parse(readFileSync(report, 'utf8')) as JestReport).testResults;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf(files: JestReport['testResults']): 'passed' | 'failed' {
  return files.length > 0 && files.every(({ status, assertionResults }) => status === 'passed' && assertionResults.every(test => test.status === 'passed')) ? 'passed' : 'failed';
}

const fileOf = ({ name }: { readonly name: string }) => basename(name, '.test.ts');

async function kubernetes(version: string): Promise<void> {
  const results = run('scripts/e2e.sh', [], { KUBERNETES_VERSION: version });
  const others = results.filter(result => !(fileOf(result) in END_TO_END));
  const lines = [
    ...Object.entries(END_TO_END).map(([file, what]) => ({ what, of: results.filter(result => fileOf(result) === file) })),
    { what: `the other ${others.length} files of end-to-end tests: ${others.map(fileOf).sort().join(', ')}`, of: others },
  ];
  for (const { what, of } of lines) {
    await recordRun({ system: 'kube-apiserver', version, with: `HAProxy ${haproxyVersion({})}`, what, result: resultOf(of) });
    if (resultOf(of) === 'failed') process.exitCode = 1;
  }
}

/** Configurations with `haproxy -c`, the gateway and the agent against the running program. */
async function haproxy(suite: string): Promise<void> {
  const environment: { [name: string]: string } = suite === 'trixie' ? {} : { HAPROXY_SUITE: suite };
  const rooms = {
    'images/tcp-proxy/test': 'the agent and the gateway: reloads, maps at run time, certificates, limits',
    'test/(shared-gateway|tcp-proxy)': 'every configuration that is written is valid, without a warning',
    'test/data-path': 'connections through every kind of configuration, with faults and attacks',
  };
  for (const [room, what] of Object.entries(rooms)) {
    const results = run('npx', ['jest', room], environment);
    await recordRun({ system: 'HAProxy', version: haproxyVersion(environment), with: `Debian ${suite}`, what, result: resultOf(results) });
    if (resultOf(results) === 'failed') process.exitCode = 1;
  }
}

function haproxyVersion(environment: { [name: string]: string }): string {
  const binary = execFileSync(join(__dirname, 'haproxy.sh'), { env: { ...process.env, ...environment }, encoding: 'utf8' }).trim();
  return /version (\d+\.\d+\.\d+)/.exec(execFileSync(binary, ['-v'], { encoding: 'utf8' }))![1];
}

async function main(wanted: string[]): Promise<void> {
  if (wanted.includes('kubernetes')) for (const version of KUBERNETES_VERSIONS.split(/\s+/)) await kubernetes(version);
  if (wanted.includes('haproxy')) for (const suite of HAPROXY_SUITES.split(/\s+/)) await haproxy(suite);
}

void main(process.argv.length > 2 ? process.argv.slice(2) : ['kubernetes', 'haproxy']);
