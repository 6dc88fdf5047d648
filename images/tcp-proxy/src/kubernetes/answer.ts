import { IncomingMessage } from 'node:http';

/** Who reads answers of many peers at once: how much of them may be in memory together. */
export class SharedBudget {
  private left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  /** @returns whether there was so much left */
  take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.left += bytes;
  }
}

export interface ReadingLimits {
  readonly bytes: number;
  /** Shared with other answers; each may use as much as is common without it. */
  readonly budget?: SharedBudget;
}

/** What nearly all answers fit into. */
const COMMON_BYTES = 64 * 2 ** 10;

/**
 * Reads the whole body.
 *
 * @throws Error when it is longer than allowed; the connection is closed then
 */
export async function bodyOf(response: IncomingMessage, { bytes, budget }: ReadingLimits): Promise<Buffer> {
  requireAnnounced(response, bytes);
  const chunks: Buffer[] = [];
  let length = 0;
  let taken = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > bytes) throw tooLong(bytes);
      if (budget && length > COMMON_BYTES) {
        if (!budget.take(chunk.length)) throw new Error('too many long answers of API servers at once');
        taken += chunk.length;
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  } finally {
    budget?.give(taken);
  }
}

/** Reads the body to its end, so that the connection can be used again, and keeps nothing of it. */
export async function discardBody(response: IncomingMessage, bytes: number): Promise<void> {
  requireAnnounced(response, bytes);
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytes) throw tooLong(bytes);
  }
}

/** The lines of a body that has no end. */
export async function* linesOf(response: IncomingMessage, longest: number): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<string>) {
    let begin = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', begin)) {
      yield pieces.join('') + chunk.slice(begin, end);
      pieces = [];
      length = 0;
      begin = end + 1;
    }
    pieces.push(chunk.slice(begin));
    length += chunk.length - begin;
    if (length > longest) throw tooLong(longest);
  }
}

function requireAnnounced(response: IncomingMessage, bytes: number): void {
  if (Number(response.headers['content-length'] ?? 0) <= bytes) return;
  response.destroy();
  throw tooLong(bytes);
}

function tooLong(bytes: number): Error {
  return new Error(`the answer of the API server is longer than ${bytes} bytes`);
}
