import fc from 'fast-check';
import { API_HOST, authority, startTcpProxy } from './support/chain';
import { clientHello } from './support/client-hello';
import { eventually } from './support/eventually';
import { clusterIdHeader, startGateway } from './support/gateway';
import { HaproxyProcess } from './support/haproxy-process';
import { stopParts } from './support/parts';
import { freePorts } from '../support/ports';
import { proxyHeader } from './support/proxy-header';
import { RawConnection, TenantServer, TLS_START } from './support/tenant-server';
import { describeWithHaproxy } from '../support/haproxy';

/*
 * Whatever clients send, the log has records of the one form, at most one for each connection, and none names a source
 * that somebody only claims to be.
 */
jest.setTimeout(120_000);
afterEach(stopParts);

const SEED = 20_261_128;
const RUNS = 1_500;
const AT_ONCE = 50;
const FORGED = '127.0.0.1:1 source=192.0.2.66 frontend=sni tenant=victim target=victim.svc:6443 address=10.0.0.1 ended=-- ' +
  'times=1/1/1 bytes=1 connections=1 error="Success"';

const hostileText = fc.oneof(
  fc.constantFrom(`\n${FORGED}`, '\n<0>forged', '\r\n[ALERT] (1) : forged', '\u001b[31mred', '\u009b31m', `a\0\n${FORGED}`, '"', '\\', '% [', 'x'.repeat(253),
    'x'.repeat(254), 'x'.repeat(900), '\u2028forged', 'tenant-0\n', '-'),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.uint8Array({ minLength: 1, maxLength: 80 }).map(bytes => Buffer.from(bytes).toString('latin1')),
);

/** A ClientHello whose server name is these bytes; there is room for 255. */
async function helloFor(text: Buffer): Promise<Buffer> {
  const name = text.subarray(0, 255);
  const placeholder = 'x'.repeat(name.length);
  const hello = await clientHello({ servername: placeholder });
  const at = hello.indexOf(placeholder);
  name.copy(hello, at);
  return hello;
}

const NUMBER = '-?\\d+';
const TENANT = '[A-Za-z0-9._-]{1,253}';
const GATEWAY_RECORD = new RegExp(`^(127\\.0\\.0\\.1):\\d+ (source=127\\.0\\.0\\.1 frontend=(sni|cluster-id) tenant=${TENANT} ` +
  `target=(-|tenant-\\d\\.svc:\\d+) address=(-|127\\.0\\.0\\.1) ended=[A-Za-z-]{2} times=${NUMBER}/${NUMBER}/${NUMBER} bytes=\\d+ connections=\\d+ ` +
  'error="[A-Za-z -]+"|frontend=(sni|cluster-id) error="[A-Za-z ,\'()-]+")$');
const PROXY_RECORD = new RegExp(`^127\\.0\\.0\\.1:\\d+ api~? (\\S+ ${NUMBER}/${NUMBER}/${NUMBER} \\d+ [A-Za-z-]{2} [\\d/+-]+ [\\d/]+ error="[A-Za-z ()-]+" tls="[\\w :.()-]+"|` +
  'error="[A-Za-z ()-]+" tls="[\\w :.()-]+")$');

/** The records, without what HAProxy says when it starts. */
async function records(haproxy: HaproxyProcess, flood: (send: (port: number, bytes: Buffer) => Promise<void>) => Promise<number>): Promise<string[]> {
  const before = haproxy.log.length;
  const connections = await flood(async (port, bytes) => {
    const connection = new RawConnection(port, [bytes]);
    connection.socket.end();
    await connection.end();
    connection.stop();
  });
  await eventually(async () => /^CurrConns: [01]$/m.test(await haproxy.command('show info')));
  const lines = haproxy.log.slice(before);
  expect(lines.length).toBeLessThanOrEqual(connections);
  expect(lines.length).toBeGreaterThan(0);
  return lines;
}

async function inBatches<T>(items: T[], task: (item: T, i: number) => Promise<void>): Promise<number> {
  for (let i = 0; i < items.length; i += AT_ONCE) {
    await Promise.all(items.slice(i, i + AT_ONCE).map((item, j) => task(item, i + j)));
  }
  return items.length;
}

describeWithHaproxy('the log of the gateway', () => {
  test('has one record of the known form for each connection, whatever names, IDs and headers are sent', async () => {
    const tenant = await TenantServer.start('tenant-0');
    const { haproxy, sniPort, clusterIdPort } = await startGateway({
      hosts: [`tenant-0 tenant-0.svc:${tenant.port}`], clusterIds: [`tenant-0 tenant-0.svc:${tenant.port}`], addresses: ['tenant-0.svc 127.0.0.1'],
    });
    const texts = fc.sample(hostileText, { numRuns: RUNS, seed: SEED }).map(text => Buffer.from(text, 'latin1')).filter(bytes => bytes.length > 0);
    const lines = await records(haproxy, async send => inBatches(texts, async (text, i) => {
      if (i % 4 === 0) {
        await send(sniPort, await helloFor(text));
      } else if (i % 4 === 1) {
        await send(clusterIdPort, Buffer.concat([clusterIdHeader(text as unknown as string), TLS_START]));
      } else if (i % 4 === 2) {
        await send(i % 8 === 2 ? sniPort : clusterIdPort, text);
      } else {
        // Complete but for its end, or with a version that there is not: the source in it was read by then.
        const header = proxyHeader({ source: '192.0.2.66', tlvs: [[0xe1, text]] });
        header[12] = i % 8 === 3 ? header[12] : 0x31;
        await send(clusterIdPort, i % 8 === 3 ? header.subarray(0, header.length - 1) : header);
      }
    }));
    expect(lines.filter(line => !GATEWAY_RECORD.test(line)).slice(0, 5)).toEqual([]);
    expect(lines.filter(line => /192\.0\.2\.66|victim|forged/.test(line))).toEqual([]);
    expect(lines.filter(line => line.includes('error="Received something')).length).toBeGreaterThan(0);
  });

  test('says nothing of the probes of the agent', async () => {
    const { haproxy } = await startGateway();
    const before = haproxy.log.length;
    for (let i = 0; i < 20; i++) {
      await haproxy.health('/ready');
      await haproxy.health('/refused');
      await haproxy.health('/unknown');
    }
    expect(haproxy.log.slice(before)).toEqual([]);
  });
});

describeWithHaproxy('the log of the tcp-proxy', () => {
  test.each(['tls', 'tcp'] as const)('has records of the known form alone, whatever is sent (by %s)', async mode => {
    const [closed] = await freePorts(1);
    const { haproxy, port } = await startTcpProxy({ ca: await authority(), upstream: { port: closed, mode } });
    const texts = fc.sample(hostileText, { numRuns: 100, seed: SEED }).map(text => Buffer.from(text, 'latin1')).filter(bytes => bytes.length > 0);
    const lines = await records(haproxy, async send => {
      await send(port, await clientHello({ servername: API_HOST }));
      return 1 + await inBatches(texts, async (text, i) => send(port, i % 2 ? text : await helloFor(text)));
    });
    expect(lines.filter(line => !PROXY_RECORD.test(line) && !/^\[/.test(line) && !/^Server probe/.test(line)).slice(0, 5)).toEqual([]);
  });
});
