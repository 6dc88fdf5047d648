import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { z } from 'zod';

/*
 * Writes the page of what was run with which versions. The runs are lines of JSON in test/upstream/results, a file for each system;
 * `npm run upstream:results -- <folder>…` takes those of the folders, which COMPATIBILITY_RESULTS named, in among them first.
 */
export const RESULTS = join(__dirname, '..', 'test', 'upstream', 'results');
export const COMPATIBILITY_PAGE = join(__dirname, '..', 'docs', 'compatibility.md');

const TEXT = z.string().min(1).regex(/^[^\r\n]*$/);
const RUN = z.strictObject({
  system: TEXT, version: TEXT, with: TEXT, what: TEXT, result: z.enum(['passed', 'failed', 'differs']), note: TEXT.optional(), date: z.iso.date(),
});

/** A run that was written down, see CompatibilityRun in test/support/compatibility.ts. */
export type RecordedRun = z.infer<typeof RUN>;

const HEAD = `# What was run with which versions

<!-- Made by scripts/compatibility-page.ts of test/upstream/results. -->

Every line is a run of this project's tests against the real program, the latest of its kind. What has no line was read in its
sources and held against its schemas, which [versions of platforms](upgrading.md#versions-of-platforms) lists, and was not run.
`;

const TAIL = `
## How to run it yourself

\`\`\`sh
export COMPATIBILITY_RESULTS=/tmp/results   # where the runs are written down
npm run test:upstream                       # with the controllers, operators and definitions, which are built once
npm run upstream:versions                   # with several versions of Kubernetes and HAProxy
npm run upstream:results -- /tmp/results    # this page
\`\`\`

\`KUBERNETES_VERSION=1.36.3 npm run test:e2e\` and \`HAPROXY_SUITE=sid npm test\` take one version of your choice.
`;

/** The runs of a folder. Throws for a line that is none, with its file and number. */
export function readRuns(folder: string): RecordedRun[] {
  return readdirSync(folder).filter(file => file.endsWith('.jsonl')).sort().flatMap(file =>
    readFileSync(join(folder, file), 'utf8').split('\n').flatMap((line, i) => line.trim() === '' ? [] : [parseRun(line, `${join(folder, file)}:${i + 1}`)]));
}

function parseRun(line: string, where: string): RecordedRun {
  try {
    return RUN.parse(JSON.parse(line));
  } catch (error) {
    throw new Error(`${where}: is no run: ${(error as Error).message}`);
  }
}

/** The latest run of each kind, in the order of the page. Of two from one day it is the one that comes later. */
export function latestRuns(runs: RecordedRun[]): RecordedRun[] {
  const latest = new Map<string, RecordedRun>();
  for (const run of runs) {
    const key = JSON.stringify([run.system, run.version, run.with, run.what]);
    if ((latest.get(key)?.date ?? '') <= run.date) latest.set(key, run);
  }
  return [...latest.values()].sort((a, b) =>
    compare(a.system, b.system) || compare(b.version, a.version) || compare(b.with, a.with) || compare(a.what, b.what));
}

/** Numbers in texts as numbers: 1.10 is after 1.9. */
function compare(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** The page. */
export function compatibilityPage(runs: RecordedRun[]): string {
  const latest = latestRuns(runs);
  const systems = [...new Set(latest.map(({ system }) => system))];
  return HEAD + systems.map(system => `\n## ${cell(system)}\n\n${table(latest.filter(run => run.system === system))}`).join('') + TAIL;
}

function table(runs: RecordedRun[]): string {
  const rows = runs.map(({ version, with: others, what, result, note, date }) =>
    [version, others, what, note ? `${RESULT_WORDS[result]}: ${note}` : RESULT_WORDS[result], date]);
  return [['version', 'with', 'what was looked at', 'result', 'when'], ['---', '---', '---', '---', '---'], ...rows.map(row => row.map(cell))]
    .map(cells => `| ${cells.join(' | ')} |\n`).join('');
}

const RESULT_WORDS: { readonly [result in RecordedRun['result']]: string } = { passed: 'passed', failed: '**failed**', differs: '**differs**' };

/** Text in which nothing is Markdown or HTML but the words for results. */
function cell(text: string): string {
  return text.replace(/[\\|`<>[\]_]/g, character => `\\${character}`);
}

function save(runs: RecordedRun[]): void {
  mkdirSync(RESULTS, { recursive: true });
  for (const file of new Set(runs.map(fileOf))) {
    writeFileSync(join(RESULTS, file), runs.filter(run => fileOf(run) === file).map(run => `${JSON.stringify(run)}\n`).join(''));
  }
}

/** As test/support/compatibility.ts names it. */
function fileOf({ system }: RecordedRun): string {
  return `${system.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')}.jsonl`;
}

if (require.main === module) {
  const runs = latestRuns([RESULTS, ...process.argv.slice(2)].flatMap(readRuns));
  save(runs);
  writeFileSync(COMPATIBILITY_PAGE, compatibilityPage(runs));
}
