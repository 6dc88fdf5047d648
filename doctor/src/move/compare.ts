import { Comparison, COMPARISONS } from './comparisons';
import { Side } from './side';
import { ConfigurationError } from '../../../cli/configuration';

/** `unknown`: it could not be read on one side. It is no pass. */
export type MoveStatus = 'ok' | 'failed' | 'unknown' | 'skipped';

/** What a comparison came to. */
export interface MoveResult {
  readonly name: string;
  readonly title: string;
  readonly status: MoveStatus;
  readonly detail: string;
  /** With `failed` and `unknown` only. */
  readonly remedy?: string;
}

type Reading = { readonly value: string | undefined } | { readonly problem: string };

/** Compares the two sides of a move. */
export function compareSides(from: Side, to: Side): Promise<MoveResult[]> {
  return Promise.all(COMPARISONS.map(async comparison => ({ name: comparison.name, title: comparison.title, ...await judge(comparison, from, to) })));
}

/** Whether nothing speaks against the next step. */
export function isReady(results: MoveResult[]): boolean {
  return results.every(({ status }) => status === 'ok' || status === 'skipped');
}

async function judge(comparison: Comparison, from: Side, to: Side): Promise<Omit<MoveResult, 'name' | 'title'>> {
  const { ofTenant, optional, remedy } = comparison;
  if (ofTenant && !(from.tenant && to.tenant)) return { status: 'skipped', detail: 'give --from-tenant and --to-tenant, kubeconfigs of the tenant for each of its API servers' };
  const [before, after] = await Promise.all([from, to].map(side => reading(comparison, side)));
  for (const [side, read] of [[from, before], [to, after]] as const) {
    if ('problem' in read) return { status: 'unknown', detail: `cannot be read in the ${side.title} cluster: ${read.problem}`, remedy: 'see that it can be read, and ask again' };
  }
  const [one, other] = [before, after].map(read => (read as { value: string | undefined }).value);
  if (one === undefined && other === undefined) {
    return optional ? { status: 'ok', detail: 'left to the defaults on both sides' } : { status: 'unknown', detail: 'is on no side', remedy: 'wait until the operator has made it, and ask again' };
  }
  if (one === other) return { status: 'ok', detail: one! };
  return { status: 'failed', detail: `${one ?? 'nothing'} in the ${from.title} cluster, ${other ?? 'nothing'} in the ${to.title} one`, remedy };
}

async function reading({ read }: Comparison, side: Side): Promise<Reading> {
  try {
    return { value: await read(side) };
  } catch (error) {
    // What is in a Secret may be anything.
    return { problem: error instanceof ConfigurationError ? error.message : `it is not what it should be (${(error as Error).message})` };
  }
}
