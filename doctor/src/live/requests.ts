import { once } from 'events';
import { IncomingMessage, request } from 'http';
import { connect } from 'http2';
import { Duplex, Readable } from 'stream';
import { Deadline } from './deadline';

const MAX_BODY_BYTES = 16_384;

/** A request that an open connection did not answer. */
export class RequestFailure extends Error {
  /** @param late whether the time was over: silence, as opposed to an end of the connection */
  constructor(message: string, public readonly late: boolean) {
    super(message);
  }
}

const UNANSWERED = 'the other side ended the connection without an answer';

/** An open connection and the time it has. */
export interface Line {
  readonly socket: Duplex;
  readonly deadline: Deadline;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  /** The start of it. */
  readonly body: string;
}

/**
 * GET by HTTP/1.1 on an open connection, which is closed afterwards.
 *
 * @throws RequestFailure
 */
export async function get({ socket, deadline }: Line, host: string, path: string): Promise<Answer> {
  try {
    const call = request({ createConnection: () => socket, method: 'GET', path, headers: { 'Host': host, 'User-Agent': 'tcp-proxy-doctor' } });
    // It may fail after its answer, or after this gave up.
    call.on('error', () => undefined);
    call.end();
    const [response] = await onceOrClosed<[IncomingMessage]>(call, 'response', socket);
    return { status: response.statusCode!, contentType: response.headers['content-type'] ?? '', body: await startOf(response) };
  } catch (error) {
    throw reasonOf(error, deadline);
  } finally {
    socket.destroy();
  }
}

/** GET by HTTP/2, as `get`. */
export async function getHttp2({ socket, deadline }: Line, host: string, path: string): Promise<Answer> {
  const session = connect(`https://${host}`, { createConnection: () => socket, maxSessionMemory: 1 });
  // GOAWAY is no failure: an API server ends the connections of anonymous clients with it, after the answer.
  const broken = new Promise<never>((_, reject) => session.on('error', reject));
  broken.catch(() => undefined);
  try {
    const stream = session.request({ ':method': 'GET', ':path': path, ':authority': host });
    stream.on('error', () => undefined);
    const [headers] = await Promise.race([onceOrClosed<[Record<string, unknown>]>(stream, 'response', socket), broken]);
    const body = await Promise.race([startOf(stream), broken]);
    return { status: Number(headers[':status']), contentType: String(headers['content-type'] ?? ''), body };
  } catch (error) {
    throw reasonOf(error, deadline);
  } finally {
    session.destroy();
    socket.destroy();
  }
}

/** Whether a kube-apiserver wrote it: its version, or a Status object. */
export function isOfApiServer({ body }: Answer): boolean {
  try {
    const value = JSON.parse(body);
    return typeof value.gitVersion === 'string' || value.kind === 'Status';
  } catch {
    return false;
  }
}

/** What the deadline ends looks like a connection that the other side has ended. */
function reasonOf(error: unknown, deadline: Deadline): RequestFailure {
  if (deadline.isOver) return new RequestFailure(`${deadline} to the request, or not all of it`, true);
  const { code, message } = error as NodeJS.ErrnoException;
  const ended = code === 'ECONNRESET' || code === 'EPIPE';
  return new RequestFailure(ended ? 'the other side ended the connection before its answer was complete' : message, false);
}

async function onceOrClosed<Values extends unknown[]>(emitter: NodeJS.EventEmitter, event: string, socket: Duplex): Promise<Values> {
  const stop = new AbortController();
  const ended = () => stop.abort();
  socket.once('close', ended);
  if (socket.destroyed) ended();
  try {
    return await once(emitter, event, { signal: stop.signal }) as Values;
  } catch (error) {
    throw stop.signal.aborted ? new Error(UNANSWERED) : error;
  } finally {
    socket.off('close', ended);
  }
}

/** Reads up to the limit and no further; what follows is dropped with the connection. */
async function startOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_BYTES);
}
