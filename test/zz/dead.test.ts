import { API_HOST, authority, startTcpProxy } from '../data-path/support/chain';
import { eventually } from '../data-path/support/eventually';
import { startGateway } from '../data-path/support/gateway';
import { ADDRESSES, LossyNetwork, Side, UPSTREAM_PORT } from '../data-path/support/lossy-network';
import { stopParts } from '../data-path/support/parts';
import { describeInNamespace } from '../../images/tcp-proxy/test/support/namespace';
import { haproxyBinary } from '../support/haproxy';

jest.setTimeout(300_000);
afterEach(stopParts);

/** The times of the library, each two decimal places shorter. */
const QUICK = {};

type Start = (network: LossyNetwork) => Promise<number>;
const upstream = { host: ADDRESSES.upstream, port: UPSTREAM_PORT };
const PROXIES: [name: string, start: Start][] = [
  ['a tcp-proxy that opens TLS', async ({ inside }) =>
    (await startTcpProxy({ ca: await authority(), upstream: { ...upstream, mode: 'tls' }, replace: QUICK, inside })).port],
  ['a tcp-proxy that passes bytes', async ({ inside }) =>
    (await startTcpProxy({ ca: await authority(), upstream: { ...upstream, mode: 'tcp' }, replace: QUICK, inside })).port],
  ['a gateway', async ({ inside }) => (await startGateway({
    hosts: [`${API_HOST} tenant.svc:${UPSTREAM_PORT}`], addresses: [`tenant.svc ${ADDRESSES.upstream}`],
    config: { listenAddresses: ['127.0.0.1'] }, replace: QUICK, inside,
  })).sniPort],
];

describeInNamespace('a peer that vanishes', () => {
  test.each(PROXIES)('ends the connection at the other side of %s, with data under way and without', async (_, start) => {
    expect(haproxyBinary()).toBeDefined();
    const cases: [dead: Side, alive: Side, pending: boolean][] =
      [['client', 'upstream', true], ['upstream', 'client', true], ['client', 'upstream', false], ['upstream', 'client', false]];
    await Promise.all(cases.map(async ([dead, alive, pending]) => {
      const network = await LossyNetwork.create();
      await network.connect(await start(network));
      network.kill(dead);
      if (pending) {
        network.send(alive);
      }
      const t0 = Date.now(); await eventually(() => network.closed(alive), 200_000); console.log(_, dead, 'dies', pending ? 'pending' : 'idle', Date.now() - t0);
    }));
  });
});
