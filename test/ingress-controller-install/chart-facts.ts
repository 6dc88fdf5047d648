import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { isPlain } from '../../src/objects/deep-copy';
import { compareVersions } from '../../src/versions/version-facts';

const FILE = join(__dirname, 'chart-values.json');

/** Of each path the first and the last release of every run of releases that read it. */
interface Recorded { readonly [chart: string]: { readonly releases: string[]; readonly read: { readonly [path: string]: [string, string][] } } }

/**
 * Which values the templates of each release of a chart read, and whose schema takes all that the library writes:
 * `scripts/upstream-charts.ts` renders the charts and keeps it in chart-values.json.
 *
 * `*` at the end of a path stands for any key, `[]` for the items of a list, `ports.entrypoint` for any entry point of Traefik.
 */
export class ChartFacts {
  public static load(): ChartFacts {
    const recorded: Recorded = JSON.parse(readFileSync(FILE, 'utf8'));
    return new ChartFacts(new Map(Object.entries(recorded).map(([chart, { releases, read }]) => [chart, new Map(releases.map(release =>
      [release, new Set(Object.keys(read).filter(path => read[path].some(([first, last]) => isBetween(release, first, last))))]))])));
  }

  private constructor(private readonly paths: Map<string, Map<string, Set<string>>>) {}

  public get charts(): string[] {
    return [...this.paths.keys()];
  }

  /** The releases of a chart that were rendered, oldest first. */
  public releasesOf(chart: string): string[] {
    return [...this.paths.get(chart)?.keys() ?? []].sort(compareVersions);
  }

  /** Whether a release reads a value. What is known of the path itself counts before what is known of all keys beside it. */
  public isRead(chart: string, release: string, path: string): boolean {
    const releases = [...this.paths.get(chart)?.values() ?? []];
    const known = [path, ...wildcardsOf(path)].find(candidate => releases.some(read => read.has(candidate)));
    return known !== undefined && (this.paths.get(chart)?.get(release)?.has(known) ?? false);
  }

  public pathsOf(chart: string, release: string): string[] {
    return [...this.paths.get(chart)?.get(release) ?? []].sort();
  }

  public record(chart: string, release: string, read: Iterable<string>): void {
    const releases = this.paths.get(chart) ?? new Map<string, Set<string>>();
    this.paths.set(chart, releases.set(release, new Set(read)));
  }

  /** Writes a line for each path, so that a diff shows what a new release changes. */
  public save(): void {
    const charts = this.charts.sort().map(chart => {
      const releases = this.releasesOf(chart);
      const paths = [...new Set(releases.flatMap(release => this.pathsOf(chart, release)))].sort();
      const read = paths.map(path => `      ${JSON.stringify(path)}: ${JSON.stringify(runs(releases, release => this.paths.get(chart)!.get(release)!.has(path)))}`);
      return `  ${JSON.stringify(chart)}: {\n    "releases": ${JSON.stringify(releases)},\n    "read": {\n${read.join(',\n')}\n    }\n  }`;
    });
    writeFileSync(FILE, `{\n${charts.join(',\n')}\n}\n`);
  }
}

/** The paths of all values that are no maps: `a.b`, and `a.b[].c` for lists of maps. */
export function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value) && value.some(isPlain)) {
    return [...new Set(value.flatMap(item => pathsIn(item, `${path}[]`)))];
  }
  return isPlain(value) ? Object.entries(value).flatMap(([key, item]) => pathsIn(item, path === '' ? key : `${path}.${key}`)) : [path];
}

/** The path as the facts have it. */
export function generalPath(path: string): string {
  return path.replace(/^ports\.[^.]+/, 'ports.entrypoint');
}

function wildcardsOf(path: string): string[] {
  const keys = path.split('.');
  return keys.map((_, i) => [...keys.slice(0, i), '*'].join('.')).slice(1);
}

function isBetween(release: string, first: string, last: string): boolean {
  return compareVersions(release, first) >= 0 && compareVersions(release, last) <= 0;
}

/** The first and the last of each run of releases that a condition holds for. */
function runs(releases: string[], holds: (release: string) => boolean): [string, string][] {
  return releases.reduce<[string, string][]>((found, release, i) => {
    if (!holds(release)) return found;
    return i > 0 && holds(releases[i - 1]) ? [...found.slice(0, -1), [found[found.length - 1][0], release]] : [...found, [release, release]];
  }, []);
}
