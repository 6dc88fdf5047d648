import { readFileSync } from 'fs';
import { join } from 'path';
import { apiMap, Assembly, START_HERE, TOPICS } from '../../scripts/api-map';
import * as library from '../../src';

const INDEX = readFileSync(join(__dirname, '..', '..', 'src', 'index.ts'), 'utf8');

function assemblyOf(types: { [name: string]: string }): Assembly {
  return {
    types: Object.fromEntries(Object.entries(types).map(([name, symbolId]) =>
      [`package.${name}`, { name, fqn: `package.${name}`, symbolId: `${symbolId}:${name}`, docs: { summary: `What ${name} is.` } }])),
  };
}

const START = Object.fromEntries(START_HERE.map(name => [name, 'src/model/any']));

test('the map starts with twenty classes that there are', () => {
  expect(START_HERE.filter(name => typeof (library as any)[name] !== 'function')).toEqual([]);
  expect(new Set(START_HERE).size).toBe(20);
});

test('every room that exports something is in one topic', () => {
  const rooms = [...new Set([...INDEX.matchAll(/from '\.\/([^/']+)/g)].map(([, room]) => room))];
  expect(rooms.length).toBeGreaterThan(10);
  expect(rooms.filter(room => Object.values(TOPICS).flat().filter(known => known === room).length !== 1)).toEqual([]);
});

test('the map says what each of these is, and leads to every type', () => {
  const map = apiMap(assemblyOf({ ...START, BindOutputProps: 'src/dns/bind', TenantDns: 'src/dns/tenant-dns' }));
  expect(map).toContain('| <a href="#package.TenantDns">TenantDns</a> | What TenantDns is. |');
  expect(map).toContain('| DNS | <a href="#package.BindOutputProps">BindOutputProps</a>, <a href="#package.TenantDns">TenantDns</a> |');
});

test('a type of a room without a topic, and a start that is gone, are errors', () => {
  expect(() => apiMap(assemblyOf({ ...START, Thing: 'src/attic/thing' }))).toThrow('no topic has the rooms of Thing');
  const { TenantDns: _, ...others } = START;
  expect(() => apiMap(assemblyOf(others))).toThrow('there is no TenantDns to start from');
});
