import { decide, Decision, Replacement, ServedPair, Settling, UsablePair } from './renewal';
import { Certificate, Trust, trustedAuthorities, TrustRecord } from './trusted-authorities';

const MINUTE = 60_000;

/** Durations in milliseconds. */
export interface Timing {
  /** How long an earlier CA stays trusted that nothing is known to need: the API server's certificate may be of it. */
  readonly overlapMs: number;
  /** How long the kubelets take to show a changed ConfigMap to the pods, with some reserve. */
  readonly settleMs: number;
  /** How often to look whether the pods trust a new CA. */
  readonly pollMs: number;
}

/** A day for the API servers, two minutes for the kubelets, which take one. */
export const DEFAULT_TIMING: Timing = { overlapMs: 24 * 60 * MINUTE, settleMs: 2 * MINUTE, pollMs: MINUTE / 2 };

/** What there is in the two clusters. */
export interface Facts<Authority extends Certificate> {
  readonly served: ServedPair;
  readonly replacement: Replacement;
  /** What the Secret of the tenant CA holds. */
  readonly current: readonly Authority[];
  /** What the proxies trust so far, and what was recorded with it. */
  readonly trusted: readonly Authority[];
  readonly record: TrustRecord;
  readonly settling?: Settling;
  /** `id`s of the authorities that pods trust. */
  readonly podAuthorities: ReadonlySet<string>;
}

/** What the two objects in the tenant are to be. */
export interface Plan<Authority> {
  readonly decision: Decision;
  readonly trust: Trust<Authority>;
}

/** Works out what to do; the same facts at the same time lead to the same plan. */
export function plan<Authority extends Certificate>(facts: Facts<Authority>, now: Date, timing: Timing): Plan<Authority> {
  const { served, replacement, current, trusted, record, settling, podAuthorities } = facts;
  const decision = decide({ served, replacement, podAuthorities, settling, now, ...timing });
  const { authority } = decision.action === 'replace' ? replacement : served as UsablePair;
  const needed = new Set(authority === undefined ? podAuthorities : [...podAuthorities, authority]);
  return { decision, trust: trustedAuthorities({ current, trusted, record, needed, now, overlapMs: timing.overlapMs }) };
}
