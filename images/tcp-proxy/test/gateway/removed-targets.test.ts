import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { AddressBook } from '../../src/gateway/address-book';
import { NOTHING_REFUSED } from '../../src/gateway/refusals';
import { RouteFiles } from '../../src/gateway/route-files';
import { Routing } from '../../src/gateway/routing';
import { RuntimeApi } from '../../src/haproxy/runtime-api';

const [LEFT, STAYS] = ['left.tenants.svc:6443', 'stays.tenants.svc:6443'];
const SESSIONS = { '0xa1': '10.0.0.1:6443', '0xb2': '10.0.0.2:6443' };

/** A HAProxy that has both connections, and fails once to answer to what begins with a text. */
class Haproxy {
  public readonly closed: string[] = [];
  public failing = '';

  public async execute(command: string): Promise<string> {
    if (this.failing !== '' && command.startsWith(this.failing)) {
      this.failing = '';
      throw new Error('no answer');
    }
    if (command.startsWith('shutdown session ')) this.closed.push(command.split(' ')[2]);
    if (command === 'show sess all') return Object.entries(SESSIONS).map(([id, address]) => `${id}: proto=tcpv4\n  server=tenant (id=1) addr=${address}\n`).join('');
    return command.startsWith('show map') ? `0x1 left ${LEFT}\n0x2 stays ${STAYS}\n` : '';
  }
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'removed-targets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function tables(...targets: string[]) {
  const hosts = new Map(targets.map(target => [target.split('.')[0], target]));
  const empty = new Map<string, string>();
  return { hosts, 'cluster-ids': empty, 'ports': empty, 'destinations': empty, 'tunnel': empty, 'allowed': empty, 'domains': empty, 'gateways': empty };
}

test.each(['show sess all', 'shutdown session', 'del map'])('connections of a removed target are closed though HAProxy did not answer to "%s" first', async (failing) => {
  const haproxy = new Haproxy();
  let mounted = { tables: tables(LEFT, STAYS), refusals: NOTHING_REFUSED };
  const routing = new Routing({
    files: { read: async () => mounted } as unknown as RouteFiles,
    addresses: {
      addresses: new Map([['left.tenants.svc', '10.0.0.1'], ['stays.tenants.svc', '10.0.0.2']]), track: () => undefined,
    } as unknown as AddressBook,
    mapsDir: folder,
    runtime: haproxy as unknown as RuntimeApi,
    closeRemoved: true,
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
  });
  await routing.reconcile(true);
  mounted = { ...mounted, tables: tables(STAYS) };
  haproxy.failing = failing;
  await expect(routing.reconcile(true)).rejects.toThrow('no answer');
  expect(haproxy.closed).toEqual([]);
  routing.forget();
  await routing.reconcile(true);
  expect(haproxy.closed).toEqual(['0xa1']);
  await routing.reconcile(true);
  expect(haproxy.closed).toEqual(['0xa1']);
});
