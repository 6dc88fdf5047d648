import { EventEmitter } from 'events';
import { Readable } from 'stream';
import type { HttpAnswer } from '../simulated-api-server';
import { systemError } from '../simulated-files';
import type { SimulatedProcess } from '../simulated-process';

interface RequestOptions {
  readonly hostname: string;
  readonly port: string | number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeout: number;
}

/** An answer that arrives bit by bit. */
class IncomingAnswer extends Readable {
  constructor(
    public readonly statusCode: number,
    public readonly headers: Readonly<Record<string, string>>,
    private readonly whenClosed: () => void,
  ) {
    super({ read: () => undefined });
  }

  public override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.whenClosed();
    callback(error);
  }
}

/** A request to an API server. */
class OutgoingRequest extends EventEmitter {
  private incoming?: IncomingAnswer;
  private over = false;
  private stop?: () => void;
  private silence?: { cancelled: boolean };

  constructor(
    private readonly process: SimulatedProcess,
    private readonly options: RequestOptions,
    private readonly respond: (response: unknown) => void,
  ) {
    super();
  }

  public end(body?: string): void {
    const { process, options } = this;
    const { signal, method, path, hostname, headers } = options;
    const abort = () => this.destroy(Object.assign(new Error('The operation was aborted'), { name: 'AbortError' }));
    if (signal?.aborted) {
      abort();
      return;
    }
    signal?.addEventListener('abort', abort, { once: true });
    this.once('close', () => signal?.removeEventListener('abort', abort));
    this.heard();
    const fault = process.faultOf('kubernetes', `${hostname} ${method} ${path.split('?')[0]}${path.includes('watch=true') ? ' watch' : ''}`);
    if (fault === 'hangs') return;
    if (fault === 'fails') {
      process.later(1, () => this.destroy(systemError('ECONNRESET', 'read')));
      return;
    }
    const call = { host: hostname, method, path, headers, body };
    const ask = (answer: (answer: HttpAnswer) => void, again = false) => process.around.http(process, { ...call, repeated: again }, answer);
    if (fault === 'twice' && path.includes('watch=true')) ask(answer => this.take(repeated(answer)));
    else if (fault === 'twice') ask(() => ask(answer => this.take(answer), true));
    else ask(answer => this.take(fault === 'garbled' ? garbled(answer) : answer));
  }

  public destroy(error?: Error): this {
    if (this.over) return this;
    this.over = true;
    this.close();
    if (this.incoming) {this.incoming.destroy(error);} else {
      this.process.later(0, () => {
        if (error) this.emit('error', error);
        this.emit('close');
      });
    }
    return this;
  }

  private take(answer: HttpAnswer): void {
    if (this.over) {
      answer.cancel?.();
      return;
    }
    this.stop = answer.cancel;
    if (answer.failure) {
      this.destroy(answer.failure);
      return;
    }
    const { status = 200, headers = {} } = answer;
    const incoming = new IncomingAnswer(status, headers, () => {
      this.over = true;
      this.close();
      this.emit('close');
    });
    this.incoming = incoming;
    this.heard();
    this.emit('response', incoming);
    this.respond(incoming);
    answer.stream(chunk => {
      if (incoming.destroyed) return;
      this.heard();
      incoming.push(chunk);
    }, error => {
      if (error) incoming.destroy(error);
      else incoming.push(null);
      this.close();
    });
  }

  /** A byte came: only silence ends a request. */
  private heard(): void {
    if (this.silence) this.silence.cancelled = true;
    const { timeout } = this.options;
    this.silence = this.process.later(timeout, () => this.emit('timeout'));
  }

  private close(): void {
    if (this.silence) this.silence.cancelled = true;
    this.stop?.();
    this.stop = undefined;
  }
}

/** `https`, as far as the agent uses it. */
export function httpsModule(process: SimulatedProcess): unknown {
  class Agent {
    public destroy(): void {}
  }
  return { Agent, request: (options: RequestOptions, respond: (response: unknown) => void) => new OutgoingRequest(process, options, respond) };
}

/** Every line of it comes twice. */
function repeated(answer: HttpAnswer): HttpAnswer {
  return { ...answer, stream: (chunk, end) => answer.stream(text => chunk(text + text), end) };
}

/** The page of somebody on the way, with the status of a success. */
function garbled(answer: HttpAnswer): HttpAnswer {
  answer.cancel?.();
  return {
    status: 200,
    headers: { 'content-type': 'text/html' },
    stream: (chunk, end) => {
      chunk('<html>Sign in to the network</html>\n');
      end();
    },
  };
}
