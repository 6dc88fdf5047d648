import { sendCommand } from './command-socket';

export interface HaproxyProcess {
  readonly pid: number;
  readonly type: 'master' | 'worker';
  /** Reloads that this process has lived through. */
  readonly reloads: number;
  /** True for a worker that a reload has replaced and that finishes its streams. */
  readonly old: boolean;
}

export interface ReloadResult {
  readonly success: boolean;
  /** What HAProxy said while it started the new worker. */
  readonly log: string;
}

/** Speaks to the master process, on the socket of its `-S` option (management guide of HAProxy, chapter "Master CLI"). */
export class MasterSocket {
  constructor(public readonly path: string) {}

  /** The master and its workers, as `show proc` lists them. */
  public async processes(timeoutMs?: number): Promise<HaproxyProcess[]> {
    const answer = await sendCommand(this.path, 'show proc', timeoutMs);
    let old = false;
    const processes: HaproxyProcess[] = [];
    for (const line of answer.split('\n')) {
      if (line.startsWith('#')) old = line.startsWith('# old workers');
      const match = /^(\d+)\s+(master|worker)\s+(\d+)/.exec(line);
      if (match) processes.push({ pid: Number(match[1]), type: match[2] as HaproxyProcess['type'], reloads: Number(match[3]), old });
    }
    return withServingWorker(processes);
  }

  /**
   * Reads the configuration again and starts a new worker; the old one finishes its streams.
   * Without success the old worker goes on serving.
   */
  public async reload(timeoutMs = 30_000): Promise<ReloadResult> {
    const answer = await sendCommand(this.path, 'reload', timeoutMs);
    const [, success, log] = /^Success=(\d)\s*(?:--\n)?([\s\S]*)$/.exec(answer) ?? [undefined, '0', answer];
    return { success: success === '1', log: log.trim() };
  }
}

/** Since HAProxy 3.1 the worker that goes on serving after a reload that failed is among the old ones, as the one of the fewest reloads. */
function withServingWorker(processes: HaproxyProcess[]): HaproxyProcess[] {
  const workers = processes.filter(({ type }) => type === 'worker');
  if (workers.some(({ old }) => !old)) {
    return processes;
  }
  const newest = Math.min(...workers.map(({ reloads }) => reloads));
  return processes.map(process => process.type === 'worker' && process.reloads === newest ? { ...process, old: false } : process);
}
