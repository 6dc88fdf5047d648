import { JsonLimits, parseBounded } from './bounded-json';

/** What says why a request failed. */
export const LARGEST_STATUS: JsonLimits = { bytes: 256 * 2 ** 10, depth: 16, nodes: 10_000 };

/** What is kept of an error message, which may be the page of a proxy on the way. */
const LONGEST_MESSAGE = 1_000;
const LONGEST_REASON = 100;

/** An answer that is not a success, with what the API server said about it. */
export class ApiError extends Error {
  constructor(readonly status: number, readonly reason: string, message: string) {
    super(message);
    this.name = 'ApiError';
  }
}

/** A proxy on the way may answer too, so the body need not be a `Status`. */
export function apiError(status: number, body: Buffer): ApiError {
  const { reason, message } = statusOf(body);
  return new ApiError(
    status,
    typeof reason === 'string' ? reason.slice(0, LONGEST_REASON) : '',
    typeof message === 'string' ? message.slice(0, LONGEST_MESSAGE) : `HTTP ${status}`,
  );
}

function statusOf(body: Buffer): { readonly reason?: unknown; readonly message?: unknown } {
  try {
    return parseBounded<{ readonly reason?: unknown; readonly message?: unknown } | null>(body, LARGEST_STATUS) ?? {};
  } catch {
    return {};
  }
}
