import { spawn } from 'child_process';
import { once } from 'events';
import { createInterface } from 'readline';

/** Where the load goes. */
export interface Target {
  /** host:port */
  readonly address: string;
  /** Name that its certificate carries. */
  readonly serverName: string;
  readonly caFile: string;
}

/** What the load does; see bench/load. */
export interface Workload {
  readonly kind: 'requests' | 'handshakes' | 'idle';
  readonly path: string;
  readonly count: number;
  readonly connections: number;
}

/** What the client has measured itself, in microseconds. */
export interface LoadResult {
  readonly count: number;
  readonly wallUs: number;
  readonly p50Us?: number;
  readonly p99Us?: number;
}

/** A client that has prepared its workload: its connections are open and warm. */
export interface PreparedLoad {
  /** Runs the workload and ends the client. */
  run(): Promise<LoadResult>;
}

/** Starts a client. */
export async function prepareLoad(target: Target, { kind, path, count, connections }: Workload): Promise<PreparedLoad> {
  const child = spawn(process.env.BENCH_LOAD!, [
    'client', '-workload', kind, '-address', target.address, '-server-name', target.serverName, '-ca', target.caFile,
    '-path', path, '-count', String(count), '-connections', String(connections),
  ], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) {
      throw new Error(`the load on ${target.address} failed: ${kind} ${path}`);
    }
    return value;
  };
  await next();
  return {
    run: async () => {
      child.stdin.end('go\n');
      const result = JSON.parse(await next());
      await ended;
      return result;
    },
  };
}
