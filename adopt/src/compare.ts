import { boundedCopy } from './bounded-copy';
import { Json } from './code/expression';
import { comparable } from './difference/comparable';
import { Change, differenceOf } from './difference/difference';
import { changesJson, differenceLines } from './report';
import { isLookedAt } from './tenants';
import { ConfigurationError } from '../../cli/configuration';
import { count, jsonText } from '../../cli/output';
import { Paint } from '../../cli/palette';
import { printable } from '../../cli/printable';
import { groupAndKind, Source } from '../../src/manifests/source';
import { systemOf } from '../../src/manifests/systems';

/** A control plane that runs beside the one of the manifests. */
export interface Comparison {
  readonly source: Source;
  /** Undefined where the manifests do not have it. */
  readonly changes?: Change[];
}

/**
 * Compares what runs with manifests, object by object.
 *
 * @throws ConfigurationError when there is nothing to compare
 */
export function compare(running: Source[], manifests: Source[]): Comparison[] {
  const written = new Map(manifests.filter(isLookedAt).map(source => [idOf(source), source]));
  const own = running.filter(source => systemOf(source) !== undefined);
  if (own.length === 0) throw new ConfigurationError('no control plane runs there: nothing was compared');
  return own.map(source => {
    const other = written.get(idOf(source));
    return { source, changes: other && differenceOf(comparable(plain(source)), comparable(plain(other))) };
  });
}

export function comparisonText(comparisons: Comparison[], paint: Paint): string {
  const differing = comparisons.filter(({ changes }) => changes === undefined || changes.length > 0).length;
  return [
    ...comparisons.flatMap(({ source, changes }) => [
      paint('strong', printable(`${source.kind} ${source.namespace}/${source.name}`)),
      ...changes === undefined ? ['  is not among the manifests'] : changes.length === 0 ? ['  No difference.'] : differenceLines(changes, paint).map(line => `  ${line}`),
      '',
    ]),
    differing === 0 ? paint('good', `No difference: ${count(comparisons.length, 'control plane')}.`) : `${differing} of ${count(comparisons.length, 'control plane')} would change.`,
  ].join('\n');
}

export function comparisonJson(comparisons: Comparison[]): string {
  return jsonText({
    version: 1,
    command: 'adopt --compare',
    tenants: comparisons.map(({ source: { kind, namespace, name }, changes }) =>
      ({ namespace, name, kind, ...changes === undefined ? {} : { changes: changesJson(changes) } })),
  }, 1000);
}

function plain({ object, kind, namespace, name }: Source): Json {
  return boundedCopy(object, `${kind} ${namespace}/${name}`);
}

function idOf(source: Source): string {
  return JSON.stringify([groupAndKind(source), source.namespace, source.name]);
}
