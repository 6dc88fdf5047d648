import { ChildProcess, spawn } from 'child_process';
import { EventEmitter, once } from 'events';
import { readFile } from 'fs/promises';
import { setTimeout as sleep } from 'timers/promises';
import type { Logger } from 'pino';
import { forwardConnections, forwardMessages, withoutReadAhead } from './log-lines';
import { MasterSocket } from './master-socket';
import { validateConfig } from './validate-config';
import { STOP_MARGIN_SECONDS } from '../../../../src/agent/contract/stopping';

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;
const CONFIRM_INTERVAL_MS = 20;
/** With maps of 20,000 tenants it takes seconds; one that does not answer after this time will not. */
const LONGEST_START_MS = 60_000;
/** A process that lived this long has earned a quick restart. */
const STABLE_MS = 10_000;
/** What a process gets between the end of its grace period and SIGKILL. */
const STOP_MARGIN_MS = 1_000 * STOP_MARGIN_SECONDS.haproxyEnd;
/** What the lines of its last connections get. */
const LAST_LINES_MS = 1_000 * STOP_MARGIN_SECONDS.lastLines;

export interface SupervisorOptions {
  readonly binary: string;
  /** Complete configuration file of HAProxy. */
  readonly config: string;
  readonly master: MasterSocket;
  readonly logger: Logger;
  /** Is told the line of each connection that has ended. */
  readonly onConnection?: (line: string) => void;
  /** A HAProxy that has no worker after this time is killed and started again. Default: a minute. */
  readonly longestStartMs?: number;
}

export interface SupervisorStatus {
  /** The process that this supervisor started has a worker; before that, one that it replaces may still answer. */
  readonly running: boolean;
  readonly detail: string;
}

/**
 * Keeps one HAProxy running in master-worker mode.
 *
 * Emits `exited` when HAProxy died and will be started again.
 */
export class HaproxySupervisor extends EventEmitter<{ exited: [detail: string] }> {
  private child?: ChildProcess;
  private running = false;
  private stopping = false;
  private backoffMs = FIRST_BACKOFF_MS;
  private restart?: NodeJS.Timeout;
  private detail = 'not started';
  private connectionsLogged?: Promise<void>;

  constructor(private readonly options: SupervisorOptions) {
    super();
  }

  /** @throws ConfigurationError with HAProxy's own words when it does not accept the configuration */
  public validate(): Promise<void> {
    return validateConfig(this.options.binary, this.options.config);
  }

  /** Starts HAProxy and, when a stale one of an agent that was killed still runs, takes its connections over. */
  public async start(): Promise<void> {
    const stale = await this.staleMaster();
    if (stale !== undefined) this.options.logger.warn({ pid: stale }, 'taking over from a HAProxy that an earlier agent left behind');
    if (!this.stopping) this.spawn(stale);
  }

  public status(): SupervisorStatus {
    return { running: this.running, detail: this.detail };
  }

  /**
   * Stops accepting connections and lets open streams finish.
   *
   * @param graceMs after this time the streams that are still open are cut
   */
  public async stop(graceMs: number): Promise<void> {
    await this.end(graceMs);
    // A worker that a reload left behind may have the output too.
    await Promise.race([this.connectionsLogged, sleep(LAST_LINES_MS, undefined, { ref: false })]);
  }

  private async end(graceMs: number): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    const child = this.child;
    if (!child) return;
    const exited = once(child, 'exit');
    const ended = (ms: number) => Promise.race([exited.then(() => true), sleep(ms, false, { ref: false })]);
    child.kill('SIGUSR1');
    if (await ended(graceMs)) return;
    this.options.logger.warn({ graceMs }, 'grace period is over, cutting the streams that are still open');
    child.kill('SIGTERM');
    if (await ended(STOP_MARGIN_MS)) return;
    child.kill('SIGKILL');
    await exited;
  }

  private spawn(stale?: number): void {
    const { binary, config, logger, master, onConnection } = this.options;
    const takeover = stale === undefined ? [] : ['-sf', String(stale)];
    const started = performance.now();
    // A process group of its own: Ctrl-C in a terminal reaches only the agent, which then drains.
    const child = withoutReadAhead(() => spawn(binary, ['-W', '-S', `${master.path},mode,600`, '-f', config, ...takeover], {
      detached: true,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    }));
    this.child = child;
    this.detail = 'starting';
    // Without descriptors for them there are none; the error follows.
    if (child.stdout) this.connectionsLogged = forwardConnections(child.stdout, logger, onConnection);
    if (child.stderr) forwardMessages(child.stderr, logger);
    const ended = (detail: string) => {
      if (this.child !== child) return;
      this.child = undefined;
      this.running = false;
      this.detail = detail;
      if (!this.stopping) this.scheduleRestart(performance.now() - started);
    };
    child.on('error', error => ended(`cannot run ${binary}: ${error.message}`));
    child.on('exit', (code, signal) => ended(signal ? `ended by ${signal}` : `exited with code ${code}`));
    void this.confirm(child);
  }

  /** Waits until the master that answers is the one that was started. */
  private async confirm(child: ChildProcess): Promise<void> {
    const { logger, longestStartMs = LONGEST_START_MS } = this.options;
    const deadline = performance.now() + longestStartMs;
    while (this.child === child) {
      if (performance.now() >= deadline && !this.stopping) {
        logger.error({ pid: child.pid, afterMs: longestStartMs }, 'HAProxy does not answer after its start and is killed');
        child.kill('SIGKILL');
        return;
      }
      const processes = await this.options.master.processes(1_000).catch(() => []);
      const master = processes.some(({ type, pid }) => type === 'master' && pid === child.pid);
      const worker = processes.some(({ type, old }) => type === 'worker' && !old);
      if (master && worker && this.child === child) {
        this.running = true;
        this.detail = 'running';
        return;
      }
      await sleep(CONFIRM_INTERVAL_MS);
    }
  }

  private scheduleRestart(livedMs: number): void {
    if (livedMs >= STABLE_MS) this.backoffMs = FIRST_BACKOFF_MS;
    const delay = this.backoffMs;
    this.backoffMs = Math.min(2 * delay, MAX_BACKOFF_MS);
    this.options.logger.error({ restartInMs: delay }, `HAProxy ${this.detail}`);
    this.emit('exited', this.detail);
    this.restart = setTimeout(() => this.spawn(), delay);
  }

  /** The master of an agent that was killed, found through its socket; the socket's path in its arguments proves that it is one. */
  private async staleMaster(): Promise<number | undefined> {
    const { master } = this.options;
    try {
      const pid = (await master.processes(1_000)).find(process => process.type === 'master')?.pid;
      if (pid === undefined) return undefined;
      const argumentList = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
      return argumentList.some(argument => argument.startsWith(`${master.path},`)) ? pid : undefined;
    } catch {
      return undefined; // nothing listens there, or it is not ours
    }
  }
}
