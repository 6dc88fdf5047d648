import { EventEmitter } from 'events';
import type { HealthSocket } from '../haproxy/health-socket';
import type { HaproxySupervisor } from '../haproxy/supervisor';
import type { PartStatus } from '../health/readiness';

/** How often HAProxy is asked: something is missing and may come any moment, or all is well. */
const WAITING_INTERVAL_MS = 100;
const INTERVAL_MS = 1_000;

export interface DataPathOptions {
  readonly supervisor: HaproxySupervisor;
  readonly health: HealthSocket;
  /** The certificate of the proxy's own; undefined when HAProxy passes raw TCP and has none. */
  readonly certificate?: { readonly notAfter: () => Date | undefined };
  /** Why the upstream's check does not pass, where there is one. */
  readonly cause?: () => Promise<string>;
  /** Why newer certificate files are not in use, if that is so. */
  readonly refusal: () => string | undefined;
}

/**
 * The state of HAProxy, its upstream and its certificate, read from HAProxy itself.
 *
 * Emits `alive` when HAProxy answers for the first time after a start, and `servable` after every observation, with
 * the answer to "would this proxy serve a connection?". Emits `upstream` after every observation of a HAProxy that answers,
 * with whether the upstream's check passes.
 */
export class DataPath extends EventEmitter<{ alive: []; servable: [boolean]; upstream: [boolean] }> {
  private alive = false;
  private servable = false;
  private timer?: NodeJS.Timeout;

  constructor(private readonly options: DataPathOptions) {
    super();
    options.supervisor.on('exited', () => {
      this.alive = false;
    });
  }

  /** Observes until `stop`. */
  public start(): void {
    const tick = async () => {
      await this.observe();
      if (this.timer) this.timer = setTimeout(tick, this.servable ? INTERVAL_MS : WAITING_INTERVAL_MS);
    };
    this.timer = setTimeout(tick, 0);
  }

  public stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** The conditions of readiness, as of now. */
  public async readiness(): Promise<{ haproxy: PartStatus; upstream: PartStatus; certificate: PartStatus }> {
    const upstream = await this.observe();
    const { running, detail } = this.options.supervisor.status();
    return {
      haproxy: { ok: this.alive, detail: running && !this.alive ? 'running, but does not answer yet' : detail },
      upstream: { ok: upstream, detail: upstream ? 'verified' : await this.whyNotVerified() },
      certificate: this.certificate(),
    };
  }

  private async whyNotVerified(): Promise<string> {
    const cause = this.alive ? await this.options.cause?.() : undefined;
    return `the verified health check does not pass${cause ? `: ${cause}` : ''}`;
  }

  /** @returns whether the upstream's health check passes */
  private async observe(): Promise<boolean> {
    const { health, supervisor } = this.options;
    const { alive, upstream } = supervisor.status().running ? await health.health() : { alive: false, upstream: false };
    const woke = alive && !this.alive;
    this.alive = alive;
    this.servable = alive && upstream && this.certificate().ok;
    if (woke) this.emit('alive');
    this.emit('servable', this.servable);
    if (alive) this.emit('upstream', upstream);
    return upstream;
  }

  private certificate(): PartStatus {
    const { certificate, refusal } = this.options;
    const refused = refusal();
    const suffix = refused ? `; the files were refused: ${refused}` : '';
    if (!certificate) return { ok: true, detail: `none: TLS is not opened${suffix}` };
    const notAfter = certificate.notAfter();
    if (!notAfter) return { ok: false, detail: `not loaded yet${suffix}` };
    const expired = notAfter.getTime() <= Date.now();
    return { ok: !expired, detail: `${expired ? 'expired at' : 'valid until'} ${notAfter.toISOString()}${suffix}` };
  }
}
