import { base64 } from './harness';
import { kubeconfigOf, parseKubeconfig } from '../../src/sync/kubeconfig';

const PEM = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
const RECORD = {
  version: 1 as const,
  tenant: { namespace: 'tenants', name: 'a' },
  kubeconfig: { secretName: 'a-admin-kubeconfig', keys: ['super-admin.svc', 'admin.svc'] },
};

function kubeconfig({ cluster = {}, user = {}, ...rest }: { cluster?: object; user?: object } & Record<string, unknown> = {}): string {
  return JSON.stringify({
    'current-context': 'two',
    'contexts': [{ name: 'one', context: {} }, { name: 'two', context: { cluster: 'c', user: 'u' } }],
    'clusters': [{ name: 'c', cluster: { 'server': 'https://a.tenants.svc:6443', 'certificate-authority-data': base64(PEM), ...cluster } }],
    'users': [{ name: 'u', user: { 'client-certificate-data': base64(PEM), 'client-key-data': base64(PEM), ...user } }],
    ...rest,
  });
}

test('a kubeconfig gives the server, whom to trust and who one is, from its current context', () => {
  expect(parseKubeconfig(kubeconfig({ cluster: { 'tls-server-name': 'kubernetes' } }))).toEqual({
    apiServer: 'https://a.tenants.svc:6443',
    serverName: 'kubernetes',
    credentials: { ca: PEM, clientCertificate: { certificate: PEM, key: PEM } },
  });
});

test('a token stands for a client certificate', () => {
  const user = { 'client-certificate-data': undefined, 'client-key-data': undefined, 'token': 'secret' };
  expect(parseKubeconfig(kubeconfig({ user })).credentials).toEqual({ ca: PEM, token: 'secret' });
});

test('a kubeconfig is YAML', () => {
  const yaml = [
    'current-context: a',
    'contexts: [{name: a, context: {cluster: c, user: u}}]',
    'clusters:', '- name: c', '  cluster:', '    server: https://x:6443', '    insecure-skip-tls-verify: false', `    certificate-authority-data: ${base64(PEM)}`,
    'users: [{name: u, user: {token: t}}]',
  ].join('\n');
  expect(parseKubeconfig(yaml).apiServer).toBe('https://x:6443');
});

test.each([
  ['a program', { user: { exec: { command: 'aws' } } }, 'user.exec would run a program; give client-certificate-data'],
  ['no verification', { cluster: { 'insecure-skip-tls-verify': true } }, 'cluster.insecure-skip-tls-verify would trust anybody; give certificate-authority-data'],
  ['a CA file', { cluster: { 'certificate-authority': '/ca.crt' } }, 'cluster.certificate-authority names a file'],
  ['a token file', { user: { tokenFile: '/token' } }, 'user.tokenFile names a file'],
  ['a certificate file', { user: { 'client-certificate': '/tls.crt' } }, 'user.client-certificate names a file'],
  ['a proxy', { cluster: { 'proxy-url': 'http://proxy' } }, 'cluster.proxy-url is not supported'],
  ['a password', { user: { username: 'admin', password: 'x' } }, 'user.username is not supported'],
  ['no CA', { cluster: { 'certificate-authority-data': undefined } }, 'cluster.certificate-authority-data is missing'],
  ['a CA that is no PEM', { cluster: { 'certificate-authority-data': base64('x') } }, 'cluster.certificate-authority-data is not PEM in base64'],
  ['half a client certificate', { user: { 'client-key-data': undefined } }, 'user.client-key-data is missing'],
  ['no credentials', { user: { 'client-certificate-data': undefined, 'client-key-data': undefined } }, 'user has no credentials'],
  ['a token of two lines', { user: { 'client-certificate-data': '', 'client-key-data': '', 'token': 'a\r\nX: y' } }, 'user.token has characters'],
  ['a context that does not exist', { 'current-context': 'three' }, "contexts has no entry 'three'"],
  ['no current context', { 'current-context': '' }, 'current-context is missing'],
  ['a number for a server', { cluster: { server: 6443 } }, 'cluster.server is not a text'],
])('a kubeconfig with %s is refused', (_, changes, message) => {
  expect(() => parseKubeconfig(kubeconfig(changes))).toThrow(`kubeconfig: ${message}`);
});

test.each(['', '[]', '- a', 'a: [', '\t', 'null'])('%j is refused, and not repeated in the message', (text) => {
  expect(() => parseKubeconfig(text)).toThrow(/^kubeconfig: (kubeconfig is not|current-context is missing)/);
});

test('the first of the keys that is there counts', () => {
  expect(kubeconfigOf({ 'admin.svc': base64('admin'), 'super-admin.svc': base64('super') }, RECORD)).toBe('super');
  expect(kubeconfigOf({ 'admin.svc': base64('admin'), 'other': base64('x') }, RECORD)).toBe('admin');
  expect(() => kubeconfigOf({ value: base64('x') }, RECORD)).toThrow('Secret tenants/a-admin-kubeconfig has none of the keys super-admin.svc, admin.svc (it has: value)');
});

test('keys are those of the Secret, and no others that JavaScript finds', () => {
  expect(() => kubeconfigOf({}, { ...RECORD, kubeconfig: { ...RECORD.kubeconfig, keys: ['constructor', '__proto__'] } })).toThrow('has none of the keys');
});

test('a kubeconfig that is longer than any needs to be is refused before it is read', () => {
  expect(() => kubeconfigOf({ 'admin.svc': base64(kubeconfig({ more: 'x'.repeat(300_000) })) }, RECORD)).toThrow('kubeconfig: kubeconfig is longer than 262144 bytes');
});

test('a kubeconfig of aliases of aliases costs what its text does', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]', ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({ length: 9 }, () => `*a${i}`).join()}]`)];
  expect(() => parseKubeconfig(lines.join('\n'))).toThrow('current-context is missing');
});
