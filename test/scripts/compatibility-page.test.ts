import { mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { COMPATIBILITY_PAGE, compatibilityPage, latestRuns, readRuns, RecordedRun, RESULTS } from '../../scripts/compatibility-page';

const RUN: RecordedRun = { system: 'Traefik', version: '3.7.9', with: 'kube-apiserver 1.32.13', what: 'it serves', result: 'passed', date: '2026-11-01' };

test('the page is what the script makes of the runs in the project', () => {
  expect(readFileSync(COMPATIBILITY_PAGE, 'utf8')).toBe(compatibilityPage(readRuns(RESULTS)));
});

test('the runs in the project are the latest alone, in the order of the page', () => {
  const runs = readRuns(RESULTS);
  expect(latestRuns(runs)).toHaveLength(runs.length);
});

test('a run takes the place of an older one of its kind, whichever is read first', () => {
  const failed: RecordedRun = { ...RUN, result: 'failed', date: '2026-11-02' };
  const later: RecordedRun = { ...failed, result: 'differs' };
  expect(latestRuns([RUN, failed])).toEqual([failed]);
  expect(latestRuns([failed, RUN])).toEqual([failed]);
  expect(latestRuns([failed, later])).toEqual([later]);
  for (const other of [{ version: '3.7.10' }, { with: 'kube-apiserver 1.37.2' }, { what: 'it refuses' }, { system: 'HAProxy' }]) {
    expect(latestRuns([RUN, { ...RUN, ...other }])).toHaveLength(2);
  }
});

test('systems are in the order of their names, and versions begin with the newest', () => {
  const runs = [{ ...RUN, version: '3.7.10' }, RUN, { ...RUN, system: 'Contour' }, { ...RUN, version: '3.10.0' }];
  expect(latestRuns(runs).map(({ system, version }) => `${system} ${version}`)).toEqual(['Contour 3.7.9', 'Traefik 3.10.0', 'Traefik 3.7.10', 'Traefik 3.7.9']);
});

test('every run is a row of the table of its system, with nothing of it taken for Markdown', () => {
  const page = compatibilityPage([{ ...RUN, what: 'a|b `c` <d>', result: 'differs', note: 'no [e]' }]);
  expect(page).toContain('## Traefik\n\n| version | with | what was looked at | result | when |\n');
  expect(page).toContain('| 3.7.9 | kube-apiserver 1.32.13 | a\\|b \\`c\\` \\<d\\> | \\*\\*differs\\*\\*: no \\[e\\] | 2026-11-01 |\n'.replace(/\\\*/g, '*'));
});

test.each([
  ['no JSON', 'passed', /runs\.jsonl:2: is no run: /],
  ['no result', JSON.stringify({ ...RUN, result: 'good' }), /runs\.jsonl:2: is no run: .*result/s],
  ['another field', JSON.stringify({ ...RUN, controller: 'x' }), /runs\.jsonl:2: is no run: .*controller/s],
  ['no day', JSON.stringify({ ...RUN, date: 'today' }), /runs\.jsonl:2: is no run: .*date/s],
  ['two lines in a field', JSON.stringify({ ...RUN, note: 'a\n## b' }), /runs\.jsonl:2: is no run: .*note/s],
])('a line with %s is an error with its place', (_, line, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'runs-'));
  writeFileSync(join(folder, 'runs.jsonl'), `${JSON.stringify(RUN)}\n${line}\n`);
  expect(() => readRuns(folder)).toThrow(message);
});
