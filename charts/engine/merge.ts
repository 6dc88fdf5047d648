import type { Assignment } from './choice';
import { supersequence } from './supersequence';

/** A part that some variants have. */
export interface Part<Content> {
  readonly content: Content;
  /** The variants that have it. */
  readonly present: ReadonlySet<Assignment>;
}

/** What all variants of a value have in common, and where they differ. */
export type Merged =
  | { readonly kind: 'scalar'; readonly alternatives: Part<string | number | boolean | null>[] }
  | { readonly kind: 'text'; readonly lines: Part<string>[] }
  | { readonly kind: 'list'; readonly items: Part<Merged>[] }
  | { readonly kind: 'map'; readonly entries: (Part<Merged> & { readonly key: string })[] };

/** A map of which keys may be there or not. */
export type MergedMap = Extract<Merged, { readonly kind: 'map' }>;

/** A value in each variant that has it. */
export type Variants = ReadonlyMap<Assignment, unknown>;

/** Puts the variants of a value together: each is found in the result by leaving out the parts that it does not have. */
export function merge(variants: Variants): Merged {
  const values = [...variants.values()];
  if (values.every(isRecord)) {
    return mergeMaps(variants as ReadonlyMap<Assignment, Record<string, unknown>>);
  }
  if (values.every(Array.isArray)) {
    return mergeLists(variants as ReadonlyMap<Assignment, unknown[]>);
  }
  if (values.every(value => typeof value === 'string') && values.some(value => value.includes('\n'))) {
    return { kind: 'text', lines: mergeSequences(variants as ReadonlyMap<Assignment, string>, linesOf) };
  }
  return { kind: 'scalar', alternatives: mergeScalars(variants as ReadonlyMap<Assignment, string>) };
}

function mergeScalars(variants: ReadonlyMap<Assignment, string>): Part<string>[] {
  return [...new Set(variants.values())].map(content => ({
    content, present: new Set([...variants].filter(([, value]) => value === content).map(([assignment]) => assignment)),
  }));
}

/** Likewise, of maps alone. */
export function mergeMaps(variants: ReadonlyMap<Assignment, Record<string, unknown>>): MergedMap {
  const lists = new Set([...variants.values()].map(value => JSON.stringify(Object.keys(value))));
  const keys = supersequence([...lists].map(text => JSON.parse(text) as string[]));
  const entries = [...new Set(keys)].map(key => {
    const having = new Map([...variants].filter(([, value]) => value[key] !== undefined).map(([assignment, value]) => [assignment, value[key]]));
    return { key, content: merge(having), present: new Set(having.keys()) };
  });
  return { kind: 'map', entries: entries.filter(({ present }) => present.size > 0) };
}

/** Items are the same thing where they have the same name; else where they have the same place in lists of one length, or are equal. */
function mergeLists(variants: ReadonlyMap<Assignment, unknown[]>): Merged {
  const [first] = variants.values();
  if ([...variants.values()].every(list => list.length === first.length && list.every(item => isRecord(item) && item.name === undefined))) {
    return {
      kind: 'list',
      items: first.map((_, i) => ({
        present: new Set(variants.keys()), content: merge(new Map([...variants].map(([assignment, list]) => [assignment, list[i]]))),
      })),
    };
  }
  const items = mergeSequences(variants, list => list.map(identityOf));
  return {
    kind: 'list',
    items: items.map(({ content: identity, present }) => ({
      present,
      content: merge(new Map([...present].map(assignment => [assignment, variants.get(assignment)!.find(item => identityOf(item) === identity)]))),
    })),
  };
}

function identityOf(item: unknown): string {
  return isRecord(item) && typeof item.name === 'string' ? item.name : JSON.stringify(item);
}

function mergeSequences<Value>(variants: ReadonlyMap<Assignment, Value>, elementsOf: (value: Value) => string[]): Part<string>[] {
  const sequences = new Map([...variants].map(([assignment, value]) => [assignment, elementsOf(value)]));
  const distinct = [...new Map([...sequences.values()].map(sequence => [sequence.join('\n'), sequence])).values()];
  const all = supersequence(distinct);
  const parts = all.map(content => ({ content, present: new Set<Assignment>() }));
  for (const [assignment, sequence] of sequences) {
    let at = 0;
    for (const element of sequence) {
      at = all.indexOf(element, at);
      parts[at].present.add(assignment);
      at++;
    }
  }
  return parts.filter(({ present }) => present.size > 0);
}

/** Without their ends; the last one has one, as every text of many lines here. */
function linesOf(text: string): string[] {
  if (text !== '' && !text.endsWith('\n')) {
    return [...text.split('\n').slice(0, -1), `${text.slice(text.lastIndexOf('\n') + 1)}${NO_END}`];
  }
  return text.split('\n').slice(0, -1);
}

/** Ends the last line of a text that does not end with one. */
export const NO_END = '\0';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
