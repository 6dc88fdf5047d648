import { once } from 'events';
import { request } from 'http';
import { setTimeout as sleep } from 'timers/promises';

const PERIOD_MS = 100;
/** As long as the kubelet waits. */
const TIMEOUT_MS = 3_000;

/** Where an agent answers, and where its prober is. */
export interface Probed {
  readonly host: string;
  readonly port: number;
  readonly localAddress?: string;
}

/** Asks for `/readyz` all the time, until it is stopped. */
export class ReadinessProbes {
  /** Status of each answer, or why there was none. */
  public readonly answers: (number | string)[] = [];
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(private readonly probed: Probed) {
    this.running = this.run();
  }

  /** @returns the answers that were not 200 */
  public async stop(): Promise<(number | string)[]> {
    this.stopped = true;
    await this.running;
    return this.answers.filter(answer => answer !== 200);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.answers.push(await this.ask());
      await sleep(PERIOD_MS);
    }
  }

  private ask(): Promise<number | string> {
    const call = request({ ...this.probed, path: '/readyz', agent: false });
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    call.end();
    return once(call, 'response')
      .then(([response]) => {
        response.resume();
        return response.statusCode as number;
      }, (error: Error) => error.message)
      .finally(() => clearTimeout(timer));
  }
}
