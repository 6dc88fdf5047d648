import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ConfigurationError } from '../../cli/configuration';
import { writeProject } from '../src/write-project';

const FILES = { 'main.ts': 'main', '.github/workflows/ci.yml': 'ci' };

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'init-')); });
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

const all = () => readdirSync(folder, { recursive: true }).map(String).sort();

test('writes into a folder that is empty, and leaves nothing else', () => {
  const before = statSync(folder).ino;
  writeProject(folder, FILES);
  expect(all()).toEqual(['.github', '.github/workflows', '.github/workflows/ci.yml', 'main.ts']);
  expect(readFileSync(join(folder, 'main.ts'), 'utf8')).toBe('main');
  // The shell of the user is in it.
  expect(statSync(folder).ino).toBe(before);
});

test('makes a folder that is not there, with those above it', () => {
  writeProject(join(folder, 'a', 'b'), FILES);
  expect(readdirSync(join(folder, 'a'))).toEqual(['b']);
  expect(readdirSync(join(folder, 'a', 'b')).sort()).toEqual(['.github', 'main.ts']);
  expect(statSync(join(folder, 'a', 'b')).mode).toBe(statSync(join(folder, 'a')).mode);
});

test('an empty repository is an empty folder', () => {
  mkdirSync(join(folder, '.git'));
  writeProject(folder, FILES);
  expect(readdirSync(folder).sort()).toEqual(['.git', '.github', 'main.ts']);
});

test('a folder with anything in it is left as it is, and the error says what is there', () => {
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(() => writeProject(folder, FILES)).toThrow(ConfigurationError);
  expect(() => writeProject(folder, FILES)).toThrow(`${JSON.stringify(folder)}: is not empty ("notes.txt"), and nothing is overwritten: name an empty folder or a new one`);
  expect(all()).toEqual(['notes.txt']);
});

test('a file in the place of the folder is told', () => {
  writeFileSync(join(folder, 'project'), '');
  expect(() => writeProject(join(folder, 'project'), FILES)).toThrow('is a file, name an empty folder or a new one');
});

test('what fails half way leaves nothing', () => {
  // A file cannot be a folder too.
  expect(() => writeProject(folder, { ...FILES, 'main.ts/more.ts': '' })).toThrow();
  expect(() => writeProject(join(folder, 'new'), { ...FILES, 'main.ts/more.ts': '' })).toThrow();
  expect(all()).toEqual([]);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});
