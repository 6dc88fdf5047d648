import { EventEmitter } from 'events';
import type { IncomingMessage, ServerResponse } from 'http';
import { isDeepStrictEqual } from 'util';
import { Random } from './random';
import { VirtualClock } from './virtual-clock';
import type { ServingCertificate } from '../support/fake-api/certificates';
import { FakeCluster } from '../support/fake-api/fake-cluster';
import { AnyObject, StoredEvent } from '../support/fake-api/object-store';

export interface HttpCall {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** It came before, word for word: nobody but the network sends it again. @default - false */
  readonly repeated?: boolean;
}

export interface HttpAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of an answer. */
  readonly failure?: Error;
  /** Delivers the body. */
  readonly stream: (chunk: (text: string) => void, end: (error?: Error) => void) => void;
  /** Nobody reads it any more. */
  readonly cancel?: () => void;
}

/** What goes wrong with an API server. */
export interface Trouble {
  /** Nobody listens, or nothing comes back. */
  refuses?: boolean;
  silent?: boolean;
  /** How often it answers with a status instead, and which. */
  statuses?: { readonly share: number; readonly codes: readonly number[]; readonly retryAfter?: number };
  /** How often an event comes twice, or after the next one of another object. */
  repeats?: number;
  swaps?: number;
}

/** An API server on virtual time, over the objects and answers of the fake one. */
export class SimulatedApiServer extends FakeCluster {
  public trouble: Trouble = {};
  /** Writes that changed nothing, as `resource name`. */
  public readonly needless: string[] = [];
  public requests = 0;
  private administrator = false;
  /** When open watches died without a word. */
  private forgotAt = -1;

  constructor(private readonly clock: VirtualClock, private readonly random: Random) {
    super({ ca: '', cert: '', key: '' } as ServingCertificate);
    this.store.subscribe(event => this.check(event));
  }

  /** What others do than the processes that are looked at. */
  public byOthers<T>(change: () => T): T {
    this.administrator = true;
    try {
      return change();
    } finally {
      this.administrator = false;
    }
  }

  /** Forgets what nobody will ask for, so that a year fits into memory. */
  public trim(): void {
    this.audit.splice(0);
    const { history } = this.store;
    const kept = history.splice(-200);
    history.splice(0, history.length, ...kept);
    this.store.compactedAt = Math.max(this.store.compactedAt, (kept[0]?.resourceVersion ?? this.store.version) - 1);
  }

  public override forgetWatches(): void {
    super.forgetWatches();
    this.forgotAt = this.clock.now;
  }

  public serve(call: HttpCall, answer: (answer: HttpAnswer) => void): void {
    this.requests++;
    const { refuses, silent, statuses } = this.trouble;
    const later = (run: () => void) => this.clock.schedule(this.random.between(1, 4), run);
    if (silent) return;
    if (refuses) {
      later(() => answer(failed('ECONNREFUSED')));
      return;
    }
    if (statuses && this.random.chance(statuses.share)) {
      const status = this.random.pick(statuses.codes);
      const headers: Record<string, string> = status === 429 && statuses.retryAfter ? { 'retry-after': String(statuses.retryAfter) } : {};
      later(() => answer(text(status, JSON.stringify({ kind: 'Status', code: status, reason: REASONS[status] ?? 'InternalError', message: `simulated ${status}` }), headers)));
      return;
    }
    later(() => void this.answerTo(call, answer));
  }

  private async answerTo({ method, path, headers, body, host, repeated }: HttpCall, answer: (answer: HttpAnswer) => void): Promise<void> {
    const [, seconds] = /[?&]timeoutSeconds=(\d+)/.exec(path) ?? [];
    const response = new SimulatedResponse(this.clock, this.random, answer, () => this.trouble);
    // Lists have their objects by the host, too: it is the name in the certificate.
    const incoming = {
      setEncoding: () => undefined,
      async* [Symbol.asyncIterator]() {
        if (body !== undefined) yield body;
      },
      method,
      url: path.replace(/([?&])timeoutSeconds=\d+/, '$1'),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      socket: { servername: host },
    };
    const needless = this.needless.length;
    await this.handle(incoming as unknown as IncomingMessage, response as unknown as ServerResponse);
    if (repeated) this.needless.splice(needless);
    const began = this.clock.now;
    if (seconds) this.clock.schedule(1_000 * Number(seconds), () => this.deadWatches || began <= this.forgotAt || response.end());
  }

  private check({ before, after }: StoredEvent): void {
    if (this.administrator || !before || !after || !isDeepStrictEqual(content(before), content(after))) return;
    this.needless.push(`${after.kind ?? ''} ${after.metadata.name}`);
  }
}

class SimulatedResponse extends EventEmitter {
  public writableEnded = false;
  private status = 200;
  private started = false;
  private readonly waiting: string[] = [];
  private deliver?: (text: string) => void;
  private finish?: (error?: Error) => void;
  private held?: string;
  private readonly latency: number;

  constructor(
    private readonly clock: VirtualClock,
    private readonly random: Random,
    private readonly answer: (answer: HttpAnswer) => void,
    private readonly trouble: () => Trouble,
  ) {
    super();
    this.latency = random.between(1, 4);
  }

  public writeHead(status: number): this {
    this.status = status;
    return this;
  }

  public flushHeaders(): void {
    if (this.started) return;
    this.started = true;
    this.later(() => this.answer({
      status: this.status,
      headers: {},
      cancel: () => {
        this.writableEnded = true;
        this.emit('close');
      },
      stream: (chunk, end) => {
        this.deliver = chunk;
        this.finish = end;
        this.waiting.splice(0).forEach(chunk);
      },
    }));
  }

  public write(line: string): void {
    const { repeats = 0, swaps = 0 } = this.trouble();
    if (this.held === undefined && this.random.chance(swaps)) {
      this.held = line;
      this.clock.schedule(200, () => this.release());
      return;
    }
    // Events of one object keep their order, as API servers have it.
    if (this.held !== undefined && objectOf(this.held) === objectOf(line)) this.release();
    this.send(line);
    if (this.random.chance(repeats)) this.send(line);
    this.release();
  }

  public end(body?: string): void {
    if (this.writableEnded) return;
    this.writableEnded = true;
    if (!this.started) this.flushHeaders();
    this.release();
    if (body !== undefined) this.send(body);
    this.later(() => {
      this.finish?.();
      this.emit('close');
    });
  }

  public destroy(): void {
    // An event that another one overtook was sent before: nothing is lost on a connection that goes on.
    this.release();
    this.writableEnded = true;
    this.later(() => {
      if (this.finish) this.finish(reset());
      else if (!this.started) this.answer(failed('ECONNRESET'));
      this.emit('close');
    });
  }

  private release(): void {
    if (this.held === undefined) return;
    const line = this.held;
    this.held = undefined;
    this.send(line);
  }

  private send(line: string): void {
    this.later(() => {
      if (this.deliver) this.deliver(line);
      else this.waiting.push(line);
    });
  }

  private later(run: () => void): void {
    this.clock.schedule(this.latency, run);
  }
}

const REASONS: Readonly<Record<number, string>> = { 409: 'Conflict', 410: 'Expired', 429: 'TooManyRequests', 500: 'InternalError', 503: 'ServiceUnavailable' };

function content({ metadata: { resourceVersion: _, managedFields: __, ...metadata }, ...rest }: AnyObject): unknown {
  return { ...rest, metadata };
}

function objectOf(line: string): string {
  const { metadata } = (JSON.parse(line) as { object: { metadata?: { name?: string } } }).object;
  return metadata?.name ?? '';
}

function text(status: number, body: string, headers: Readonly<Record<string, string>>): HttpAnswer {
  return {
    status,
    headers,
    stream: (chunk, end) => {
      chunk(body);
      end();
    },
  };
}

function failed(code: string): HttpAnswer {
  return { failure: Object.assign(new Error(`connect ${code}`), { code }), stream: () => undefined };
}

function reset(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}
