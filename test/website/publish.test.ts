import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { publish } from '../../scripts/website/publish';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'publish-')); });
afterEach(() => rmSync(folder, { recursive: true }));

function built(text: string): string {
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'index.html'), text);
  return dist;
}

const read = (...path: string[]) => readFileSync(join(folder, 'site', ...path), 'utf8');

test('versions stand beside each other, newest first, what is not released last', () => {
  for (const version of ['0.9', 'next', '0.10', '1.0', '0.2']) {
    publish(built(version), join(folder, 'site'), version);
  }
  expect(JSON.parse(read('versions.json'))).toEqual(['1.0', '0.10', '0.9', '0.2', 'next']);
  expect(read('index.html')).toContain('url=./1.0/');
  expect(read('0.9', 'index.html')).toBe('0.9');
});

test('a version that is published again takes the place of itself alone', () => {
  publish(built('old'), join(folder, 'site'), '0.1');
  publish(built('other'), join(folder, 'site'), '0.2');
  publish(built('new'), join(folder, 'site'), '0.1');
  expect([read('0.1', 'index.html'), read('0.2', 'index.html')]).toEqual(['new', 'other']);
});

test.each(['', '..', '../elsewhere', 'v1', '1.0/..', 'images'])('%p is no version', version => {
  expect(() => publish(built('x'), join(folder, 'site'), version)).toThrow('is not a version');
});
