import { startChain } from '../../../../../test/data-path/support/chain';
import { connectTls, get } from '../../../../../test/data-path/support/client';
import { stopParts } from '../../../../../test/data-path/support/parts';
import { CertificateAuthority } from '../../../../../test/support/certificates';
import { describeWithHaproxy } from '../../../../../test/support/haproxy';
import { parseAuthorities, signingAuthority } from '../../../src/sync/certificates/authority';
import { issueServingCertificate } from '../../../src/sync/certificates/issue';
import { KeyPair } from '../../../src/sync/certificates/key-pair';

jest.setTimeout(60_000);
afterEach(stopParts);

async function issuedBy(ca: CertificateAuthority): Promise<KeyPair> {
  const authority = signingAuthority(parseAuthorities(ca.certificate, 'ca.crt'), await ca.key(), 'ca.key');
  return issueServingCertificate({ authority, names: { dnsNames: ['kubernetes'], ipAddresses: ['10.96.0.1'] }, now: new Date() });
}

describeWithHaproxy('HAProxy', () => {
  test('serves an issued pair, and changes to one of another CA without a restart', async () => {
    const [first, second] = await Promise.all([CertificateAuthority.create(), CertificateAuthority.create()]);
    const chain = await startChain({ proxy: { ca: first, serving: await issuedBy(first) } });
    expect(await get(chain, '/x')).toMatch(/^200 /);

    const { certificate, key } = await issuedBy(second);
    await chain.haproxy.command('set ssl cert @serving/tls', certificate + key);
    expect(await chain.haproxy.command('commit ssl cert @serving/tls')).toContain('Success!');
    expect(await get({ ...chain, ca: second }, '/x')).toMatch(/^200 /);
    await expect(connectTls(chain)).rejects.toThrow();
  });
});
