import * as realPino from 'pino';
import { AgentModule, loadAgent } from './agent-program';
import { Await, Fault, FaultPlan, FAULTS } from './faults';
import { moduleOf } from './modules';
import type { HealthServers } from './modules/health-server';
import { Random } from './random';
import type { HttpAnswer, HttpCall } from './simulated-api-server';
import type { SimulatedFiles } from './simulated-files';
import type { SimulatedHaproxy } from './simulated-haproxy';
import { Meaning, Scheduled, VirtualClock } from './virtual-clock';

/** Node.js takes a longer time for one millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Who waits for this long follows the calendar; who waits for less polls, and its ticks in quiet times are all alike. */
const CALENDAR_MS = 20_000;

/** What a process has around it. */
export interface Surroundings {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly faults: FaultPlan;
  /** Milliseconds since 1970, when the clock says 0. */
  readonly epoch: number;
  /** That of a program that is started. */
  pid(): number;
  /** Asks an API server; never answers where nothing comes back. */
  http(process: SimulatedProcess, call: HttpCall, answer: (answer: HttpAnswer) => void): void;
  /** @throws NodeJS.ErrnoException */
  resolve(process: SimulatedProcess, name: string, family: 4 | 6): string[];
  /** Everything that leaves a process where others may read it. */
  said(process: SimulatedProcess, text: string): void;
  uncaught(process: SimulatedProcess, error: unknown): void;
  /** It has ended by itself. */
  ended(process: SimulatedProcess): void;
}

/** What it runs on: outlives the process. */
export interface Container {
  readonly name: string;
  readonly files: SimulatedFiles;
  /** How far the clock of the machine is off, in milliseconds. */
  clockError: number;
  /** Whether its machine has IPv6. @default - yes */
  readonly hasIpv6?: boolean;
  haproxy?: SimulatedHaproxy;
}

/** One process of the agent. Its code is the product's; its time, chance, files and sockets are simulated. */
export class SimulatedProcess {
  public alive = true;
  public readonly log: string[] = [];
  public readonly health: HealthServers = [];
  private readonly signals = new Map<string, (() => void)[]>();
  private readonly born: number;
  private readonly agent: AgentModule;

  constructor(public readonly around: Surroundings, public readonly container: Container) {
    this.born = around.clock.now;
    this.agent = loadAgent(name => moduleOf(name, this), this.globals());
  }

  public get name(): string {
    return this.container.name;
  }

  /** @param exited is called when the process ends by itself */
  public run(main: (agent: AgentModule) => Promise<void>, exited: (error?: Error) => void): void {
    const ended = (error?: Error) => {
      if (!this.alive) return;
      this.alive = false;
      exited(error);
    };
    main(this.agent).then(() => ended(), ended);
  }

  /** SIGKILL. */
  public kill(): void {
    this.alive = false;
  }

  public signal(name: 'SIGTERM'): void {
    for (const listener of this.signals.get(name) ?? []) this.protect(listener);
  }

  /** Asks the fault plan; what a dead process waits for is nothing. */
  public faultOf(place: Await['place'], what: string, can: readonly Fault[] = FAULTS): Fault | undefined {
    return this.alive ? this.around.faults.fault({ process: this.name, place, what, can }) : undefined;
  }

  /** Calls back after a while, if the process is still there. */
  public later(ms: number, run: () => void, meaning: Meaning = 'moves'): Scheduled {
    return this.around.clock.schedule(ms, () => {
      if (this.alive) this.protect(run);
    }, meaning);
  }

  public wallTime(): number {
    return this.around.epoch + this.around.clock.now + this.container.clockError;
  }

  private protect(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.around.uncaught(this, error);
    }
  }

  public readonly setTimeout = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown => {
    const delay = ms > LONGEST_TIMER_MS || !(ms >= 1) ? 1 : ms;
    return timer(this.later(delay, () => run(...args), delay >= CALENDAR_MS ? 'calendar' : 'polls'));
  };

  private readonly setInterval = (run: () => void, ms: number): unknown => {
    const handle = timer(undefined);
    const next = () => handle.event = this.later(ms, () => {
      next();
      run();
    });
    next();
    return handle;
  };

  public readonly clearTimeout = (handle?: { event?: Scheduled }): void => {
    if (handle?.event) handle.event.cancelled = true;
  };

  private globals(): Record<string, unknown> {
    const { around, signals } = this;
    const now = () => Math.floor(this.wallTime());
    class SimulatedDate extends Date {
      constructor(...args: unknown[]) {
        super(...(args.length === 0 ? [now()] : args) as [number]);
      }
    }
    SimulatedDate.now = now;
    return {
      process: Object.assign(Object.create(process), {
        on: (signal: string, listener: () => void) => signals.set(signal, [...signals.get(signal) ?? [], listener]),
        env: {},
      }),
      setTimeout: this.setTimeout,
      clearTimeout: this.clearTimeout,
      setInterval: this.setInterval,
      clearInterval: this.clearTimeout,
      setImmediate: (run: () => void) => this.setTimeout(run, 1),
      performance: { now: () => around.clock.now - this.born },
      Date: SimulatedDate,
      Math: Object.assign(Object.create(Math), { random: () => around.random.next() }),
      console,
      AbortSignal: { any: anyOf },
    };
  }

  /** `pino` that writes to this process' output. */
  public pino(): unknown {
    const real = realPino.pino as unknown as (...args: unknown[]) => unknown;
    const write = (line: string) => {
      this.log.push(line);
      this.around.said(this, line);
    };
    const own = Object.assign((...args: unknown[]) => real(...args), realPino.pino, { destination: () => ({ write }) });
    return Object.assign(own, { default: own, pino: own });
  }
}

/** Node.js keeps those of its own for ever that somebody listens to, as a process does that was killed, and with them the whole world. */
function anyOf(signals: readonly AbortSignal[]): AbortSignal {
  const any = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) any.abort(signal.reason);
    else signal.addEventListener('abort', () => any.abort(signal.reason), { once: true });
  }
  return any.signal;
}

/** As Node.js' own, as far as the agent uses it. */
function timer(event: Scheduled | undefined): { event?: Scheduled; unref(): unknown; ref(): unknown } {
  return {
    event,
    unref() {
      return this;
    },
    ref() {
      return this;
    },
  };
}
