import { execFileSync } from 'child_process';
import { readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import * as ts from 'typescript';
import { MUTATIONS } from '../doctor/test/manifests/mutations';
import { RULES } from '../src/findings/rules';
import { CONTROLLERS, PLATFORMS, TCP_PROXIES } from '../test/conformance/matrix';

/*
 * Counts the tests as they are written, into the page about them, between two marks. Nobody has to do so with every test: the page says when it
 * was done.
 */
const ROOT = join(__dirname, '..');
export const TESTING_PAGE = join(ROOT, 'docs', 'how-this-is-tested.md');
const [START, END] = ['<!-- figures -->\n', '<!-- /figures -->'];
const STAMP = /^Counted on \d{4}-\d\d-\d\d at the commit [0-9a-f]{7,}\.$/m;

/** Kinds of tests by where they are; a file is of the first that fits. */
const KINDS: readonly [title: string, folder: RegExp][] = [
  ['third-party programs as they are released', /^test\/upstream\//],
  ['end to end: API servers, the image, ingresses', /^test\/e2e\//],
  ['npm, Python and Go packages', /^test\/languages\//],
  ['data path: HAProxy under load, faults and attacks', /^test\/data-path\//],
  ['every platform with every controller', /^test\/conformance\//],
  ['the agent of the image', /^images\//],
  ['the doctor', /^doctor\//],
  ['the library', /./],
];

/** What is counted in a file. */
interface Count {
  readonly tests: number;
  /** Tests that run once for each row of a table. */
  readonly tables: number;
  /** Statements about any input, each tried with a hundred inputs or as many as it says. */
  readonly properties: number;
}

/** The rows of the page: a title, and what is counted. */
export interface Figures {
  readonly kinds: readonly (readonly [title: string, ...counts: number[]])[];
  readonly others: readonly (readonly [title: string, count: number])[];
}

/** Today's. */
export function testFigures(): Figures {
  const files = ['test', 'cli', 'doctor', 'images'].flatMap(filesBelow).filter(file => file.endsWith('.test.ts') && !file.includes('node_modules'));
  const counted = files.map(file => ({ kind: KINDS.findIndex(([, folder]) => folder.test(file)), ...countIn(readFileSync(join(ROOT, file), 'utf8')) }));
  const total = (of: typeof counted) => [of.length, ...(['tests', 'tables', 'properties'] as const).map(key => of.reduce((sum, each) => sum + each[key], 0))];
  return {
    kinds: [
      ...KINDS.map(([title], i): [string, ...number[]] => [title, ...total(counted.filter(({ kind }) => kind === i))]),
      ['all', ...total(counted)],
    ],
    others: [
      ['pairs of platform and controller in the matrix', Object.keys(PLATFORMS).length * Object.keys(CONTROLLERS).length],
      ['kinds of tcp-proxy: upstream, placement, endpoints and switches', Object.keys(TCP_PROXIES).length],
      ['rules of the doctor', RULES.length],
      ['changes of right manifests, each of which the doctor must find', MUTATIONS.length],
      ['examples that are synthesized, compared with a snapshot and checked by the doctor', filesBelow('examples').filter(file => file.endsWith('/main.ts')).length],
      ['programs in the documentation that are compiled and synthesized', blocks()],
    ],
  };
}

/** The page with these figures. */
export function withTestFigures(page: string, { kinds, others }: Figures, stamp: string): string {
  const [before, after] = [page.indexOf(START), page.indexOf(END)];
  if (before < 0 || after < before) {
    throw new Error(`${TESTING_PAGE}: has no ${START.trim()} … ${END}`);
  }
  return [
    page.slice(0, before + START.length), stamp, '',
    ...table(['tests of', 'files', 'tests', 'of these with a table', 'properties'], kinds), '',
    ...table(['beside them', 'number'], others), '',
  ].join('\n').replace(`${START}\n`, START) + page.slice(after);
}

/** The figures that a page has, and when they were counted. */
export function figuresOf(page: string): { readonly figures: Figures; readonly stamp: string } {
  const rows = page.slice(page.indexOf(START), page.indexOf(END)).split('\n').flatMap(line => {
    const [title, ...numbers] = line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, ''));
    return numbers.length > 0 && numbers.every(number => /^\d+$/.test(number)) ? [[title, ...numbers.map(Number)] as [string, ...number[]]] : [];
  });
  return {
    figures: { kinds: rows.filter(row => row.length > 2), others: rows.filter((row): row is [string, number] => row.length === 2) },
    stamp: STAMP.exec(page)?.[0] ?? '',
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file.replace(/\\/g, '/')}`).sort();
}

function table(head: string[], rows: readonly (readonly (string | number)[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`);
}

/** What is in the text of a file of tests. */
export function countIn(text: string): Count {
  const source = ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true);
  const count = { tests: 0, tables: 0, properties: 0 };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText(source);
      if (/^(test|it)(\.(only|skip|failing))?$/.test(called)) {
        count.tests++;
      } else if (/^(test|it)\.each\b/.test(called) && ts.isCallExpression(node.expression)) {
        count.tests++;
        count.tables++;
      } else if (called === 'fc.assert') {
        count.properties++;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return count;
}

function blocks(): number {
  return ['README.md', ...filesBelow('docs').filter(file => file.endsWith('.md'))]
    .reduce((sum, file) => sum + (readFileSync(join(ROOT, file), 'utf8').match(/^ *```ts$/gm)?.length ?? 0), 0);
}

/** Of the last commit: today has no effect on what is counted. */
function stampOfCommit(): string {
  const [day, commit] = execFileSync('git', ['log', '-1', '--format=%cs %h'], { cwd: ROOT, encoding: 'utf8' }).trim().split(' ');
  return `Counted on ${day} at the commit ${commit}.`;
}

if (require.main === module) {
  writeFileSync(TESTING_PAGE, withTestFigures(readFileSync(TESTING_PAGE, 'utf8'), testFigures(), stampOfCommit()));
}
