import { HelmValues } from './helm-values';
import { isPlain } from '../objects/deep-copy';
import { invalidInput } from '../validation/invalid-input';
import { MovedValue } from '../versions/charts';
import { compareVersions } from '../versions/version-facts';

/**
 * Refuses values that a version of a chart ignores: what they were to restrict would be open.
 *
 * @param field  the property with the values, e.g. `values`
 */
export function refuseIgnoredValues(field: string, values: HelmValues, chart: string, version: string, moved: readonly MovedValue[] = []): void {
  for (const { path, since, until, remedy } of moved) {
    const tooOld = since !== undefined && compareVersions(version, since) < 0;
    const tooNew = until !== undefined && compareVersions(version, until) >= 0;
    for (const [found, value] of tooOld || tooNew ? lookUp(values, path.split('.')) : []) {
      throw invalidInput(`${field}.${found.join('.')}`, value,
        `is not read by the chart ${chart} ${version}, only ${tooNew ? `before ${until}` : `since ${since}`}`, remedy);
    }
  }
}

function lookUp(value: unknown, [key, ...rest]: string[], above: string[] = []): [string[], unknown][] {
  if (key === undefined) {
    return value === undefined ? [] : [[above, value]];
  }
  if (!isPlain(value)) {
    return [];
  }
  return (key === '*' ? Object.keys(value) : [key]).flatMap(name => lookUp(value[name], rest, [...above, name]));
}
