import { answerTo, clusterIdHeader, Gateway, startGateway } from './support/gateway';
import { stopParts } from './support/parts';
import { TenantServer } from './support/tenant-server';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

const SERVICE = 'tenant-01.tenants.svc.cluster.local';
/** DNS failures in a fraction of the time. */
const QUICK = { 'timeout resolve 1s': 'timeout resolve 100ms', 'timeout retry 1s': 'timeout retry 100ms' };

async function start(addresses: string[] = []): Promise<{ tenant: TenantServer; gateway: Gateway }> {
  const tenant = await TenantServer.start('tenant-01');
  const gateway = await startGateway({ clusterIds: [`id-1 ${SERVICE}:${tenant.port}`], addresses, replace: QUICK });
  return { tenant, gateway };
}

describeWithHaproxy('the address of a service', () => {
  test('comes from DNS while the agent does not know it', async () => {
    const { gateway } = await start();
    gateway.dns.records.set(SERVICE, ['127.0.0.1']);
    expect(await answerTo(gateway, clusterIdHeader('id-1'))).toBe('tenant-01');
  });

  test('may be an IPv6 address, of DNS or of the agent', async () => {
    const tenant = await TenantServer.start('v6', 0, '::1');
    const gateway = await startGateway({
      clusterIds: [`by-dns dns.svc:${tenant.port}`, `by-map map.svc:${tenant.port}`], addresses: ['map.svc ::1'], replace: QUICK,
    });
    gateway.dns.records.set('dns.svc', ['::1']);
    expect(await answerTo(gateway, clusterIdHeader('by-dns'))).toBe('v6');
    expect(await answerTo(gateway, clusterIdHeader('by-map'))).toBe('v6');
  });

  test('that is known needs no DNS', async () => {
    const { gateway } = await start([`${SERVICE} 127.0.0.1`]);
    gateway.dns.answering = false;
    expect(await answerTo(gateway, clusterIdHeader('id-1'))).toBe('tenant-01');
    expect(gateway.dns.queries).toBe(0);
  });

  test('that does not exist closes the connection, and works as soon as it does', async () => {
    const { gateway, tenant } = await start();
    expect(await answerTo(gateway, clusterIdHeader('id-1', { destination: '127.0.0.1' }))).toBe('');
    expect(tenant.connections).toBe(0);
    gateway.dns.records.set(SERVICE, ['127.0.0.1']);
    expect(await answerTo(gateway, clusterIdHeader('id-1'))).toBe('tenant-01');
  });

  test('that DNS does not answer for closes the connection', async () => {
    const { gateway, tenant } = await start();
    gateway.dns.answering = false;
    expect(await answerTo(gateway, clusterIdHeader('id-1', { destination: '127.0.0.1' }))).toBe('');
    expect(gateway.dns.queries).toBeGreaterThan(0);
    expect(tenant.connections).toBe(0);
  });

  test('that moves is followed without a reload', async () => {
    const { gateway, tenant } = await start();
    const moved = await TenantServer.start('moved', tenant.port, '127.0.0.2');
    gateway.dns.records.set(SERVICE, ['127.0.0.1']);
    expect(await answerTo(gateway, clusterIdHeader('id-1'))).toBe('tenant-01');
    gateway.dns.records.set(SERVICE, ['127.0.0.2']);
    expect(await answerTo(gateway, clusterIdHeader('id-1'))).toBe('moved');
    expect(moved.connections).toBe(1);
  });

  test('that nobody listens on closes the connection and leaves the others alone', async () => {
    const { gateway, tenant } = await start([`${SERVICE} 127.0.0.1`]);
    await tenant.stop();
    expect(await answerTo(gateway, clusterIdHeader('id-1'))).toBe('');
    await TenantServer.start('back', tenant.port);
    expect(await answerTo(gateway, clusterIdHeader('id-1'))).toBe('back');
  });
});
