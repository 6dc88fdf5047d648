import { eventually } from './support/eventually';
import { answerTo, clusterIdHeader, startGateway, TLV_TYPE } from './support/gateway';
import { stopParts } from './support/parts';
import { proxyHeader } from './support/proxy-header';
import { exchange, RawConnection, TenantServer, TLS_START } from './support/tenant-server';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

const ID = '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10';
const OTHER_ID = '11111111-3a43-4ad5-93a1-0d3f6d2f3d10';
const SERVICE = 'tenant-01.tenants.svc.cluster.local';

async function start(replace?: { [text: string]: string }) {
  const tenant = await TenantServer.start('tenant-01');
  const other = await TenantServer.start('tenant-02');
  const gateway = await startGateway({
    clusterIds: [`${ID} ${SERVICE}:${tenant.port}`, `${OTHER_ID} other.tenants.svc.cluster.local:${other.port}`],
    addresses: [`${SERVICE} 127.0.0.1`, 'other.tenants.svc.cluster.local 127.0.0.1'],
    replace,
  });
  return { tenant, other, gateway };
}

describeWithHaproxy('the cluster ID port', () => {
  test('routes on the cluster ID, passes what follows on and takes the PROXY header away', async () => {
    const { gateway, tenant, other } = await start();
    expect(await answerTo(gateway, clusterIdHeader(ID))).toBe('tenant-01');
    expect(await answerTo(gateway, clusterIdHeader(OTHER_ID))).toBe('tenant-02');
    expect([tenant.received, other.received]).toEqual([['\x16\x03\x01'], ['\x16\x03\x01']]);
  });

  test('routes LOCAL headers, which health checks send, like others', async () => {
    const { gateway } = await start();
    expect(await answerTo(gateway, clusterIdHeader(ID, { command: 'LOCAL' }))).toBe('tenant-01');
  });

  test('takes headers with IPv6 addresses and with other TLVs around', async () => {
    const { gateway } = await start();
    const tlvs: [number, string][] = [[0xea, 'vpce-1'], [0x04, ''], [TLV_TYPE, ID], [0x02, 'authority']];
    expect(await answerTo(gateway, proxyHeader({ tlvs, source: '2001:db8::1', destination: '2001:db8::2' }))).toBe('tenant-01');
  });

  test('reads an ID up to a NUL byte, which no ID has: it leads to the tenant of that ID and to no other', async () => {
    const { gateway } = await start();
    expect(await answerTo(gateway, clusterIdHeader(`${ID}\0${OTHER_ID}`))).toBe('tenant-01');
    expect(await answerTo(gateway, clusterIdHeader(`\0${ID}`))).toBe('');
  });

  const rejected: { [what: string]: Buffer } = {
    'no TLV': proxyHeader({}),
    'an empty TLV': clusterIdHeader(''),
    'a TLV of another type': proxyHeader({ tlvs: [[0xe2, ID]] }),
    'the TLV of HyperShift': proxyHeader({ tlvs: [[0x20, ID]] }),
    'an unknown ID': clusterIdHeader(ID.replace('5', '6')),
    'an ID in other letter case': clusterIdHeader(ID.toUpperCase()),
    'an ID with something behind it': clusterIdHeader(`${ID} `),
    'the beginning of an ID': clusterIdHeader(ID.slice(0, 8)),
    'the good ID behind a wrong one': proxyHeader({ tlvs: [[TLV_TYPE, 'unknown'], [TLV_TYPE, ID]] }),
    'an ID of 1024 bytes': clusterIdHeader('x'.repeat(1024)),
    'an ID of 1025 bytes': clusterIdHeader('x'.repeat(1025)),
    'a TLV that is longer than the header': cut(clusterIdHeader(ID), 10),
    'a header of version 1': Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 50000 443\r\n'),
    'no header': Buffer.alloc(0),
    'garbage': Buffer.from('ffffffffffffffffffffffffffffffffffffff', 'hex'),
    'two stacked headers': Buffer.concat([proxyHeader({}), clusterIdHeader(ID)]),
    'a good header and another behind it': Buffer.concat([clusterIdHeader(ID), clusterIdHeader(OTHER_ID)]),
  };

  test.each(Object.entries(rejected))('closes a connection with %s and connects to nobody', async (_, header) => {
    const { gateway, tenant, other } = await start();
    expect(await answerTo(gateway, header)).toBe('');
    // The gateway goes on, so what would have been routed has been by now.
    expect(await answerTo(gateway, clusterIdHeader(ID))).toBe('tenant-01');
    expect([tenant.connections, other.connections]).toEqual([1, 0]);
  });

  test('closes a connection that does not speak TLS behind a good header', async () => {
    const { gateway, tenant } = await start();
    expect(await exchange(gateway.clusterIdPort, Buffer.concat([clusterIdHeader(ID), Buffer.from('GET / HTTP/1.1\r\n\r\n')]))).toBe('');
    expect(tenant.connections).toBe(0);
  });

  test('never connects to the destination in the PROXY header', async () => {
    const trap = await TenantServer.start('trap', 443, '127.0.0.9').catch(() => TenantServer.start('trap', 0, '127.0.0.9'));
    const { gateway } = await start();
    for (const id of ['', 'unknown']) {
      const header = clusterIdHeader(id, { destination: '127.0.0.9' });
      header.writeUInt16BE(trap.port, 16 + 8 + 2);
      expect(await answerTo(gateway, header)).toBe('');
    }
    expect(trap.connections).toBe(0);
  });

  test('takes the ClientHello in any pieces', async () => {
    const { gateway } = await start();
    const connection = new RawConnection(gateway.clusterIdPort, [clusterIdHeader(ID), ...[...TLS_START].map(byte => Buffer.from([byte]))]);
    expect(await connection.answer()).toBe('tenant-01');
  });

  test('closes silent clients after the handshake timeout: before the header, and behind a good one', async () => {
    const { gateway, tenant } = await start({ 'client-hs 10s': 'client-hs 300ms', 'inspect-delay 10s': 'inspect-delay 300ms' });
    await new RawConnection(gateway.clusterIdPort, []).end();
    await new RawConnection(gateway.clusterIdPort, [clusterIdHeader(ID)]).end();
    expect(tenant.connections).toBe(0);
  });

  test('says in the log who was rejected', async () => {
    const { gateway } = await start();
    await answerTo(gateway, clusterIdHeader('unknown'));
    await answerTo(gateway, Buffer.from('garbage '.repeat(10)));
    const logged = (pattern: RegExp) => eventually(() => gateway.haproxy.log.some(line => pattern.test(line)));
    await logged(/^127\.0\.0\.1:\d+ source=127\.0\.0\.1 frontend=cluster-id tenant=unknown target=- address=- ended=PR /);
    await logged(/does not look like a PROXY protocol header/);
  });

  test('takes connections of the named networks alone', async () => {
    const tenant = await TenantServer.start('tenant-01');
    const gateway = await startGateway({
      clusterIds: [`${ID} ${SERVICE}:${tenant.port}`], addresses: [`${SERVICE} 127.0.0.1`], config: { proxyCidrs: ['127.0.0.0/8'] },
    });
    expect(await answerTo(gateway, clusterIdHeader(ID))).toBe('tenant-01');
    expect(await answerTo(gateway, clusterIdHeader(ID, { source: '127.0.0.1' }), '::1')).toBe('');
  });

  test('refuses connections above the limit', async () => {
    const tenant = await TenantServer.start('tenant-01');
    const gateway = await startGateway({
      clusterIds: [`${ID} ${SERVICE}:${tenant.port}`], addresses: [`${SERVICE} 127.0.0.1`], config: { maxConnections: 1 },
    });
    const first = new RawConnection(gateway.clusterIdPort, [clusterIdHeader(ID), TLS_START]);
    expect(await first.answer()).toBe('tenant-01');
    expect(await answerTo(gateway, clusterIdHeader(ID))).toBe('');
  });
});

/** Says in the header's length that it is shorter by some bytes than it is. */
function cut(header: Buffer, bytes: number): Buffer {
  header.writeUInt16BE(header.length - 16 - bytes, 14);
  return header;
}
