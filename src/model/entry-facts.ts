import { Exposure } from './exposure';

/** What is known of an entry of a control plane beside its routes. */
export interface EntryFacts {
  /** How messages call its controller. */
  readonly controller: string;
  readonly allowedCidrs?: string[];
  /** Where its certificate comes from, as users write it; undefined for the API server's own. */
  readonly certificate?: string;
}

const facts = new WeakMap<Exposure, Map<string, EntryFacts>>();

/** What is known of an entry; undefined for that of a control plane that is made elsewhere. */
export function entryFactsOf(exposure: Exposure, entry: string): EntryFacts | undefined {
  return facts.get(exposure)?.get(entry);
}

/** Called by every control plane for each entry but the main one. */
export function recordEntry(exposure: Exposure, entry: string, of: EntryFacts): void {
  facts.set(exposure, (facts.get(exposure) ?? new Map()).set(entry, of));
}
