import { generateKeyPairSync } from 'crypto';
import { chmodSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { CertificateAuthority } from '../../../test/support/certificates';
import { doctor, Run } from '../support/doctor';
import { withFolder } from '../support/manifests';

jest.setTimeout(60_000);

/** A kubectl that writes down what it is asked, and answers for the context or kubeconfig by the words that it is asked with. */
const KUBECTL = `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require('fs');
const { dirname, join } = require('path');
const args = process.argv.slice(2);
const folder = dirname(process.argv[1]);
appendFileSync(join(folder, 'asked'), JSON.stringify(args) + '\\n');
const of = name => (args.find(arg => arg.startsWith('--' + name + '=')) || '').split('=')[1];
const answers = JSON.parse(readFileSync(join(folder, 'answers'), 'utf8'))[of('context') || of('kubeconfig')] || {};
const key = Object.keys(answers).find(words => args.join(' ').includes(words));
const answer = key === undefined ? '' : answers[key];
if (typeof answer === 'string') process.stdout.write(answer);
else { process.stderr.write(answer.error); process.exitCode = 1; }
`;

type Answers = { readonly [words: string]: string | { readonly error: string } };

const RESOURCE = 'tenantcontrolplanes.kamaji.clastix.io';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const publicKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }) as string;

let ca: string;
let frontProxyCa: string;
let otherCa: string;
const saKey = publicKey();

beforeAll(async () => {
  [ca, frontProxyCa, otherCa] = (await Promise.all(['kubernetes', 'front-proxy', 'kubernetes'].map(name => CertificateAuthority.create(name, 'ecdsa')))).map(({ certificate }) => certificate);
});

const DUAL_STACK = { serviceCidrs: ['10.96.0.0/16', 'fd00:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:244::/56'] };

function controlPlane(change: { version?: string; sans?: string[]; schema?: string; network?: object } = {}): string {
  const { version = 'v1.35.6', sans = ['tenant-01.k8s.example.com', '10.96.0.1'], schema = 'tenants_tenant_01', network } = change;
  return JSON.stringify({
    apiVersion: 'kamaji.clastix.io/v1alpha1',
    kind: 'TenantControlPlane',
    metadata: { name: 'tenant-01', namespace: 'tenants' },
    spec: { kubernetes: { version }, networkProfile: { certSANs: sans, serviceCidr: '10.96.0.0/16', podCidr: '10.244.0.0/16', dnsServiceIPs: ['10.96.0.10'], ...network } },
    status: { storage: { setup: { schema, user: 'tenant_01' } } },
  });
}

/** What a management cluster has. */
function cluster(change: Answers = {}): Answers {
  return {
    'api-resources': `pods\n${RESOURCE}\n`,
    [`get ${RESOURCE} tenant-01 --namespace=tenants`]: controlPlane(),
    'get secret tenant-01-ca --namespace=tenants': base64(ca),
    'get secret tenant-01-front-proxy-ca-certificate --namespace=tenants': base64(frontProxyCa),
    'get secret tenant-01-sa-certificate --namespace=tenants': base64(saKey),
    ...change,
  };
}

const tenant = (kid: string, uid: string): Answers => ({
  '--raw=/openid/v1/jwks': JSON.stringify({ keys: [{ kid }] }), '--raw=/api/v1/namespaces/kube-system': JSON.stringify({ metadata: { uid } }),
});

interface Compared extends Run {
  readonly asked: string[][];
  readonly results: { [name: string]: { status: string; detail: string; remedy?: string } };
  readonly same: boolean;
}

function move(answers: { old?: Answers; new?: Answers; [kubeconfig: string]: Answers | undefined }, ...args: string[]): Promise<Compared> {
  return withFolder({ bin: '' }, async folder => {
    writeFileSync(join(folder, 'kubectl'), KUBECTL);
    chmodSync(join(folder, 'kubectl'), 0o755);
    writeFileSync(join(folder, 'answers'), JSON.stringify({ old: cluster(), new: cluster(), ...answers }));
    writeFileSync(join(folder, 'asked'), '');
    const flags = ['--from', 'admin.conf', '--from-context', 'old', '--to', 'admin.conf', '--to-context', 'new'];
    const run = await doctor(['move', 'tenants/tenant-01', ...flags, '--output', 'json', ...args], { PATH: `${folder}:${process.env.PATH}` });
    const { comparisons = [], same } = run.stdout.startsWith('{') ? JSON.parse(run.stdout) : {} as any;
    const results = Object.fromEntries(comparisons.map((result: any) => [result.name, result]));
    return { ...run, same, results, asked: readFileSync(join(folder, 'asked'), 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line)) };
  });
}

const TENANTS = ['--from-tenant', 'old.conf', '--to-tenant', 'new.conf'];
const statuses = ({ results }: Compared) => Object.fromEntries(Object.entries(results).map(([name, { status }]) => [name, status]));
const failed = (compared: Compared) => Object.keys(compared.results).filter(name => compared.results[name].status !== 'ok' && compared.results[name].status !== 'skipped');

describe('doctor move', () => {
  test('finds a tenant the same that came with its Secrets, and leaves out what needs kubeconfigs of the tenant', async () => {
    const compared = await move({});
    expect([compared.code, compared.same, failed(compared)]).toEqual([0, true, []]);
    expect(statuses(compared)).toMatchObject({ 'ca': 'ok', 'service-account-keys': 'ok', 'jwks': 'skipped', 'cluster': 'skipped' });
    expect(compared.results.ca.detail).toMatch(/^SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  });

  test('asks the API servers of the tenant for their keys and for the UID of the data', async () => {
    const compared = await move({ 'old.conf': tenant('key-1', 'uid-1'), 'new.conf': tenant('key-1', 'uid-1') }, ...TENANTS);
    expect([compared.code, compared.results.jwks.detail, compared.results.cluster.detail]).toEqual([0, 'key-1', 'uid-1']);
  });

  test.each<[string, () => Parameters<typeof move>[0], string, string]>([
    ['another CA', () => ({ new: cluster({ 'get secret tenant-01-ca --namespace=tenants': base64(otherCa) }) }), 'ca', 'copy the Secret'],
    ['no CA yet', () => ({ new: cluster({ 'get secret tenant-01-ca --namespace=tenants': '' }) }), 'ca', 'nothing in the new one'],
    ['another CA of the front proxy', () => ({ new: cluster({ 'get secret tenant-01-front-proxy-ca-certificate --namespace=tenants': base64(otherCa) }) }), 'front-proxy-ca', 'copy the Secret'],
    ['other keys of service accounts', () => ({ new: cluster({ 'get secret tenant-01-sa-certificate --namespace=tenants': base64(publicKey()) }) }), 'service-account-keys', 'tokens of pods'],
    ['another version', () => ({ new: cluster({ [`get ${RESOURCE} tenant-01 --namespace=tenants`]: controlPlane({ version: 'v1.36.0' }) }) }), 'version', 'v1.35.6 in the old cluster, v1.36.0 in'],
    ['networks the other way round', () => ({ new: { [`get ${RESOURCE} tenant-01 `]: controlPlane({ network: { serviceCidr: '10.244.0.0/16', podCidr: '10.96.0.0/16' } }), ...cluster() } }),
      'network', 'Services 10.96.0.0/16, pods 10.244.0.0/16, DNS 10.96.0.10 in the old cluster, Services 10.244.0.0/16, pods 10.96.0.0/16'],
    ['another network of the second family', () => ({
      old: { [`get ${RESOURCE} tenant-01 `]: controlPlane({ network: DUAL_STACK }), ...cluster() },
      new: { [`get ${RESOURCE} tenant-01 `]: controlPlane({ network: { ...DUAL_STACK, serviceCidrs: ['10.96.0.0/16', 'fd00:97::/112'] } }), ...cluster() },
    }), 'network', 'Services 10.96.0.0/16 and fd00:97::/112'],
    ['another name', () => ({ new: { [`get ${RESOURCE} tenant-01 `]: controlPlane({ sans: ['other.example.com'] }), ...cluster() } }), 'names', 'other.example.com in the new one'],
    ['another part of the datastore', () => ({ new: { [`get ${RESOURCE} tenant-01 `]: controlPlane({ schema: 'new' }), ...cluster() } }), 'data-store', 'dataStoreSchema'],
    ['other keys in use', () => ({ 'old.conf': tenant('key-1', 'uid-1'), 'new.conf': tenant('key-2', 'uid-1') }), 'jwks', 'key-1 in the old cluster, key-2 in the new one'],
    ['other data', () => ({ 'old.conf': tenant('key-1', 'uid-1'), 'new.conf': tenant('key-1', 'uid-2') }), 'cluster', 'Do not change the address'],
  ])('says of a tenant that has %s what follows, and is not healthy', async (_, answers, name, text) => {
    const given = answers();
    const compared = await move(given, ...'old.conf' in given ? TENANTS : []);
    expect([compared.code, compared.same, failed(compared)]).toEqual([1, false, [name]]);
    expect(compared.results[name].status).toBe('failed');
    expect(`${compared.results[name].detail} ${compared.results[name].remedy}`).toContain(text);
  });

  test('does not take for the same what it cannot read, or what is no certificate', async () => {
    const refused = { error: 'Error from server (Forbidden): secrets "tenant-01-sa-certificate" is forbidden' };
    const compared = await move({
      old: cluster({ 'get secret tenant-01-ca --namespace=tenants': base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n') }),
      new: cluster({ 'get secret tenant-01-sa-certificate --namespace=tenants': refused }),
    });
    expect(compared.code).toBe(1);
    expect(compared.results.ca).toMatchObject({ status: 'unknown', detail: expect.stringContaining('cannot be read in the old cluster: it is not what it should be') });
    expect(compared.results['service-account-keys']).toMatchObject({ status: 'unknown', detail: expect.stringContaining('is forbidden') });
  });

  test('asks for no private key', async () => {
    const { asked } = await move({ 'old.conf': tenant('key-1', 'uid-1'), 'new.conf': tenant('key-1', 'uid-1') }, ...TENANTS);
    const outputs = asked.filter(words => words.includes('secret')).map(words => words.find(word => word.startsWith('--output')));
    expect([...new Set(outputs)].sort()).toEqual(['ca\\.crt', 'front-proxy-ca\\.crt', 'sa\\.pub'].map(key => `--output=jsonpath={.data.${key}}`));
    expect(asked.filter(([verb]) => verb !== 'get' && verb !== 'api-resources')).toEqual([]);
  });

  test('says in text what differs, and what to do', async () => {
    const { stdout, code } = await move({ new: cluster({ 'get secret tenant-01-ca --namespace=tenants': '' }) }, '--output', 'text');
    expect(code).toBe(1);
    expect(stdout).toContain('failed  ca                    the CA: SHA-256 ');
    expect(stdout).toContain('copy the Secret of the old cluster before the control plane is made');
    expect(stdout).toContain('tenants/tenant-01 is not the same in both clusters: 1 thing to look at before its address changes.');
  });

  test.each<[string, string[], string]>([
    ['a tenant without a namespace', ['move', 'tenant-01', '--from', 'a', '--to', 'b'], 'tenant "tenant-01": is not a tenant, write it like tenants/tenant-01'],
    ['what would be a flag of kubectl', ['move', 'tenants/--all', '--from', 'a', '--to', 'b'], 'is not a tenant'],
    ['one cluster as both', ['move', 'tenants/a', '--from', 'a', '--to', 'a'], '--from and --to are one cluster'],
    ['one side of the tenant', ['move', 'tenants/a', '--from', 'a', '--to', 'b', '--to-tenant', 'c'], '--from-tenant and --to-tenant are compared with each other'],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await doctor(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('refuses a control plane that is not in one of the clusters', async () => {
    const { code, stderr } = await move({ new: { 'api-resources': 'pods\n' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--to: there is no TenantControlPlane tenants/tenant-01 of Kamaji or Steward')]);
  });
});
