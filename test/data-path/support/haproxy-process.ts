import { ChildProcess, spawn } from 'child_process';
import { once } from 'events';
import { writeFile } from 'fs/promises';
import { request } from 'http';
import { connect } from 'net';
import { join } from 'path';
import { createInterface } from 'readline';
import { eventually } from './eventually';
import { keep, Part } from './parts';
import { haproxyBinary } from '../../support/haproxy';

/** Where a program runs instead: words in front of it, and its environment. */
export interface Inside {
  readonly prefix: string[];
  readonly env: NodeJS.ProcessEnv;
}

/** A HAProxy in the foreground. */
export class HaproxyProcess implements Part {
  /**
   * Starts a HAProxy and waits until it listens.
   *
   * @param folder for its sockets (`haproxy.sock`, `health.sock`) and its configuration
   */
  public static async start(
    folder: string, name: string, config: string, { prefix, env }: Inside = { prefix: [], env: process.env },
  ): Promise<HaproxyProcess> {
    const file = join(folder, `${name}.cfg`);
    await writeFile(file, config);
    const [program, ...words] = [...prefix, haproxyBinary()!, '-db', '-f', file];
    const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const haproxy = keep(new HaproxyProcess(child, folder));
    await eventually(() => {
      if (child.exitCode !== null) {
        throw new Error(`haproxy ended: ${haproxy.log.join('\n')}`);
      }
      return haproxy.command('show version');
    });
    return haproxy;
  }

  /** What it wrote, by lines. */
  public readonly log: string[] = [];

  private constructor(private readonly child: ChildProcess, private readonly folder: string) {
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on('line', line => line && this.log.push(line));
    }
  }

  public get pid(): number {
    return this.child.pid!;
  }

  public get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends a command to the runtime API. */
  public command(command: string, payload?: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let answer = '';
      connect(join(this.folder, 'haproxy.sock'))
        .on('error', reject)
        .setEncoding('utf8')
        .on('data', text => answer += text)
        .on('end', () => resolve(answer))
        .end(payload === undefined ? `${command}\n` : `${command} <<\n${payload.trim()}\n\n`);
    });
  }

  /** Asks the HTTP frontend for the agent. */
  public health(path: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      request({ socketPath: join(this.folder, 'health.sock'), path, agent: false }, response => {
        let body = '';
        response.setEncoding('utf8').on('data', text => body += text).on('end', () => resolve({ status: response.statusCode!, body }));
      }).on('error', reject).end();
    });
  }

  /** Whether it reports the upstream as ready. */
  public async ready(): Promise<boolean> {
    return (await this.health('/ready')).status === 200;
  }

  /** Value of a metric of the frontend `api`, e.g. `current_sessions`. */
  public async frontendMetric(name: string): Promise<number> {
    const { body } = await this.health('/metrics');
    return Number(new RegExp(`^haproxy_frontend_${name}\\{proxy="api"\\} (\\d+)`, 'm').exec(body)![1]);
  }

  /** A number of the statistics, by the names of the management guide, section 9.1, e.g. `stot` for sessions. */
  public async stat(proxy: string, server: string, field: string): Promise<number> {
    const [head, ...rows] = (await this.command('show stat')).replace(/^# /, '').split('\n').map(line => line.split(','));
    return Number(rows.find(row => row[0] === proxy && row[1] === server)![head.indexOf(field)]);
  }

  public async stop(): Promise<void> {
    if (this.alive) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
  }
}
