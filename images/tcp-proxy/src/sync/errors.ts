import type { SYNC_REASONS } from '../../../../src/agent/contract/metrics';
import { ApiError } from '../kubernetes/kubernetes-api';

/** Where a tenant's trouble is: a label of the metrics. */
export type Reason = typeof SYNC_REASONS[number];

/** A message may hold what a tenant said. */
const LONGEST_MESSAGE = 2_000;

/** Why a tenant is not as its bundle wants it. */
export class SyncError extends Error {
  constructor(readonly reason: Reason, message: string) {
    super(message.slice(0, LONGEST_MESSAGE));
    this.name = 'SyncError';
  }
}

/** Says what was tried when something fails; errors that say it already are left as they are. */
export async function attempt<T>(reason: Reason, what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof SyncError ? error : new SyncError(reason, `${what}: ${(error as Error).message}`);
  }
}

/** `attempt` for a request to a tenant: an answer tells another trouble than none. */
export async function attemptTenant<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof SyncError) throw error;
    throw new SyncError(error instanceof ApiError ? 'refused' : 'unreachable', `${what}: ${(error as Error).message}`);
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}
