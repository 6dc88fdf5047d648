import { Platform } from '../../manifests/platform';
import { Source } from '../../manifests/source';

export type Severity = 'error' | 'warning';

/** A disagreement. */
export interface Fault {
  readonly source: Source;
  /** Path in the object. */
  readonly field?: string;
  /** What disagrees with what. */
  readonly message: string;
  readonly remedy: string;
}

/** One kind of disagreement. */
export interface Rule {
  /** Stays the same for ever; a rule that goes leaves its code unused. */
  readonly code: string;
  /** `error`: something does not work. `warning`: it may, or it is a trap. */
  readonly severity: Severity;
  /** What is wrong when it reports something, for the table in `docs/doctor.md`. */
  readonly title: string;
  check(platform: Platform): Fault[];
}

/** How messages name an object. */
export function nameOf({ kind, namespace, name }: Source): string {
  return `${kind} ${namespace}/${name}`;
}

const SHOWN = 5;

/** The first few of many names. */
export function someOf(names: string[]): string {
  return names.slice(0, SHOWN).join(', ') + (names.length > SHOWN ? ', …' : '');
}
