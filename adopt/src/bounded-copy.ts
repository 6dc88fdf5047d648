import { Json } from './code/expression';
import { ConfigurationError } from '../../cli/configuration';

/** An API server takes 1.5 MiB in an object (etcd's limit); this is what is counted here, with everything around it. */
const MAX_CHARACTERS = 4 * 2 ** 20;
const MAX_VALUES = 200_000;
const MAX_DEPTH = 100;

/**
 * A copy of a part of a file as plain JSON: no dates of YAML, nothing shared.
 *
 * @throws ConfigurationError where it is more than an API server holds, as a few aliases of YAML can make it
 */
export function boundedCopy(value: unknown, title: string): Json {
  let [values, characters] = [0, 0];
  const refuse = () => new ConfigurationError(`${title}: is larger than any object that an API server holds; dump it again, with kubectl get --output yaml`);
  const copy = (each: unknown, depth: number): Json => {
    values += 1;
    if (depth > MAX_DEPTH || values > MAX_VALUES) throw refuse();
    if (typeof each === 'string') {
      characters += each.length;
      if (characters > MAX_CHARACTERS) throw refuse();
      return each;
    }
    if (each instanceof Date) return Number.isNaN(each.getTime()) ? null : each.toISOString();
    if (Array.isArray(each)) return each.map(item => copy(item, depth + 1));
    if (typeof each === 'object' && each !== null) {
      return Object.fromEntries(Object.entries(each).filter(([, item]) => item !== undefined).map(([key, item]) => {
        characters += key.length;
        return [key, copy(item, depth + 1)];
      }));
    }
    if (typeof each === 'boolean') return each;
    return typeof each === 'number' && Number.isFinite(each) ? each : null;
  };
  return copy(value, 0);
}
