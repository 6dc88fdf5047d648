import type { AgentModule } from './agent-program';
import { SimulatedFiles } from './simulated-files';
import type { SimulatedHaproxy } from './simulated-haproxy';
import { Container, SimulatedProcess, Surroundings } from './simulated-process';
import { GATEWAY_DEFAULTS, SERVE_DEFAULTS } from '../../../../src/agent/contract/commands';
import { AgentCommand, Flag, Flags } from '../../../../src/agent/contract/flags';
import { terminationGracePeriodSeconds } from '../../../../src/agent/contract/stopping';

/** What the kubelet does, as the library's manifests ask. */
const PROBE_MS = 5_000;
const PROBE_TIMEOUT_MS = 3_000;
const FAILED_PROBES = 2;
const RESTART_MS = [1_000, 10_000] as const;
/** What Kubernetes gives every pod. */
const USUAL_GRACE_MS = 30_000;

export interface PodOptions {
  readonly name: string;
  readonly command: AgentCommand<Flags>;
  /** Flags that have no default, or another one. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly prepare: (files: SimulatedFiles) => void;
  readonly onReady: (ready: boolean) => void;
  /** @default - yes */
  readonly hasIpv6?: boolean;
  /** A new HAProxy has started in it. */
  readonly onHaproxy?: (haproxy: SimulatedHaproxy) => void;
}

/** A pod with one container, its kubelet and its machine. */
export class Pod implements Container {
  public readonly name: string;
  public readonly files = new SimulatedFiles();
  public readonly hasIpv6?: boolean;
  public clockError = 0;
  public ready = false;
  public deleting = false;
  /** When a proxy that leaves may stop listening while its address was never withdrawn, in milliseconds of the clock. */
  public servesUntil = Infinity;
  /** Since it leaves its address was not published, if only for a moment: others whose watches are dead may publish it again. */
  public withdrawn = false;
  /** Nothing of it is left. */
  public gone = false;
  /** When something in it died without a word, on the virtual clock. */
  public crashedAt = -Infinity;
  /** Whether the whole machine did, which takes longer to be noticed. */
  public machineCrashed = false;
  public restarts = 0;
  public process?: SimulatedProcess;
  private current?: SimulatedHaproxy;
  private failures = 0;
  private backoffMs = RESTART_MS[0] as number;

  constructor(public readonly around: Surroundings, private readonly options: PodOptions) {
    this.name = options.name;
    this.hasIpv6 = options.hasIpv6;
    options.prepare(this.files);
    this.start();
    this.probe();
  }

  public get haproxy(): SimulatedHaproxy | undefined {
    return this.current;
  }

  public set haproxy(haproxy: SimulatedHaproxy | undefined) {
    this.current = haproxy;
    if (haproxy) this.options.onHaproxy?.(haproxy);
  }

  /** `kubectl delete pod`: SIGTERM, and SIGKILL after the grace period. */
  public terminate(gone: () => void): void {
    this.deleting = true;
    this.servesUntil = this.around.clock.now + 1_000 * SERVE_DEFAULTS.gracePeriodSeconds;
    this.leaving = gone;
    if (!this.process?.alive) {
      this.end();
      return;
    }
    this.process.signal('SIGTERM');
    this.around.clock.schedule(graceOf(this.options.command), () => this.end());
  }

  /** Everything in the container dies, and is started again. */
  public crash(): void {
    this.crashedAt = this.around.clock.now;
    this.process?.kill();
    this.haproxy?.kill();
    this.exited();
  }

  /** The agent dies alone, as where it is no container's first process: its HAProxy goes on. */
  public crashAgent(): void {
    this.process?.kill();
    this.exited();
  }

  /** The machine is gone, with everything on it. */
  public loseMachine(): void {
    this.crashedAt = this.around.clock.now;
    this.machineCrashed = true;
    this.gone = true;
    this.process?.kill();
    this.haproxy?.kill();
  }

  private leaving: () => void = () => undefined;

  private start(): void {
    if (this.gone || this.deleting) return;
    const { command, flags } = this.options;
    const process = new SimulatedProcess(this.around, this);
    this.process = process;
    const values = { ...defaultsOf(command), ...flags };
    process.run(agent => mainOf(agent, command.name, values), error => {
      this.around.ended(process);
      if (error) this.around.said(process, error.message);
      this.haproxy?.kill();
      this.exited();
    });
  }

  /** PID 1 has ended: the kubelet sees that at once. */
  private exited(): void {
    if (this.gone) return;
    if (this.deleting) {
      this.end();
      return;
    }
    this.setReady(false);
    this.restarts++;
    this.around.clock.schedule(this.backoffMs, () => this.start());
    this.backoffMs = Math.min(2 * this.backoffMs, RESTART_MS[1]);
  }

  private end(): void {
    if (this.gone) return;
    this.gone = true;
    this.process?.kill();
    this.haproxy?.kill();
    this.leaving();
  }

  private probe(): void {
    if (this.gone) return;
    let answered = false;
    const process = this.process;
    const result = (ok: boolean) => {
      if (answered || process !== this.process) return;
      answered = true;
      this.failures = ok ? 0 : this.failures + 1;
      if (ok) this.backoffMs = RESTART_MS[0];
      if (ok || this.failures >= FAILED_PROBES) this.setReady(ok);
    };
    process?.health[0]?.ask('/readyz', status => result(status === 200));
    this.around.clock.schedule(PROBE_TIMEOUT_MS, () => result(false));
    this.around.clock.schedule(PROBE_MS, () => this.probe());
  }

  private setReady(ready: boolean): void {
    if (this.ready === ready || this.gone) return;
    this.ready = ready;
    this.options.onReady(ready);
  }
}

function mainOf(agent: AgentModule, command: string, values: Record<string, unknown>): Promise<void> {
  switch (command) {
    case 'serve': return agent.serve(agent.serveConfiguration(values));
    case 'gateway': return agent.gateway(agent.gatewayConfiguration(values));
    case 'register': return agent.register(agent.registerConfiguration(values));
    default: return agent.sync(agent.syncConfiguration(values));
  }
}

/** The `terminationGracePeriodSeconds` of the library's manifests. */
function graceOf({ name }: AgentCommand<Flags>): number {
  switch (name) {
    case 'serve': return 1_000 * terminationGracePeriodSeconds(SERVE_DEFAULTS);
    case 'gateway': return 1_000 * terminationGracePeriodSeconds(GATEWAY_DEFAULTS);
    default: return USUAL_GRACE_MS;
  }
}

/** As commander gives them: lists have none of their own. */
function defaultsOf({ flags }: AgentCommand<Flags>): Record<string, unknown> {
  const presetOf = ({ list, value, default: preset }: Flag) => list ? undefined : value === undefined ? false : preset;
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, presetOf(flag)]));
}
