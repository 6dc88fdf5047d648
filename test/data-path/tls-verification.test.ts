import { ChainOptions, startChain } from './support/chain';
import { connectTls, ended } from './support/client';
import { eventually } from './support/eventually';
import { stopParts } from './support/parts';
import { CertificateAuthority } from '../support/certificates';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

const YESTERDAY = new Date(Date.now() - 24 * 3_600_000);
const LAST_WEEK = new Date(Date.now() - 7 * 24 * 3_600_000);

describeWithHaproxy('TLS verification', () => {
  const faults: { fault: string; options: () => Promise<ChainOptions> }[] = [
    { fault: 'of another CA', options: async () => ({ apiCa: await CertificateAuthority.create('other', 'ecdsa') }) },
    { fault: 'for another host', options: async () => ({ apiCertificate: { sans: ['tenant-02.k8s.example.com'] } }) },
    { fault: 'that has expired', options: async () => ({ apiCertificate: { notBefore: LAST_WEEK, notAfter: YESTERDAY } }) },
  ];

  test.each(faults)('an API server with a certificate $fault gets no request, and the client is told by a closed connection', async ({ options }) => {
    const chain = await startChain(await options());
    const client = await connectTls(chain);
    client.write('GET /pods HTTP/1.1\r\nHost: kubernetes\r\nAuthorization: Bearer secret\r\n\r\n');
    await ended(client);
    expect(client.bytesRead).toBe(0);
    expect(chain.api.server.connections).toBeGreaterThan(0);
    expect(chain.api.connections).toEqual([]);
    await eventually(() => chain.haproxy.log.some(line => / upstream-no-alpn\/upstream .* SC /.test(line)));
  });

  test.each(faults)('an API server with a certificate $fault makes the proxy not ready', async ({ options }) => {
    const chain = await startChain(await options());
    await eventually(() => chain.haproxy.log.some(line => line.includes('Server probe/upstream is DOWN, reason: Layer6 invalid response')));
    expect(await chain.haproxy.ready()).toBe(false);
    expect(chain.api.connections).toEqual([]);
  });

  test('a client refuses a serving certificate that has expired', async () => {
    const { ca } = await startChain();
    const serving = await ca.issue({ commonName: 'tcp-proxy', sans: ['kubernetes'], notBefore: LAST_WEEK, notAfter: YESTERDAY });
    const chain = await startChain({ proxy: { ca, serving } });
    await expect(connectTls(chain)).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' });
  });
});
