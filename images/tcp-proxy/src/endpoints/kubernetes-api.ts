import { readFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { Readable, Writable } from 'node:stream';

/** The API server has to begin its answer within this time. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * A watch on which nothing arrives for this long counts as dead: load balancers drop connections without a word, and
 * TCP keepalive ends at the first hop. A healthy API server sends a bookmark about every minute.
 */
const WATCH_SILENCE_MS = 90_000;

export type Query = Readonly<Record<string, string | number | undefined>>;

/** An event of a watch, as it is on the wire. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

export interface WatchOptions {
  readonly query: Query;
  /** The API server accepted the watch. */
  readonly onOpen: () => void;
  readonly onEvent: (event: WatchEvent) => void;
}

/** An answer that is not a success, with what the API server said about it. */
export class ApiError extends Error {
  constructor(readonly status: number, readonly reason: string, message: string) {
    super(message);
    this.name = 'ApiError';
  }
}

export interface KubernetesApiOptions {
  /** `https://host[:port]`; the host is the SNI and the name that the certificate must carry. */
  readonly apiServer: string;
  /** The only authorities that are trusted. */
  readonly caFile: string;
  /** The bearer token. */
  readonly tokenFile: string;
  /** A watch on which nothing arrives for this long ends with an error. Default: 90 seconds. */
  readonly watchSilenceMs?: number;
}

/**
 * The few calls of the Kubernetes API that the controller needs, over `node:https`.
 *
 * Both files are read for every request: projected tokens and authorities rotate, and requests are rare. This class
 * replaces the client library because of its memory: loaded, and without a single watch open, `KubeConfig` and `Watch`
 * of @kubernetes/client-node cost 20 MB of anonymous memory (bundled), this file less than one.
 */
export class KubernetesApi {
  private readonly server: URL;
  /** A connection that was idle for longer may be dead without our knowing, and would cost the next write a timeout. */
  private readonly agent = new Agent({ keepAlive: true, timeout: 30_000 });

  /**
   * @param signal ends all requests
   * @throws when the API server is not an https URL without a path
   */
  constructor(private readonly options: KubernetesApiOptions, private readonly signal: AbortSignal) {
    this.server = parseServer(options.apiServer);
  }

  /** @throws ApiError for an answer that is no success, Error when there is none. */
  async call<T>(method: string, path: string, options: { query?: Query; body?: unknown } = {}): Promise<T> {
    const response = await this.send(method, path, { ...options, timeout: REQUEST_TIMEOUT_MS });
    return JSON.parse(await textOf(response)) as T;
  }

  /**
   * Delivers the events of a watch until the API server ends it.
   *
   * @throws ApiError when it is refused, Error when the connection breaks or stays silent.
   */
  async watch(path: string, options: WatchOptions): Promise<void> {
    const query = { ...options.query, watch: 'true', allowWatchBookmarks: 'true' };
    const response = await this.send('GET', path, { query, timeout: this.options.watchSilenceMs ?? WATCH_SILENCE_MS });
    options.onOpen();
    response.setEncoding('utf8');
    let rest = '';
    for await (const chunk of response as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) options.onEvent(JSON.parse(line) as WatchEvent);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private async send(
    method: string,
    path: string,
    options: { query?: Query; body?: unknown; timeout: number },
  ): Promise<IncomingMessage> {
    const [ca, token] = await Promise.all([readFile(this.options.caFile), readFile(this.options.tokenFile, 'utf8')]);
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({
        agent: this.agent,
        ca,
        // Also the SNI, unless it is an address.
        hostname: this.server.hostname.replace(/^\[|\]$/g, ''),
        port: this.server.port || 443,
        method,
        path: path + queryString(options.query),
        headers: {
          'Accept': 'application/json',
          'Authorization': `Bearer ${token.trim()}`,
          'User-Agent': 'tcp-proxy',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        },
        signal: this.signal,
        timeout: options.timeout,
      }, resolve);
      // Whoever reads the response sees only the errors of the response.
      let reading: Writable | Readable = outgoing;
      outgoing.on('response', (incoming) => reading = incoming);
      outgoing.on('timeout', () => reading.destroy(new Error(`nothing from the API server for ${options.timeout / 1000} s`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw apiError(status, await textOf(response));
    return response;
  }
}

function parseServer(apiServer: string): URL {
  const refused = (reason: string) =>
    new Error(`apiServer: '${apiServer}' ${reason}; give the address of the API server as https://<host>[:<port>]`);
  if (!URL.canParse(apiServer)) throw refused('is not a URL');
  const server = new URL(apiServer);
  if (server.protocol !== 'https:') throw refused('does not begin with https://');
  if (server.pathname !== '/' || server.search || server.username) throw refused('has more than a host and a port');
  return server;
}

function queryString(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(key, String(value));
  }
  return parameters.size > 0 ? `?${parameters}` : '';
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response as AsyncIterable<string>) text += chunk;
  return text;
}

/** A proxy on the way may answer too, so the body need not be a `Status`. */
function apiError(status: number, body: string): ApiError {
  try {
    const { reason, message } = JSON.parse(body) as { reason?: string; message?: string };
    return new ApiError(status, reason ?? '', message ?? `HTTP ${status}`);
  } catch {
    return new ApiError(status, '', `HTTP ${status}`);
  }
}
