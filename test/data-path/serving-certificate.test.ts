import { TLSSocket } from 'tls';
import { startChain } from './support/chain';
import { connectTls, received } from './support/client';
import { eventually } from './support/eventually';
import { stopParts } from './support/parts';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

describeWithHaproxy('serving certificate', () => {
  test('is replaced through the runtime API, from RSA to ECDSA, while a stream goes on', async () => {
    const { ca } = await startChain();
    const [rsa, ecdsa] = await Promise.all((['rsa', 'ecdsa'] as const).map(keyType => ca.issue({ commonName: keyType, sans: ['kubernetes'], keyType })));
    const chain = await startChain({ proxy: { ca, serving: rsa } });
    expect(await chain.haproxy.command('show ssl cert')).toContain('@serving/tls');
    const old = await connectTls(chain);
    expect(keyTypeOf(old)).toBe('rsa');
    const stream = received(old);
    old.write('GET /x?watch=1 HTTP/1.1\r\nHost: kubernetes\r\n\r\n');
    await eventually(() => stream.text.includes('ADDED'));

    expect(await chain.haproxy.command('set ssl cert @serving/tls', ecdsa.certificate + ecdsa.key)).toContain('Transaction created');
    expect(await chain.haproxy.command('commit ssl cert @serving/tls')).toContain('Success!');

    expect(keyTypeOf(await connectTls(chain))).toBe('ec');
    chain.api.notify('MODIFIED');
    await eventually(() => stream.text.includes('MODIFIED'));
  });

  test('is kept when a broken pair is offered', async () => {
    const { ca } = await startChain();
    const [good, other] = await Promise.all(['good', 'other'].map(commonName => ca.issue({ commonName, sans: ['kubernetes'], keyType: 'ecdsa' })));
    const chain = await startChain({ proxy: { ca, serving: good } });
    await chain.haproxy.command('set ssl cert @serving/tls', other.certificate + good.key);
    expect(await chain.haproxy.command('commit ssl cert @serving/tls')).toContain('inconsistencies between private key and certificate');
    expect((await connectTls(chain)).getPeerCertificate().subject.CN).toBe('good');
  });

  test('of a client with a session ticket need not be sent again', async () => {
    const chain = await startChain();
    const first = await connectTls(chain);
    const session = new Promise<Buffer>(resolve => first.once('session', resolve));
    first.resume().write('GET /x?watch=1 HTTP/1.1\r\nHost: kubernetes\r\n\r\n');
    const second = await connectTls(chain, { session: await session });
    expect(second.isSessionReused()).toBe(true);
  });
});

function keyTypeOf(socket: TLSSocket): string {
  return socket.getPeerX509Certificate()!.publicKey.asymmetricKeyType!;
}
