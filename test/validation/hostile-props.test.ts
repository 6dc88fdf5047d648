import { App, Chart } from 'cdk8s';
import { Base, Bases } from './public-props/base';
import { CLUSTER_BASES } from './public-props/cluster-bases';
import { CONTROLLER_BASES } from './public-props/controller-bases';
import { DNS_BASES } from './public-props/dns-bases';
import { ENTRY_BASES } from './public-props/entry-bases';
import { NOT_TRIED, WITHOUT_BASE } from './public-props/exemptions';
import { FLEET_BASES } from './public-props/fleet-bases';
import { hostileValues, isGiven, shown, withValue } from './public-props/hostile-values';
import { MONITORING_BASES } from './public-props/monitoring-bases';
import { PATH_BASES } from './public-props/path-bases';
import { PLATFORM_BASES } from './public-props/platform-bases';
import { Entry, publicApi, Slot } from './public-props/public-api';
import { TENANT_BASES } from './public-props/tenant-bases';
import * as library from '../../src';
import { InvalidInputError } from '../../src/validation/invalid-input';
import { apiErrors } from '../support/api-rules';
import { validationErrors } from '../support/schemas';

const BASES: Bases = joined(
  CONTROLLER_BASES, PLATFORM_BASES, TENANT_BASES, CLUSTER_BASES, DNS_BASES, PATH_BASES, MONITORING_BASES, ENTRY_BASES, FLEET_BASES,
);
const ENTRIES = publicApi().filter(({ name }) => !NOT_TRIED.some(([entry]) => entry.test(name)));

const WITHOUT_DEFINITION = ['AuthorizationPolicy', 'HelmRepository', 'JoinTokenRequest', 'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'];

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

test('the public interface is read', () => {
  expect(ENTRIES.length).toBeGreaterThan(75);
  expect(ENTRIES.flatMap(({ slots }) => slots).length).toBeGreaterThan(1500);
});

test('every public property has a value in a base, or a reason why it has none', () => {
  const missing = ENTRIES.flatMap(entry => entry.slots.filter(slot => !isExempt(entry, slot))
    .filter(({ path }) => !(BASES[entry.name] ?? []).some(({ args }) => isGiven(args(aChart()), path)))
    .map(({ path }) => `${entry.name} ${path.join('.')}`));
  expect(missing).toEqual([]);
});

describe('the bases are valid', () => {
  test.each(ENTRIES)('$name', entry => {
    for (const base of BASES[entry.name] ?? []) {
      const made = tryWith(entry, base, args => args);
      expect(made).toEqual(base.refused ? { error: expect.any(InvalidInputError) } : { manifests: expect.anything() });
      expect(errorsOf(made.manifests ?? [])).toEqual([]);
    }
  });
});

describe('no value of any property makes an error without a place, or a manifest that the API server refuses', () => {
  test.each(ENTRIES)('$name', entry => {
    const failures = new Set<string>();
    for (const slot of entry.slots.filter(candidate => !isExempt(entry, candidate))) {
      for (const base of (BASES[entry.name] ?? []).filter(({ args }) => isGiven(args(aChart()), slot.path))) {
        for (const value of hostileValues(slot)) {
          for (const failure of failuresWith(entry, base, slot, value)) {
            failures.add(`${slot.path.join('.')} = ${shown(value)}: ${failure}`);
          }
        }
      }
    }
    expect([...failures]).toEqual([]);
  });
});

/** All of them, where several files have one of the same. */
function joined(...files: Bases[]): Bases {
  const bases: { [entry: string]: Base[] } = {};
  for (const [entry, of] of files.flatMap(file => Object.entries(file))) bases[entry] = [...bases[entry] ?? [], ...of];
  return bases;
}

/** What came of a call: manifests, or an error that says that there are none. */
interface Outcome {
  readonly manifests?: any[];
  readonly error?: unknown;
  /** What validation at synthesis said; cdk8s adds the paths. */
  readonly refusals?: string[];
}

function failuresWith(entry: Entry, base: Base, { path }: Slot, value: unknown): string[] {
  const { manifests = [], error } = tryWith(entry, base, args => withValue(args, path, value));
  if (error === undefined) {
    return errorsOf(manifests);
  }
  if (!(error instanceof InvalidInputError)) {
    return [`${(error as Error).stack?.split('\n').slice(0, 3).join(' ') ?? String(error)}`];
  }
  const hasPlace = error.constructPath !== undefined || (!entry.isConstruct && (error.factory !== undefined || !entry.name.includes('.')));
  return hasPlace && error.field !== '' ? [] : [`the error does not say where it is: ${error.message}`];
}

function tryWith(entry: Entry, base: Base, change: (args: any[]) => any[]): Outcome {
  const management = aChart();
  // Outside: a base that cannot be made is a fault of the test.
  const args = change(base.args(management));
  const scope = base.scope?.(management) ?? management;
  const target = base.on?.(management);
  try {
    const made = call(entry.name, args, scope, target);
    const charts = base.use?.(made, management) ?? [];
    const all = [...(management.node.root as App).charts, ...charts];
    const refusals = [...new Set(all.map(({ node }) => node.root))].flatMap(root => root.node.findAll().flatMap(({ node }) => node.validate()));
    return refusals.length > 0 ? { refusals } : { manifests: all.flatMap(chart => chart.toJson()) };
  } catch (error) {
    return { error };
  }
}

function call(name: string, args: any[], scope: Chart, target: any): any {
  const classes = library as any;
  if (name.startsWith('new ')) {
    const type = classes[name.slice(4)];
    return /^class \w+ extends .*Construct/.test(String(type)) ? new type(scope, 'made', ...args) : new type(...args);
  }
  const [type, separator, method] = name.split(/([.#])/);
  return separator === '.' ? classes[type][method](...args) : target[method](...args);
}

const valid = new Set<string>();

/** Most objects are equal to some that were checked already. */
function errorsOf(manifests: any[]): string[] {
  return manifests.flatMap(manifest => {
    const text = JSON.stringify(manifest);
    const errors = valid.has(text) ? [] : [...schemaErrors(manifest), ...apiErrors(manifest)];
    if (errors.length === 0) {
      valid.add(text);
    }
    return errors.map(error => `${manifest.kind} ${error}`);
  });
}

/** No CustomResourceDefinition of these is among the tests' data. */
function schemaErrors(manifest: any): string[] {
  return WITHOUT_DEFINITION.includes(manifest.kind) ? [] : validationErrors(manifest);
}

function isExempt({ name }: Entry, { path }: Slot): boolean {
  return WITHOUT_BASE.some(([slot]) => slot.test(`${name} ${path.join('.')}`));
}

function aChart(): Chart {
  return new Chart(new App({ outdir: 'unwritten' }), 'management');
}
