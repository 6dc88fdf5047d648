import { constants } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { Readable, Writable } from 'node:stream';
import { bodyOf, discardBody, linesOf, SharedBudget } from './answer';
import { apiError, LARGEST_STATUS } from './api-error';
import { JsonLimits, parseBounded } from './bounded-json';
import { CredentialSource } from './credentials';
import { KubernetesObject } from './objects';

/** A call has to be answered within this time. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * A watch on which nothing arrives for this long counts as dead: load balancers drop connections without a word, and
 * TCP keepalive ends at the first hop. A healthy API server may be silent for as long: bookmarks come only after the
 * progress notifications of etcd, which are 10 minutes apart by default. So each watch is to end before.
 */
const WATCH_SILENCE_MS = 90_000;
/** How long a watch may last, as parts of the time after which silence means death; the rest is for its end to arrive. */
const WATCH_DURATION = { shortest: 0.5, longest: 0.8 };

/** A connection that was idle for longer may be dead without our knowing, and would cost the next write a timeout. */
const IDLE_MS = 30_000;

/** More than any answer that is asked for. One from a trusted API server is parsed whatever it is made of. */
const LARGEST_ANSWER: JsonLimits = { bytes: 64 * 2 ** 20, depth: Infinity, nodes: Infinity };

/** etcd holds no object of more than 1.5 MiB; as JSON it is longer. */
const LONGEST_EVENT = 8 * 2 ** 20;

/** API servers send one now and then (`100 Continue`); a peer that sends nothing else never answers. */
const MOST_INFORMATIONAL_ANSWERS = 8;

/**
 * What Go's API servers choose, too. In the finite-field groups that OpenSSL takes by default, a server can have its client
 * compute for a quarter of a second at a time, and as often as it likes where it may ask for another handshake.
 */
const KEY_EXCHANGE = {
  ciphers: 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20',
  // OpenSSL refuses the name of a group that it does not know.
  ecdhCurve: `${Number.parseFloat(process.versions.openssl) >= 3.5 ? 'X25519MLKEM768:' : ''}X25519:P-256:P-384:P-521`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

export { ApiError } from './api-error';

export type Query = Readonly<Record<string, string | number | undefined>>;

/** An event of a watch, as it is on the wire. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

export interface CallOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly contentType?: string;
  /** @default - that of the client */
  readonly timeoutMs?: number;
  /** What may be asked for instead of the whole object. @default 'application/json' */
  readonly accept?: string;
  /** A larger answer is an error. @default - that of the client */
  readonly largestAnswer?: JsonLimits;
}

export interface WatchOptions {
  readonly query: Query;
  /** The API server accepted the watch. */
  readonly onOpen: () => void;
  readonly onEvent: (event: WatchEvent) => void;
}

export interface KubernetesApiOptions {
  /** `https://host[:port]`; the host is the SNI and the name that the certificate must carry. */
  readonly apiServer: string;
  readonly credentials: CredentialSource;
  /** SNI and the name that the certificate must carry, when it is not the host. */
  readonly serverName?: string;
  /** A call that is not answered within this time fails. Default: 10 seconds. */
  readonly requestTimeoutMs?: number;
  /** A watch on which nothing arrives for this long ends with an error. Default: 90 seconds. */
  readonly watchSilenceMs?: number;
  /** How many connections there may be at once; requests wait for one. Default: as many as requests. */
  readonly connections?: number;
  /** A larger answer is an error. Default: 64 MiB, however deep it is. */
  readonly largestAnswer?: JsonLimits;
  /** For clients of many API servers: what their long answers may take together. Default: unlimited. */
  readonly budget?: SharedBudget;
}

/**
 * The few calls of the Kubernetes API that the commands need, over `node:https`. Redirects are not followed.
 *
 * This class replaces the client library because of its memory: loaded, and without a single watch open, `KubeConfig`
 * and `Watch` of @kubernetes/client-node cost 20 MB of anonymous memory (bundled), this file less than one.
 */
export class KubernetesApi {
  private readonly server: URL;
  private readonly agent: Agent;

  /**
   * @param signal ends all requests
   * @throws when the API server is not an https URL without a path
   */
  constructor(private readonly options: KubernetesApiOptions, private readonly signal: AbortSignal) {
    this.server = parseServer(options.apiServer);
    this.agent = new Agent({ keepAlive: true, timeout: IDLE_MS, maxSockets: options.connections ?? Infinity });
  }

  /**
   * Makes a request of which the answer matters.
   *
   * @throws ApiError for an answer that is no success, Error when there is none, or it is larger than it may be.
   */
  async call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    return this.inTime(method, path, options, async (response) => {
      const limits = options.largestAnswer ?? this.options.largestAnswer ?? LARGEST_ANSWER;
      return parsed(await bodyOf(response, { bytes: limits.bytes, budget: this.options.budget }), limits) as T;
    });
  }

  /**
   * Makes a request for its effect; the answer is not looked into.
   *
   * @throws as `call`
   */
  async send(method: string, path: string, options: CallOptions = {}): Promise<void> {
    const { bytes } = options.largestAnswer ?? this.options.largestAnswer ?? LARGEST_ANSWER;
    await this.inTime(method, path, options, async (response) => discardBody(response, bytes));
  }

  /** Server-side apply: makes the fields of an object as they are here, whoever else set them. */
  async apply(path: string, object: KubernetesObject, fieldManager: string, options: Pick<CallOptions, 'largestAnswer'> = {}): Promise<void> {
    // JSON is YAML.
    const query = { fieldManager, force: 'true' };
    await this.send('PATCH', path, { ...options, query, body: object, contentType: 'application/apply-patch+yaml' });
  }

  /**
   * Delivers the events of a watch until the API server ends it, which it is asked to do before its silence could be
   * taken for death. That is not at the same time for all, so that connections spread over its replicas.
   *
   * @throws ApiError when it is refused, Error when the connection breaks or stays silent.
   */
  async watch(path: string, options: WatchOptions): Promise<void> {
    const timeout = this.options.watchSilenceMs ?? WATCH_SILENCE_MS;
    const query = { ...options.query, watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: watchSeconds(timeout) };
    const response = await this.opened(path, query, timeout);
    options.onOpen();
    for await (const line of linesOf(response, LONGEST_EVENT)) options.onEvent(JSON.parse(line) as WatchEvent);
  }

  /**
   * Waits until a watch has anything to say, or the API server ends it. What it says is not looked into, so that it costs nothing whatever
   * it is.
   *
   * @throws as `watch`, and when the signal aborts
   */
  async rings(path: string, { query, signal }: { readonly query: Query; readonly signal: AbortSignal }): Promise<void> {
    const timeout = this.options.watchSilenceMs ?? WATCH_SILENCE_MS;
    const response = await this.opened(path, { ...query, watch: 'true', timeoutSeconds: watchSeconds(timeout) }, timeout, signal);
    // Leaving the loop closes the connection.
    for await (const _ of response) return;
  }

  /** API servers begin to answer a watch at once: only its events may take their time. Who waits for more than that sees nothing meanwhile. */
  private async opened(path: string, query: Query, timeout: number, signal?: AbortSignal): Promise<IncomingMessage> {
    const deadline = new AbortController();
    const limit = Math.min(this.options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS, timeout);
    const timer = setTimeout(() => deadline.abort(new Error(`no answer to a watch from the API server for ${limit / 1000} s`)), limit);
    signal?.addEventListener('abort', () => deadline.abort(signal.reason), { once: true });
    try {
      return await this.responseTo('GET', path, { query, timeout, deadline: deadline.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes all connections. TLS sessions are kept for those that a later request opens. */
  close(): void {
    this.agent.destroy();
  }

  /** A byte now and then keeps a connection from being silent, and an answer from being complete. */
  private async inTime<T>(method: string, path: string, options: CallOptions, read: (response: IncomingMessage) => Promise<T>): Promise<T> {
    const timeout = options.timeoutMs ?? this.options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error(`no complete answer from the API server for ${timeout / 1000} s`)), timeout);
    try {
      return await read(await this.responseTo(method, path, { ...options, timeout, deadline: deadline.signal }));
    } finally {
      clearTimeout(timer);
    }
  }

  private async responseTo(
    method: string,
    path: string,
    options: CallOptions & { timeout: number; deadline?: AbortSignal },
  ): Promise<IncomingMessage> {
    const { ca, token, clientCertificate } = await this.options.credentials();
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({
        agent: this.agent,
        ca,
        cert: clientCertificate?.certificate,
        key: clientCertificate?.key,
        servername: this.options.serverName,
        ...KEY_EXCHANGE,
        // Also the SNI, unless it is an address.
        hostname: this.server.hostname.replace(/^\[|\]$/g, ''),
        port: this.server.port || 443,
        method,
        path: path + queryString(options.query),
        headers: {
          'Accept': options.accept ?? 'application/json',
          'User-Agent': 'tcp-proxy',
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'Content-Type': options.contentType ?? 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        },
        signal: this.signal,
        timeout: options.timeout,
      }, resolve);
      // Whoever reads the response sees only the errors of the response.
      let reading: Writable | Readable = outgoing;
      outgoing.on('response', (incoming) => reading = incoming);
      let informational = 0;
      outgoing.on('information', () => {
        if (++informational > MOST_INFORMATIONAL_ANSWERS) outgoing.destroy(new Error('the API server sends nothing but informational answers'));
      });
      outgoing.on('timeout', () => reading.destroy(new Error(`nothing from the API server for ${options.timeout / 1000} s`)));
      options.deadline?.addEventListener('abort', () => reading.destroy(options.deadline?.reason as Error));
      outgoing.on('error', reject);
      // Not every end without an answer is an error to Node.js: another protocol that the server wants to speak is none.
      outgoing.on('close', () => reject(new Error('the API server closed the connection without an answer')));
      outgoing.end(body);
    });
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw apiError(status, await bodyOf(response, LARGEST_STATUS).catch(() => Buffer.alloc(0)));
    return response;
  }
}

/** Whole seconds, at least one; a fraction would be refused. */
export function watchSeconds(silenceMs: number, random = Math.random()): number {
  const { shortest, longest } = WATCH_DURATION;
  return Math.max(1, Math.floor(silenceMs / 1_000 * (shortest + random * (longest - shortest))));
}

/** @throws Error that says whose text it is */
function parsed(body: Buffer, limits: JsonLimits): unknown {
  try {
    return limits.nodes === Infinity ? JSON.parse(body.toString('utf8')) : parseBounded(body, limits);
  } catch (error) {
    throw new Error(`the answer of the API server ${error instanceof SyntaxError ? `is not JSON: ${error.message}` : (error as Error).message}`);
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
