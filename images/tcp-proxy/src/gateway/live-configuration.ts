import { copyFile, readFile, rename, writeFile } from 'fs/promises';
import { join } from 'path';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { METRICS } from '../../../../src/agent/contract/metrics';
import { CONFIG_FILE } from '../../../../src/agent/contract/paths';
import type { MasterSocket } from '../haproxy/master-socket';
import { RefusedConfigurationError, validateConfig } from '../haproxy/validate-config';
import { described } from '../health/described';

export interface LiveConfigurationOptions {
  readonly binary: string;
  /** The mounted configuration. */
  readonly mounted: string;
  readonly runDir: string;
  readonly master: MasterSocket;
  /** Least time between two reloads: each leaves a worker behind. */
  readonly reloadIntervalMs: number;
  readonly logger: Logger;
  readonly registry: Registry;
  /** When HAProxy is asked again for a configuration that it refused: not every reason is in the configuration. Default: 5 minutes. */
  readonly askAgainMs?: number;
}

const ASK_AGAIN_MS = 300_000;

/**
 * The configuration that HAProxy runs with: a copy of the last mounted one that it accepted. So a restart, whoever
 * causes it, never finds a bad one.
 */
export class LiveConfiguration {
  /** The file to start HAProxy with. */
  public readonly file: string;
  private readonly candidate: string;
  private refused?: { readonly text: string; readonly reason: string; readonly askAgain: number };
  /** The text that HAProxy was started with, or took up last. */
  private inUse?: string;
  /** Whether the file, or HAProxy, may have another one: something failed in the middle. */
  private uncertain = false;
  /** On the clock of `performance.now()`: that of the node may be set back. */
  private lastReload = -Infinity;
  private postponed?: NodeJS.Timeout;
  private readonly reloads: Counter<'result'>;

  constructor(private readonly options: LiveConfigurationOptions) {
    this.file = join(options.runDir, CONFIG_FILE);
    this.candidate = join(options.runDir, 'candidate.cfg');
    const { registry } = options;
    this.reloads = new Counter(described(METRICS.gatewayConfigurations, registry));
    const refusal = () => this.refusal;
    new Gauge({
      ...described(METRICS.gatewayConfigurationRefused, registry),
      collect() {
        this.set(refusal() === undefined ? 0 : 1);
      },
    });
  }

  /** Why the mounted configuration is not in use, if there is a reason. */
  public get refusal(): string | undefined {
    return this.refused?.reason;
  }

  /**
   * Accepts the mounted configuration for the start, or else the one that an earlier start accepted.
   *
   * @throws ConfigurationError when there is no usable one
   */
  public async prepare(): Promise<void> {
    const text = await readFile(this.options.mounted, 'utf8').catch(() => '');
    try {
      await validateConfig(this.options.binary, this.options.mounted);
      await copyFile(this.options.mounted, this.candidate);
      await rename(this.candidate, this.file);
    } catch (error) {
      if (!await validateConfig(this.options.binary, this.file).then(() => true, () => false)) throw error;
      // Who could not be asked may be asked again.
      if (error instanceof RefusedConfigurationError) this.refuse(text, error.message);
    }
    this.inUse = await readFile(this.file, 'utf8');
  }

  /**
   * Takes a changed configuration up: checks it, puts it in place and reloads.
   *
   * @param later is called when the time for a postponed reload has come
   * @returns whether HAProxy was reloaded
   * @throws when HAProxy could not be asked, or a file not be read or written: that may be otherwise the next time
   */
  public async reconcile(later: () => void): Promise<boolean> {
    const text = await readFile(this.options.mounted, 'utf8');
    if (text === this.inUse) this.refused = undefined;
    const { refused } = this;
    const wanted = text === refused?.text && performance.now() < refused.askAgain ? this.inUse! : text;
    if (wanted === this.inUse && !this.uncertain) return false;
    const waitMs = this.lastReload + this.options.reloadIntervalMs - performance.now();
    if (waitMs > 0) {
      this.postponed ??= setTimeout(() => {
        this.postponed = undefined;
        later();
      }, waitMs).unref();
      return false;
    }
    return this.replace(wanted);
  }

  private async replace(text: string): Promise<boolean> {
    const { binary, master, logger } = this.options;
    this.uncertain = true;
    await writeFile(this.candidate, text);
    try {
      await validateConfig(binary, this.candidate);
      await rename(this.candidate, this.file);
      this.lastReload = performance.now();
      const { success, log } = await master.reload();
      if (!success) throw new RefusedConfigurationError(`HAProxy did not start with it: ${log}`);
    } catch (error) {
      await writeFile(this.candidate, this.inUse!);
      await rename(this.candidate, this.file);
      if (!(error instanceof RefusedConfigurationError)) throw error;
      this.uncertain = false;
      this.refuse(text, error.message);
      return false;
    }
    this.uncertain = false;
    this.inUse = text;
    this.refused = undefined;
    this.reloads.inc({ result: 'applied' });
    logger.info('configuration changed, HAProxy reloaded');
    return true;
  }

  private refuse(text: string, reason: string): void {
    const known = this.refused;
    this.refused = { text, reason, askAgain: performance.now() + (this.options.askAgainMs ?? ASK_AGAIN_MS) };
    if (known?.text === text && known.reason === reason) return;
    this.reloads.inc({ result: 'refused' });
    this.options.logger.error({ reason }, 'configuration refused, the one before stays in use');
  }
}
