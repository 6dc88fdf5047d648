/**
 * Compares what the library writes into charts of ingress controllers and of k0rdent with what their templates read, and keeps the answer for the
 * tests: `npm run upstream:charts -- <folder of a chart or its .tgz>…`. A chart in the sources of a program often has no version of its
 * own: `<folder>=2.4.0` says which it is.
 *
 * The answer is that of Helm: a value is read when another one in its place makes other objects. It ends with 1 when a chart refuses
 * values that are written for its version, by its schema or its templates, or ignores one of them.
 */
import { execFileSync } from 'child_process';
import { join } from 'path';
import { load, loadAll } from 'js-yaml';
import { HelmValues, mergeHelmValues } from '../src/ingress-controller-install/helm-values';
import { deepCopy } from '../src/objects/deep-copy';
import { CHART_CASES, ChartCase, MOVED_VALUES } from '../test/ingress-controller-install/chart-cases';
import { ChartFacts, generalPath, pathsIn } from '../test/ingress-controller-install/chart-facts';

const HELM = execFileSync(join(__dirname, 'helm.sh'), { encoding: 'utf8' }).trim();
/** Helm's own is old, and charts refuse to be installed there. */
const KUBERNETES_VERSION = '1.34.0';
const PROBE = 'not-a-value-of-any-chart';
/** Numbers of five digits that no chart has, valid as ports. */
const FIRST_MARK = 47_300;
/** Values of which charts know a few only: one of them in the place of another. */
const OTHERS: { readonly [value: string]: string } = {
  LoadBalancer: 'NodePort', ClusterIP: 'NodePort', Local: 'Cluster', Cluster: 'Local', TCP: 'UDP', true: 'false', shared: 'dedicated',
};

/** A chart as it is on disk. */
class RenderedChart {
  public readonly name: string;
  public readonly version: string;
  private flags: string[] = [];

  private readonly path: string;

  public constructor(argument: string) {
    const [path, said] = argument.split('=');
    this.path = path;
    const { name, version } = load(execFileSync(HELM, ['show', 'chart', path], { encoding: 'utf8', stdio: 'pipe' })) as { name: string; version: string };
    this.name = name;
    this.version = (said ?? version).replace(/^v/, '');
  }

  /** The objects that come of some values, as text; throws what the chart has against them. */
  public render(values: HelmValues): string {
    try {
      return this.template(values);
    } catch (error) {
      if (this.flags.length > 0 || !/failing loading "https?:/.test((error as Error).message)) throw error;
      // The schema of some charts is in part elsewhere, where nothing is asked from here.
      this.flags = ['--skip-schema-validation'];
      return this.template(values);
    }
  }

  private template(values: HelmValues): string {
    const text = execFileSync(HELM, [
      'template', 'edge', this.path, '--namespace', 'ingress', '--kube-version', KUBERNETES_VERSION, '--api-versions', 'networking.k8s.io/v1/IngressClass', '--skip-tests', '--values', '-', ...this.flags,
    ], { input: JSON.stringify(values), encoding: 'utf8', maxBuffer: 2 ** 27, stdio: 'pipe' });
    // A key that is there twice is an error here, as it is for an API server that validates. Secrets have keys that are new each time.
    return JSON.stringify(loadAll(text).map((object: any) => object?.kind === 'Secret' ? { ...object, data: undefined } : object));
  }

  /** The objects; undefined where the chart refuses the values. */
  public tryRender(values: HelmValues): string | undefined {
    try {
      return this.render(values);
    } catch {
      return undefined;
    }
  }
}

/** The values of a case; undefined where the library itself refuses the version. */
function valuesOf({ valuesFor }: ChartCase, version: string): HelmValues | undefined {
  try {
    return valuesFor(version);
  } catch {
    return undefined;
  }
}

/** Which of the values are read, by the paths that the facts have. */
function readPaths(chart: RenderedChart, base: HelmValues, rendered: string, tried: Set<string>): string[] {
  const untried = pathsIn(base).filter(path => !tried.has(generalPath(path)));
  const paths = untried.filter((path, i) => untried.findIndex(earlier => generalPath(earlier) === generalPath(path)) === i);
  const maps = [...new Set(paths.filter(path => path.includes('.')).map(path => path.replace(/[^.]+$/, '*')))].filter(path => !tried.has(path));
  [...paths.map(generalPath), ...maps].forEach(path => tried.add(path));

  const arriving = arrivingIn(chart, base, paths);
  const read = paths.filter(path => arriving.has(path) ||
    [other(valueAt(base, path)), undefined].some(value => differs(chart.tryRender(withValue(base, path, value)), rendered)));
  const takingAnyKey = maps.filter(path => chart.tryRender(withValue(base, path.replace(/\*$/, PROBE), PROBE))?.includes(PROBE));
  return [...read.map(generalPath), ...takingAnyKey];
}

/** Those of the values that reach the objects as they are: found at one go, as rendering takes its time. */
function arrivingIn(chart: RenderedChart, base: HelmValues, paths: string[]): Set<string> {
  const marks = new Map<string, unknown>();
  paths.forEach((path, i) => {
    const value = valueAt(base, path);
    if (typeof value === 'number') marks.set(path, FIRST_MARK + i);
    if (typeof value === 'string' && !(value in OTHERS)) marks.set(path, `${FIRST_MARK + i}`);
  });
  const text = chart.tryRender([...marks].reduce((values, [path, mark]) => withValue(values, path, mark), base)) ?? '';
  return new Set([...marks].filter(([, mark]) => text.includes(String(mark))).map(([path]) => path));
}

function differs(text: string | undefined, rendered: string): boolean {
  return text !== undefined && text !== rendered;
}

function other(value: unknown): unknown {
  switch (typeof value) {
    case 'number': return value + 1;
    case 'boolean': return !value;
    case 'string': return OTHERS[value] ?? `${value}x`;
    default: return Array.isArray(value) ? value.slice(1) : PROBE;
  }
}

function valueAt(values: HelmValues, path: string): unknown {
  return keysOf(path).reduce((value: any, key) => value?.[key], values);
}

/** A copy with another value in one place; without the key for undefined. */
function withValue(values: HelmValues, path: string, value: unknown): HelmValues {
  const copy = deepCopy(values);
  const keys = keysOf(path);
  const holder = keys.slice(0, -1).reduce((map, key) => map[key] ??= {}, copy);
  const last = keys[keys.length - 1];
  if (value === undefined) {
    delete holder[last];
  } else {
    holder[last] = value;
  }
  return copy;
}

/** Of a list it is the first element. */
function keysOf(path: string): string[] {
  return path.split('.').flatMap(key => key.endsWith('[]') ? [key.slice(0, -2), '0'] : [key]);
}

/** What is wrong with a chart, after its facts were kept; undefined where the library itself refuses the version. */
function compare(chart: RenderedChart, facts: ChartFacts): string[] | undefined {
  const cases = CHART_CASES[chart.name];
  if (!cases) {
    return [`the library writes no values of ${chart.name}, only of ${Object.keys(CHART_CASES).join(', ')}`];
  }
  const tried = new Set<string>();
  const read = new Set<string>();
  const written = new Set<string>();
  const complaints: string[] = [];
  for (const [i, one] of cases.entries()) {
    const values = valuesOf(one, chart.version);
    if (!values) continue;
    try {
      const rendered = chart.render(values);
      if (i === 0 && (chart.render(values) !== rendered || ![undefined, rendered].includes(chart.tryRender({ ...values, [PROBE]: PROBE })))) {
        throw new Error('its objects change whatever the values are, so nothing can be said of it');
      }
      pathsIn(values).forEach(path => written.add(generalPath(path)));
      readPaths(chart, values, rendered, tried).forEach(path => read.add(path));
      movedPaths(chart, values, rendered, tried).forEach(path => read.add(path));
    } catch (error) {
      complaints.push(`refuses the values of a controller ${one.title}: ${(error as Error).message.split('\n').filter(line => !line.startsWith('Command failed')).join(' ').slice(0, 400)}`);
    }
  }
  if (complaints.length > 0) return complaints;
  if (written.size === 0) return undefined;
  facts.record(chart.name, chart.version, read);
  return [...written].filter(path => !facts.isRead(chart.name, chart.version, path)).map(path => `ignores ${path}`);
}

/** Which of the values that are known to have moved are read here. */
function movedPaths(chart: RenderedChart, base: HelmValues, rendered: string, tried: Set<string>): string[] {
  return Object.keys(MOVED_VALUES).filter(path => !tried.has(generalPath(path))).filter(path => {
    tried.add(generalPath(path));
    return differs(chart.tryRender(mergeHelmValues(base, withValue({}, path, MOVED_VALUES[path]))), rendered);
  }).map(generalPath);
}

/** How the facts of a release differ from those of the one before it. */
function news(facts: ChartFacts, { name, version }: RenderedChart): string {
  const releases = facts.releasesOf(name);
  const before = releases[releases.indexOf(version) - 1];
  if (before === undefined) return '';
  const [old, now] = [before, version].map(release => facts.pathsOf(name, release));
  const changes = [...now.filter(path => !old.includes(path)).map(path => `+${path}`), ...old.filter(path => !now.includes(path)).map(path => `-${path}`)];
  return changes.length === 0 ? '' : `; since ${before}: ${changes.join(' ')}`;
}

const charts = process.argv.slice(2);
if (charts.length === 0) {
  throw new Error('usage: npm run upstream:charts -- <folder of a chart or its .tgz>…');
}
const facts = ChartFacts.load();
process.removeAllListeners('warning');
for (const argument of charts) {
  const chart = new RenderedChart(argument);
  const complaints = compare(chart, facts);
  const verdict = complaints === undefined ? 'nothing is written for it' : complaints.length === 0 ? 'reads all that is written' : `\n  ${complaints.join('\n  ')}\n `;
  process.stdout.write(`${chart.name} ${chart.version}: ${verdict}${news(facts, chart)}\n`);
  facts.save();
  if (complaints?.length) process.exitCode = 1;
}
