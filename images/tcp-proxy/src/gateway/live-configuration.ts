import { copyFile, readFile, rename, writeFile } from 'fs/promises';
import { join } from 'path';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { METRICS } from '../../../../src/agent/contract/metrics';
import { CONFIG_FILE } from '../../../../src/agent/contract/paths';
import type { MasterSocket } from '../haproxy/master-socket';
import { validateConfig } from '../haproxy/validate-config';
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
}

/**
 * The configuration that HAProxy runs with: a copy of the last mounted one that it accepted. So a restart, whoever
 * causes it, never finds a bad one.
 */
export class LiveConfiguration {
  /** The file to start HAProxy with. */
  public readonly file: string;
  private readonly candidate: string;
  private refused?: { readonly text: string; readonly reason: string };
  private lastReload = 0;
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
      await copyFile(this.options.mounted, this.file);
    } catch (error) {
      if (!await validateConfig(this.options.binary, this.file).then(() => true, () => false)) throw error;
      this.refuse(text, (error as Error).message);
    }
  }

  /**
   * Takes a changed configuration up: checks it, puts it in place and reloads.
   *
   * @param later is called when the time for a postponed reload has come
   * @returns whether HAProxy was reloaded
   */
  public async reconcile(later: () => void): Promise<boolean> {
    const text = await readFile(this.options.mounted, 'utf8');
    if (text === await readFile(this.file, 'utf8')) {
      this.refused = undefined;
      return false;
    }
    if (text === this.refused?.text) return false;
    const waitMs = this.lastReload + this.options.reloadIntervalMs - Date.now();
    if (waitMs > 0) {
      this.postponed ??= setTimeout(() => {
        this.postponed = undefined;
        later();
      }, waitMs).unref();
      return false;
    }
    return this.replace(text);
  }

  private async replace(text: string): Promise<boolean> {
    const { binary, master, logger } = this.options;
    const before = await readFile(this.file, 'utf8');
    await writeFile(this.candidate, text);
    try {
      await validateConfig(binary, this.candidate);
      await rename(this.candidate, this.file);
      this.lastReload = Date.now();
      const { success, log } = await master.reload();
      if (!success) throw new Error(`HAProxy did not start with it: ${log}`);
    } catch (error) {
      await writeFile(this.candidate, before);
      await rename(this.candidate, this.file);
      this.refuse(text, (error as Error).message);
      return false;
    }
    this.refused = undefined;
    this.reloads.inc({ result: 'applied' });
    logger.info('configuration changed, HAProxy reloaded');
    return true;
  }

  private refuse(text: string, reason: string): void {
    this.refused = { text, reason };
    this.reloads.inc({ result: 'refused' });
    this.options.logger.error({ reason }, 'configuration refused, the one before stays in use');
  }
}
