import { GatewayInstallation, routeLine } from './gateway-installation';
import { stopParts } from '../../../../test/data-path/support/parts';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { eventually } from '../support/eventually';

jest.setTimeout(120_000);

describeWithHaproxy('lines of a table that the configuration of HAProxy does not use yet', () => {
  afterEach(stopParts);

  test('delay neither other lines nor the configuration that uses them', async () => {
    const installation = await GatewayInstallation.create();
    try {
      const agent = installation.start();
      await agent.readyz(200);
      const tenant = await installation.tenant('tenant-01');
      // As the API has them before the pod is replaced by one of a fleet's edge.
      installation.mountRoutes({ 'gateways-00.map': '@eu 127.0.0.1|7444\n', 'domains-00.map': 'eu.example.com @eu\n', 'cluster-ids-00.map': routeLine(tenant) });
      await eventually(async () => expect(await installation.answer('tenant-01')).toBe('tenant-01'));
      await agent.logged('lines that HAProxy has no map for are not in use');
      installation.mountConfig(installation.configText(1234));
      await eventually(() => expect(installation.live()).toContain('1234'));
    } finally {
      await installation.remove();
    }
  });
});
