import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import * as fc from 'fast-check';
import { RouteFiles, Routes } from '../../src/gateway/route-files';

let folder: string;
let files: RouteFiles;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'routes-'));
  files = new RouteFiles(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, ...lines: string[]) => writeFileSync(join(folder, name), lines.map(line => `${line}\n`).join(''));
const hosts = ({ tables }: Routes) => Object.fromEntries(tables.hosts);
const A = 'host.example.com a.tenants.svc:6443';
const B = 'host.example.com b.tenants.svc:6443';

describe('a host that two ConfigMaps give different targets', () => {
  test('keeps the one that it had, in whatever file the other comes, until that is gone', async () => {
    write('hosts-01.map', A);
    await files.read();
    write('hosts-00.map', B);
    const both = await files.read();
    expect(hosts(both)).toEqual({ 'host.example.com': 'a.tenants.svc:6443' });
    expect(both.refusals).toEqual({ count: 1, examples: ['hosts: host.example.com has 2 different targets, so it goes on to a.tenants.svc:6443'] });
    write('hosts-02.map', 'other.example.com c.tenants.svc:6443');
    expect(hosts(await files.read())).toEqual({ 'host.example.com': 'a.tenants.svc:6443', 'other.example.com': 'c.tenants.svc:6443' });
    write('hosts-01.map');
    const moved = await files.read();
    expect(hosts(moved)).toEqual({ 'host.example.com': 'b.tenants.svc:6443', 'other.example.com': 'c.tenants.svc:6443' });
    expect(moved.refusals.count).toBe(0);
  });

  test('leads to none when it had none of them', async () => {
    write('hosts-00.map', A);
    write('hosts-01.map', B);
    const { refusals, ...routes } = await files.read();
    expect(hosts({ ...routes, refusals })).toEqual({});
    expect(refusals.examples).toEqual(['hosts: host.example.com has 2 different targets, so it leads to none']);
  });
});

test('a file that cannot be read stays as it was, the others go on, and it is followed again afterwards', async () => {
  write('hosts-00.map', A);
  await files.read();
  rmSync(join(folder, 'hosts-00.map'));
  mkdirSync(join(folder, 'hosts-00.map'));
  write('hosts-01.map', 'other.example.com c.tenants.svc:6443');
  const broken = await files.read();
  expect(Object.keys(hosts(broken)).sort()).toEqual(['host.example.com', 'other.example.com']);
  expect(broken.refusals.examples).toEqual([expect.stringContaining('hosts-00.map: EISDIR')]);
  expect(await files.read()).toBe(broken);
  rmSync(join(folder, 'hosts-00.map'), { recursive: true });
  write('hosts-00.map', A);
  expect((await files.read()).refusals.count).toBe(0);
});

test('a file that is larger than any ConfigMap is left out alone', async () => {
  write('hosts-00.map', A);
  write('hosts-01.map', 'x'.repeat(3 * 2 ** 20));
  const routes = await files.read();
  expect(hosts(routes)).toEqual({ 'host.example.com': 'a.tenants.svc:6443' });
  expect(routes.refusals.examples).toEqual([expect.stringContaining('hosts-01.map: has 3145729 bytes')]);
});

test('half a million bad lines are counted, and a few of them kept', async () => {
  write('hosts-00.map', A, 'x\n'.repeat(500_000));
  const { refusals, ...routes } = await files.read();
  expect(hosts({ ...routes, refusals })).toEqual({ 'host.example.com': 'a.tenants.svc:6443' });
  expect(refusals.count).toBe(500_000);
  expect(refusals.examples).toHaveLength(20);
});

test('whatever else is in the files, a good line stays', async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), async (lines, other) => {
    const fresh = new RouteFiles(folder);
    write('hosts-00.map', ...lines, A, ...lines);
    write('hosts-01.map', other);
    expect(hosts(await fresh.read())['host.example.com']).toBe('a.tenants.svc:6443');
  }), { numRuns: 50 });
});
