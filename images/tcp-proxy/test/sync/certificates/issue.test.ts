import 'reflect-metadata';
import { execFileSync, spawnSync } from 'child_process';
import { X509Certificate } from 'crypto';
import { once } from 'events';
import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { AddressInfo } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { checkServerIdentity, connect, createServer } from 'tls';
import * as x509 from '@peculiar/x509';
import { Authority, AuthorityKey, createAuthority } from './authorities';
import { parseAuthorities, signingAuthority } from '../../../src/sync/certificates/authority';
import { issueServingCertificate } from '../../../src/sync/certificates/issue';
import { KeyPair } from '../../../src/sync/certificates/key-pair';

const NAMES = {
  dnsNames: ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
  ipAddresses: ['10.96.0.1', 'fd00:10:96::1'],
};
const NOW = new Date();
const DAY = 24 * 3_600_000;
const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;

function issue(ca: Authority, key = ca.key, now = NOW): Promise<KeyPair> {
  return issueServingCertificate({ authority: signingAuthority(parseAuthorities(ca.certificate, 'ca.crt'), key, 'ca.key'), names: NAMES, now });
}

async function peer(pair: KeyPair, ca: string, servername: string): Promise<{ authorized: boolean; error?: string; tls: string | null }> {
  const server = createServer({ cert: pair.certificate, key: pair.key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    servername: /[:]|^\d/.test(servername) ? undefined : servername,
    checkServerIdentity: (_, certificate) => checkServerIdentity(servername, certificate),
    ca,
    rejectUnauthorized: false,
  });
  await once(client, 'secureConnect');
  const { authorized, authorizationError } = client;
  const result = { authorized, error: authorizationError ? String(authorizationError) : undefined, tls: client.getProtocol() };
  client.destroy();
  server.close();
  return result;
}

describe('a serving certificate', () => {
  test.each<[string, AuthorityKey, (ca: Authority) => string]>([
    ['an RSA key in PKCS#8', 'rsa', ca => ca.key],
    ['an RSA key in PKCS#1, as kubeadm writes it', 'rsa', ca => ca.privateKey.export({ type: 'pkcs1', format: 'pem' }) as string],
    ['a P-256 key in PKCS#8', 'P-256', ca => ca.key],
    ['a P-256 key in SEC1, as cert-manager writes it', 'P-256', ca => ca.privateKey.export({ type: 'sec1', format: 'pem' }) as string],
    ['a P-256 key after its parameters, as OpenSSL writes it', 'P-256',
      ca => `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${ca.privateKey.export({ type: 'sec1', format: 'pem' }) as string}`],
    ['a P-384 key', 'P-384', ca => ca.key],
    ['a P-521 key', 'P-521', ca => ca.key],
  ])('of a CA with %s is accepted by clients that know the CA, by every name and address', async (_, keyType, keyOf) => {
    const ca = await createAuthority({ key: keyType });
    const pair = await issue(ca, keyOf(ca));
    for (const name of [...NAMES.dnsNames, ...NAMES.ipAddresses]) {
      expect(await peer(pair, ca.certificate, name)).toEqual({ authorized: true, error: undefined, tls: 'TLSv1.3' });
    }
    expect(await peer(pair, ca.certificate, 'kubernetes.example.com')).toMatchObject({ authorized: false, error: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('is refused by clients that know another CA of the same name', async () => {
    const [ca, other] = [await createAuthority(), await createAuthority()];
    expect((await peer(await issue(ca), other.certificate, 'kubernetes')).authorized).toBe(false);
  });

  test('is verified by what renews the CA with the same key', async () => {
    const ca = await createAuthority();
    const renewed = await createAuthority({ keyOf: ca });
    expect((await peer(await issue(ca), renewed.certificate, 'kubernetes')).authorized).toBe(true);
  });

  test('has an ECDSA P-256 key and is for servers alone', async () => {
    const { certificate } = await issue(await createAuthority({ key: 'rsa' }));
    const parsed = new x509.X509Certificate(certificate);
    expect(parsed.publicKey.algorithm).toMatchObject({ name: 'ECDSA', namedCurve: 'P-256' });
    expect(parsed.getExtension(x509.KeyUsagesExtension)).toMatchObject({ usages: x509.KeyUsageFlags.digitalSignature, critical: true });
    expect(parsed.getExtension(x509.ExtendedKeyUsageExtension)!.usages).toEqual([x509.ExtendedKeyUsage.serverAuth]);
    expect(parsed.getExtension(x509.BasicConstraintsExtension)).toMatchObject({ ca: false, critical: true });
    expect(parsed.getExtension(x509.SubjectKeyIdentifierExtension)!.keyId).toMatch(/^[0-9a-f]{40}$/);
  });

  test('is for 90 days, from some minutes ago', async () => {
    const { chain: [leaf] } = await issue(await createAuthority());
    expect(Math.abs(new Date(leaf.validFrom).getTime() - (NOW.getTime() - 5 * 60_000))).toBeLessThan(1000);
    expect(Math.abs(new Date(leaf.validTo).getTime() - (NOW.getTime() + 90 * DAY))).toBeLessThan(1000);
  });

  test('does not outlive its CA', async () => {
    const ca = await createAuthority({ notAfter: new Date(NOW.getTime() + 10 * DAY) });
    const { chain: [leaf] } = await issue(ca);
    expect(leaf.validTo).toBe(new X509Certificate(ca.certificate).validTo);
  });

  test('has a positive serial number of its own, of at most 128 bits', async () => {
    const ca = await createAuthority();
    const serials = await Promise.all(Array.from({ length: 12 }, async () => (await issue(ca)).chain[0].serialNumber));
    expect(new Set(serials).size).toBe(12);
    for (const serial of serials) {
      expect(serial).toMatch(/^[0-9A-F]{1,32}$/);
    }
    expect(Math.max(...serials.map(serial => serial.length))).toBeGreaterThan(28);
  });

  test('names the key of its CA as the CA does, however that computed the name', async () => {
    const keyIdentifier = '0102030405060708090a0b0c0d0e0f1011121314';
    const ca = await createAuthority({ keyIdentifier });
    const pair = await issue(ca);
    expect(new x509.X509Certificate(pair.certificate).getExtension(x509.AuthorityKeyIdentifierExtension)!.keyId).toBe(keyIdentifier);
    expect((await peer(pair, ca.certificate, 'kubernetes')).authorized).toBe(true);
  });

  test('names no key of a CA that has no name for it', async () => {
    const ca = await createAuthority({ keyIdentifier: null });
    const pair = await issue(ca);
    expect(new x509.X509Certificate(pair.certificate).getExtension(x509.AuthorityKeyIdentifierExtension)).toBeNull();
    expect((await peer(pair, ca.certificate, 'kubernetes')).authorized).toBe(true);
  });

  test.each(['kubernetes', 'tcp-proxy'])('is not taken for self-signed when the CA is called %s', async commonName => {
    const ca = await createAuthority({ commonName });
    const pair = await issue(ca);
    expect(pair.chain[0].subject).not.toBe(pair.chain[0].issuer);
    expect((await peer(pair, ca.certificate, 'kubernetes')).authorized).toBe(true);
  });

  test('is not issued by a CA that has expired', async () => {
    const ca = await createAuthority({ notBefore: new Date(NOW.getTime() - 10 * DAY), notAfter: new Date('2026-01-02T00:00:00Z') });
    await expect(issue(ca, ca.key, new Date('2026-01-02T00:00:00Z'))).rejects.toThrow(
      'the tenant CA expired at 2026-01-02T00:00:00.000Z, so nothing can be issued from it');
  });
});

(HAS_OPENSSL ? describe : describe.skip)(`OpenSSL${HAS_OPENSSL ? '' : ' (skipped: install the package openssl)'}`, () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'issue-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  test.each<[string, string[]]>([
    ['RSA', ['rsa:2048']],
    ['ECDSA', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
  ])('verifies what a CA that it made with an %s key issued, strictly', async (_, key) => {
    openssl('req', '-x509', '-newkey', ...key, '-nodes', '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/O=Example/CN=kubernetes', '-days', '365',
      '-addext', 'keyUsage=critical,keyCertSign,cRLSign');
    const ca = { certificate: openssl('x509', '-in', 'ca.crt'), key: openssl('pkey', '-in', 'ca.key') } as Authority;
    write('tls.crt', (await issue(ca)).certificate);
    expect(openssl('verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'kubernetes.default.svc', '-CAfile', 'ca.crt', 'tls.crt'))
      .toBe('tls.crt: OK\n');
    expect(openssl('verify', '-x509_strict', '-purpose', 'sslserver', '-verify_ip', 'fd00:10:96::1', '-CAfile', 'ca.crt', 'tls.crt')).toBe('tls.crt: OK\n');
    expect(() => openssl('verify', '-x509_strict', '-purpose', 'sslclient', '-CAfile', 'ca.crt', 'tls.crt')).toThrow('unsuitable certificate purpose');
  });

  test.each(['utf8only', 'default'])('finds the bytes of the name of the CA in what it issued, with the string mask %s, as Go compares them', async mask => {
    write('ca.cnf', `[req]\ndistinguished_name = dn\nprompt = no\nx509_extensions = ca\nstring_mask = ${mask}\n[ca]\nbasicConstraints = critical,CA:TRUE\n[dn]\nO = Example\nCN = kubernetes\n`);
    openssl('req', '-x509', '-config', 'ca.cnf', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '365');
    const ca = { certificate: openssl('x509', '-in', 'ca.crt'), key: openssl('pkey', '-in', 'ca.key') } as Authority;
    const hex = (name: x509.Name) => Buffer.from(name.toArrayBuffer()).toString('hex');
    const issued = new x509.X509Certificate((await issue(ca)).certificate);
    expect(hex(issued.issuerName)).toBe(hex(new x509.X509Certificate(ca.certificate).subjectName));
  });
});
