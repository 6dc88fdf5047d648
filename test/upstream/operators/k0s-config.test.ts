import { execFileSync } from 'child_process';
import { readFileSync } from 'fs';
import { join } from 'path';
import { casesOf } from '../../conformance/operators/cases';
import { recordings } from '../../conformance/operators/recordings';
import { recordRun } from '../../support/compatibility';

/** Of scripts/k0s.sh. */
const FOLDER = process.env.K0S_FOLDER!;
const PLATFORM_TYPES = ['k0smotron', 'k0smotron-control-plane'];
const TESTS = 2;

let passed = 0;

/** What k0s says of configurations that differ, by the first that has each: nothing of those that it takes. */
function complaints(configurations: { [title: string]: object }): { [title: string]: string } {
  const distinct = new Map(Object.entries(configurations).reverse().map(([title, configuration]) => [JSON.stringify(configuration), title]));
  return Object.fromEntries([...distinct].flatMap(([input, title]) => {
    try {
      execFileSync(join(FOLDER, 'k0s'), ['config', 'validate', '--config=-'], { input, stdio: 'pipe' });
      return [];
    } catch (error: any) {
      return [[title, String(error.stderr ?? error)]];
    }
  }));
}

beforeAll(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterAll(async () => {
  await recordRun({
    system: 'k0smotron',
    version: recordings().find(({ platformType }) => PLATFORM_TYPES.includes(platformType))!.version,
    with: `k0s ${readFileSync(join(FOLDER, 'version'), 'utf8').trim()}`,
    what: 'k0s config validate: every configuration of k0s of the conformance matrix and the examples, and what the operator made of it',
    result: passed === TESTS ? 'passed' : 'failed',
  });
  jest.restoreAllMocks();
});

test('k0s takes the configuration of every control plane of the matrix and of the examples', () => {
  const written = PLATFORM_TYPES.flatMap(casesOf).map(({ title, resource: { spec: { k0sConfig } } }) => [title, k0sConfig]);
  const configurations = Object.fromEntries(written.filter(([, configuration]) => configuration !== undefined));
  expect(Object.keys(configurations)).not.toEqual([]);
  expect(complaints(configurations)).toEqual({});
  passed++;
}, 300_000);

test('k0s takes what k0smotron makes of each', () => {
  const made = recordings().filter(({ platformType }) => PLATFORM_TYPES.includes(platformType)).flatMap(({ answers }) => Object.entries(answers));
  const configurations = Object.fromEntries(made.map(([hash, { k0s: spec }]) => {
    const configuration = JSON.stringify({ apiVersion: 'k0s.k0sproject.io/v1beta1', kind: 'ClusterConfig', spec });
    // The management cluster chose the address that the recordings leave out.
    return [hash, JSON.parse(configuration.replace(/ClusterIP of [a-z0-9-]+/g, '10.96.0.20'))];
  }));
  expect(Object.keys(configurations)).not.toEqual([]);
  expect(complaints(configurations)).toEqual({});
  passed++;
}, 300_000);
