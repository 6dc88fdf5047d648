import { X509Certificate } from 'crypto';
import { once } from 'events';
import { AddressInfo } from 'net';
import { connect, createServer } from 'tls';
import { CertificateAuthority, KeyType } from './certificates';

describe.each<[KeyType, KeyType]>([['rsa', 'rsa'], ['ecdsa', 'ecdsa'], ['rsa', 'ecdsa']])('a certificate authority with %s and a certificate with %s', (caKey, key) => {
  test('is accepted by a TLS client that verifies the name', async () => {
    const ca = await CertificateAuthority.create('kubernetes', caKey);
    const pair = await ca.issue({ commonName: 'kube-apiserver', sans: ['kubernetes.default.svc', '10.96.0.1'], keyType: key });
    const server = createServer({ cert: pair.certificate, key: pair.key }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect({
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      servername: 'kubernetes.default.svc',
      ca: ca.certificate,
    });
    await once(client, 'secureConnect');
    expect(client.authorized).toBe(true);
    client.destroy();
    server.close();
  });
});

test('a certificate has the subject, the names and the times that were asked for', async () => {
  const ca = await CertificateAuthority.create();
  const notAfter = new Date('2001-01-01T00:00:00Z');
  const notBefore = new Date('2000-01-01T00:00:00Z');
  const { certificate } = await ca.issue({ commonName: 'admin', organization: 'system:masters', sans: ['a.example.com', 'fd00::1'], notBefore, notAfter });
  const parsed = new X509Certificate(certificate);
  expect(parsed.subject).toBe('O=system:masters\nCN=admin');
  expect(parsed.subjectAltName).toBe('DNS:a.example.com, IP Address:FD00:0:0:0:0:0:0:1');
  expect([parsed.validFrom, parsed.validTo].map(text => new Date(text))).toEqual([notBefore, notAfter]);
  expect(parsed.verify(new X509Certificate(ca.certificate).publicKey)).toBe(true);
});
