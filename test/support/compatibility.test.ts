import { mkdtempSync, readdirSync, readFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { CompatibilityRun, recordRun } from './compatibility';

const RUN: CompatibilityRun = { system: 'HAProxy (Debian)', version: '3.0.11', with: 'kube-apiserver 1.32.13', what: 'it serves', result: 'passed' };
const { COMPATIBILITY_RESULTS } = process.env;

afterEach(() => {
  if (COMPATIBILITY_RESULTS === undefined) {
    delete process.env.COMPATIBILITY_RESULTS;
  } else {
    process.env.COMPATIBILITY_RESULTS = COMPATIBILITY_RESULTS;
  }
});

describe('a run against a real program', () => {
  test('is a line with today\'s date in the file of its system', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'results-')), 'below');
    process.env.COMPATIBILITY_RESULTS = folder;
    await recordRun(RUN);
    await recordRun({ ...RUN, result: 'differs', note: 'it is slower' });
    expect(readdirSync(folder)).toEqual(['haproxy-debian.jsonl']);
    const lines = readFileSync(join(folder, 'haproxy-debian.jsonl'), 'utf8').trimEnd().split('\n').map(line => JSON.parse(line));
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    expect(lines).toEqual([{ ...RUN, date }, { ...RUN, result: 'differs', note: 'it is slower', date }]);
  });

  test('is kept nowhere unless a folder is named', async () => {
    delete process.env.COMPATIBILITY_RESULTS;
    await expect(recordRun(RUN)).resolves.toBeUndefined();
  });
});
