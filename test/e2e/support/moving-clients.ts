import { readFileSync } from 'fs';
import { IncomingMessage } from 'http';
import { request } from 'https';
import { Cluster } from './cluster';
import { keep, Part } from '../../data-path/support/parts';

/** How often a client opens a connection. */
const PERIOD_MS = 50;
/** Who is not answered by then has failed. */
const LONGEST_MS = 2_000;

/** Where and as whom a client connects. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  /** A token, or the administrator's client certificate. */
  readonly token?: string;
}

function open(cluster: Cluster, { host, port, servername, token }: Target, path: string): Promise<IncomingMessage> {
  const identity = token === undefined
    ? { cert: readFileSync(cluster.file('admin.crt')), key: readFileSync(cluster.file('admin.key')) }
    : { headers: { Authorization: `Bearer ${token}` } };
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, servername, path, ca: cluster.ca.certificate, agent: false, ...identity }, response => {
      sent.setTimeout(0);
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      return reject(new Error(`status ${response.statusCode}`));
    });
    sent.setTimeout(LONGEST_MS, () => sent.destroy(new Error('no answer'))).on('error', reject).end();
  });
}

const pause = () => new Promise(resolve => setTimeout(resolve, PERIOD_MS));

/** Opens one connection after the other. */
export class Caller implements Part {
  public calls = 0;
  public readonly failures: string[] = [];
  /** Milliseconds from the first of failed calls to the answer after them, all together. */
  public refusedMs = 0;
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(private readonly cluster: Cluster, private readonly target: Target) {
    this.running = this.run();
    keep(this);
  }

  public async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    let refusedSince: number | undefined;
    while (!this.stopped) {
      const began = performance.now();
      try {
        (await open(this.cluster, this.target, '/version')).resume();
        if (refusedSince !== undefined) this.refusedMs += performance.now() - refusedSince;
        refusedSince = undefined;
      } catch (error) {
        this.failures.push((error as Error).message);
        refusedSince ??= began;
      }
      this.calls++;
      await pause();
    }
    if (refusedSince !== undefined) this.refusedMs += performance.now() - refusedSince;
  }
}

/** A watch that is opened again whenever it ends, as clients of Kubernetes do. */
export class Watcher implements Part {
  public static async start(cluster: Cluster, target: Target): Promise<Watcher> {
    const watcher = new Watcher(cluster, target);
    watcher.response = await watcher.watch();
    void watcher.run();
    keep(watcher);
    return watcher;
  }

  public events = '';
  /** How often it ended. */
  public ends = 0;
  private stopped = false;
  private response!: IncomingMessage;

  private constructor(private readonly cluster: Cluster, private readonly target: Target) {}

  public async stop(): Promise<void> {
    this.stopped = true;
    this.response.destroy();
  }

  private watch(): Promise<IncomingMessage> {
    return open(this.cluster, this.target, '/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=3600');
  }

  private async run(): Promise<void> {
    for (;;) {
      await new Promise<void>(resolve => this.response.setEncoding('utf8').on('data', text => this.events += text).on('error', () => undefined).on('close', resolve));
      if (this.stopped) return;
      this.ends++;
      for (let opened = false; !opened && !this.stopped; await pause()) {
        opened = await this.watch().then(response => {
          this.response = response;
          return true;
        }, () => false);
      }
      if (this.stopped) return void this.response.destroy();
    }
  }
}
