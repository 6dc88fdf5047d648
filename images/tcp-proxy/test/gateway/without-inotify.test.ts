import { GatewayInstallation } from './gateway-installation';
import { stopParts } from '../../../../test/data-path/support/parts';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { eventually } from '../support/eventually';
import { describeWithoutInotify, WITHOUT_INOTIFY } from '../support/no-inotify';

jest.setTimeout(60_000);

const SEEN_WITHIN_MS = 5_000;

describeWithoutInotify('on a node at its limit of inotify', () => describeWithHaproxy('a gateway', () => {
  let gateway: GatewayInstallation;

  beforeEach(async () => {
    gateway = await GatewayInstallation.create();
  });
  afterEach(async () => {
    await gateway.remove();
    await stopParts();
  });

  test('sees changes within seconds, says so once and counts its folders', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    gateway.mountTenants([one]);
    const agent = gateway.startBehind(WITHOUT_INOTIFY);
    await agent.readyz(200);
    for (const [tenants, gone] of [[[two], 'one'], [[one], 'two'], [[two], 'one']] as const) {
      gateway.mountTenants([...tenants]);
      await eventually(async () => expect([await gateway.answer(tenants[0].clusterId), await gateway.answer(gone)]).toEqual([tenants[0].clusterId, '']), SEEN_WITHIN_MS);
    }
    const { body } = await agent.http('/metrics');
    expect(body).toMatch(/^tcp_proxy_unwatched_folders 2$/m);
    const said = agent.log.filter(({ msg }) => String(msg).includes('cannot be watched'));
    expect(said.map(({ level, reason }) => [level, reason])).toEqual([['warn', 'EMFILE'], ['warn', 'EMFILE']]);
  });
}));
