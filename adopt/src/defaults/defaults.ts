import { RECORDED_DEFAULTS } from './recorded';
import { Json } from '../code/expression';
import { isRecord, own } from '../json';

/** What operators take where an object says nothing, and do not write into it. */
const OF_OPERATORS: { readonly [versionAndKind: string]: readonly (readonly [path: string, value: Json])[] } = {
  'hypershift.openshift.io/v1beta1 HostedCluster': [['spec.networking.apiServer', {}], ['spec.networking.apiServer.port', 6443]],
};

/** The spec of an object, with everything that an API server would fill in. */
export function withDefaults(versionAndKind: string, spec: Json): Json {
  return [...RECORDED_DEFAULTS[versionAndKind] ?? [], ...OF_OPERATORS[versionAndKind] ?? []]
    .reduce<Json>((filled, [path, value]) => fill(filled, path.split('.').slice(1), value), spec);
}

/** What stands at a path of the spec where nothing is written; undefined where that is nothing. */
export function defaultAt(versionAndKind: string, path: string): Json | undefined {
  const keys = path.split('.');
  return keys.slice(1).reduce<Json | undefined>(own, withDefaults(versionAndKind, asFarAs(keys.slice(1, -1))));
}

/** An object that has nothing but the way to a field, so that what surrounds the field does not decide. */
function asFarAs(keys: string[]): Json {
  return keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), {});
}

function fill(value: Json, [first, ...rest]: string[], filling: Json): Json {
  if (first === undefined) return value;
  if (!isRecord(value)) return value;
  const items = first.endsWith('[]');
  const key = items ? first.slice(0, -2) : first;
  const inner = own(value, key);
  if (items) {
    return Array.isArray(inner) ? { ...value, [key]: inner.map(item => rest.length === 0 ? item : fill(item, rest, filling)) } : value;
  }
  if (rest.length === 0) return inner === undefined ? { ...value, [key]: filling } : value;
  return inner === undefined ? value : { ...value, [key]: fill(inner, rest, filling) };
}
