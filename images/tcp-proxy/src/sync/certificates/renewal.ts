/** A pair in the tenant's Secret that works. */
export interface UsablePair {
  readonly problem?: undefined;
  /** `id` of the authority that issued it; undefined when no authority that is known did. */
  readonly authority?: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Why it must be replaced although it works, e.g. that its names differ. */
  readonly difference?: string;
}

/** What is known of the pair in the tenant's Secret; the problem is that nothing can use it, e.g. that it is missing. */
export type ServedPair = UsablePair | { readonly problem: string };

/** What would take its place. */
export interface Replacement {
  /** `id` of the authority that issued or will issue it. */
  readonly authority?: string;
  /** No pair of this authority can last longer. */
  readonly notAfter: Date;
  /** Whether a pair that becomes old is replaced: one can be issued any time, but a copy is as old as its source. */
  readonly renewable: boolean;
}

/** Since when the pods of the tenant have been seen to trust the authority that the certificate is about to change to. */
export interface Settling {
  readonly authority: string;
  readonly since: Date;
}

export interface DecisionInput {
  readonly served: ServedPair;
  readonly replacement: Replacement;
  /** `id`s of the authorities that pods trust. */
  readonly podAuthorities: ReadonlySet<string>;
  readonly settling?: Settling;
  readonly now: Date;
  /** How long the kubelets take to show a changed ConfigMap to the pods, in milliseconds. */
  readonly settleMs: number;
  /** How often to look whether the pods trust a new authority, in milliseconds. */
  readonly pollMs: number;
}

/** What to do about the pair, why, and when to decide again. */
export type Decision =
  | { readonly action: 'keep'; readonly again?: Date }
  | { readonly action: 'wait'; readonly reason: string; readonly again: Date; readonly settling?: Settling }
  | { readonly action: 'replace'; readonly reason: string };

/**
 * Decides whether the pair in the tenant stays. It depends on what is there alone, so that it can be asked at any time
 * and nothing is written without a difference.
 *
 * A pair that works gives way to one of another authority only once the pods trust that one: until they do, the one they
 * have is the better one, whatever its authority.
 */
export function decide(input: DecisionInput): Decision {
  const { served, replacement, podAuthorities, now, settleMs, pollMs } = input;
  if (served.problem !== undefined) return { action: 'replace', reason: served.problem };
  if (served.notAfter <= now) return { action: 'replace', reason: `expired at ${served.notAfter.toISOString()}` };

  const renewal = renewalTime(served, replacement);
  const otherAuthority = served.authority !== replacement.authority;
  const reason = otherAuthority ? 'is not issued by the current tenant CA'
    : served.difference ?? (renewal && renewal <= now ? 'two thirds of its life are over' : undefined);
  if (reason === undefined) return { action: 'keep', again: renewal };
  if (!otherAuthority) return { action: 'replace', reason };

  const wait = (why: string, until: number, settling?: Settling): Decision =>
    ({ action: 'wait', reason: `${reason}, but ${why}`, again: new Date(Math.min(until, served.notAfter.getTime())), settling });
  if (replacement.authority === undefined || !podAuthorities.has(replacement.authority)) {
    return wait('the pods of the tenant do not trust that one yet', now.getTime() + pollMs);
  }
  // Pods that start now refuse the pair that is there, so waiting protects nobody.
  if (served.authority === undefined || !podAuthorities.has(served.authority)) return { action: 'replace', reason };

  const settling = input.settling?.authority === replacement.authority ? input.settling : { authority: replacement.authority, since: now };
  const settled = settling.since.getTime() + settleMs;
  if (settled <= now.getTime()) return { action: 'replace', reason };
  return wait('some pods may not have seen yet that it is trusted', settled, settling);
}

/** When two thirds of the pair's life are over; undefined when a new one would not last longer. */
export function renewalTime({ notBefore, notAfter }: Pick<UsablePair, 'notBefore' | 'notAfter'>, replacement: Replacement): Date | undefined {
  if (!replacement.renewable || notAfter >= replacement.notAfter) return undefined;
  return new Date(notBefore.getTime() + (notAfter.getTime() - notBefore.getTime()) * 2 / 3);
}
