import { connect as connectHttp2 } from 'http2';
import { Chain, startChain } from './support/chain';
import { connectTls, getH2, received, ended } from './support/client';
import { stopParts } from './support/parts';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

const H1 = ['http/1.1'];
const H2 = ['h2'];
const BOTH = ['h2', 'http/1.1'];
const NONE: string[] = [];

describeWithHaproxy('ALPN', () => {
  // The proxy answers its client before it knows the API server, so what only the API server lacks cannot be made up for.
  test.each([
    { client: NONE, server: NONE, outcome: 'none' },
    { client: NONE, server: H1, outcome: 'none' },
    { client: NONE, server: H2, outcome: 'none' },
    { client: NONE, server: BOTH, outcome: 'none' },
    { client: H1, server: NONE, outcome: 'none' },
    { client: H1, server: H1, outcome: 'http/1.1' },
    { client: H1, server: H2, outcome: 'closed' },
    { client: H1, server: BOTH, outcome: 'http/1.1' },
    { client: H2, server: NONE, outcome: 'closed' },
    { client: H2, server: H1, outcome: 'closed' },
    { client: H2, server: H2, outcome: 'h2' },
    { client: H2, server: BOTH, outcome: 'h2' },
    { client: BOTH, server: NONE, outcome: 'closed' },
    { client: BOTH, server: H1, outcome: 'closed' },
    { client: BOTH, server: H2, outcome: 'h2' },
    { client: BOTH, server: BOTH, outcome: 'h2' },
  ])('client $client, API server $server: $outcome', async ({ client, server, outcome }) => {
    const chain = await startChain({ protocols: server });
    expect(await request(chain, client)).toBe(outcome);
  });

  test.each([
    { client: NONE, outcome: 'none' },
    { client: H1, outcome: 'http/1.1' },
    { client: BOTH, outcome: 'http/1.1' },
  ])('with HTTP/2 off, client $client, API server without HTTP/2: $outcome', async ({ client, outcome }) => {
    const chain = await startChain({ protocols: H1, proxy: { settings: { http2: false } } });
    expect(await request(chain, client)).toBe(outcome);
  });
});

/** Sends a request in the protocol that the client was told, and returns the one that the API server answered in. */
async function request(chain: Chain, protocols: string[]): Promise<string> {
  const socket = await connectTls(chain, protocols.length > 0 ? { ALPNProtocols: protocols } : {});
  let answer: Promise<string>;
  if (socket.alpnProtocol === 'h2') {
    const session = connectHttp2('https://kubernetes', { createConnection: () => socket }).on('error', () => undefined);
    answer = getH2(session, '/pods');
  } else {
    const collected = received(socket);
    socket.write('GET /pods HTTP/1.1\r\nHost: kubernetes\r\nConnection: close\r\n\r\n');
    answer = ended(socket).then(() => collected.text);
  }
  const text = await Promise.race([answer.catch(() => ''), ended(socket).then(() => '')].slice(0, socket.alpnProtocol === 'h2' ? 2 : 1));
  if (!text.includes('200') || !text.includes('GET /pods')) {
    return 'closed';
  }
  return chain.api.clientConnections[0].alpn || 'none';
}
