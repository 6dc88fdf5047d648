import { execFileSync } from 'child_process';
import { existsSync, readFileSync } from 'fs';
import { join, relative, resolve } from 'path';

const ROOT = join(__dirname, '..', '..');
/** Have text about such tests, and none of their own. */
const SAMPLES = ['test/layers/plain-clone.test.ts', 'test/scripts/test-figures.test.ts'];
/** What is in a clone, and not what lies in this folder by chance. */
const TRACKED = execFileSync('git', ['ls-files', '-z', '--', '*.ts', '*.mjs', '*.sh'], { cwd: ROOT, encoding: 'utf8' }).split('\0')
  .filter(file => file !== '' && existsSync(join(ROOT, file)));

/** Paths from `join(__dirname, '..', …)` in a file, as far as they are literal. */
function pathsIn(file: string): string[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:join|resolve)\(__dirname((?:,\s*'[^']*')+)/g)]
    .map(([, words]) => resolve(ROOT, file, '..', ...[...words.matchAll(/'([^']*)'/g)].map(([, word]) => word)));
}

test('tests, programs and scripts read nothing beside the project', () => {
  const read = TRACKED.flatMap(file => pathsIn(file).map(path => [file, relative(ROOT, path)]));
  expect(read.length).toBeGreaterThan(50);
  expect(read.filter(([, path]) => path.startsWith('..'))).toEqual([]);
});

test('tests are skipped only where a machine lacks a program, and say so in their names', () => {
  const skipping = TRACKED.filter(file => file.endsWith('.test.ts') || file.includes('/support/'))
    .flatMap(file => readFileSync(join(ROOT, file), 'utf8').split('\n').filter(line => /\b(describe|test|it)\.skip\b|\bx(it|test|describe)\(/.test(line)).map(line => [file, line.trim()]));
  expect(skipping.filter(([file, line]) => !SAMPLES.includes(file) && !line.includes('(skipped: '))).toEqual([]);
});
