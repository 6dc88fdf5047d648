import { startChain } from './support/chain';
import { eventually } from './support/eventually';
import { stopParts } from './support/parts';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

describeWithHaproxy('health socket', () => {
  test('follows the readiness of the API server', async () => {
    const chain = await startChain({ proxy: { replace: { 'inter 5s fastinter 1s downinter 1s': 'inter 100ms fastinter 100ms downinter 100ms' } } });
    await eventually(() => chain.haproxy.ready());
    chain.api.readyz = 500;
    await eventually(async () => (await chain.haproxy.health('/ready')).status === 503);
    chain.api.readyz = 200;
    await eventually(() => chain.haproxy.ready());
  });

  test('counts an API server that answers nobody without credentials as ready', async () => {
    const chain = await startChain({ readyz: 401 });
    await eventually(() => chain.haproxy.ready());
  });

  test('answers without a connection to the API server', async () => {
    const chain = await startChain({ proxy: { replace: { 'inter 5s': 'inter 1h' } } });
    await eventually(() => chain.haproxy.ready());
    for (let i = 0; i < 100; i++) {
      await chain.haproxy.health(i % 2 ? '/ready' : '/metrics');
    }
    expect(chain.api.server.connections).toBe(1);
    expect(chain.api.connections).toMatchObject([{ requests: ['GET /readyz'] }]);
  });

  test('has the metrics of HAProxy', async () => {
    const { haproxy } = await startChain();
    const { status, body } = await haproxy.health('/metrics');
    expect(status).toBe(200);
    for (const name of ['haproxy_process_current_connections', 'haproxy_frontend_connections_total', 'haproxy_server_check_status', 'haproxy_backend_bytes_in_total']) {
      expect(body).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
    }
  });

  test('has nothing else', async () => {
    const { haproxy } = await startChain();
    expect((await haproxy.health('/')).status).toBe(404);
    expect((await haproxy.health('/ready/x')).status).toBe(404);
  });
});
