import { ChildProcess, spawn, SpawnOptions } from 'child_process';
import { once } from 'events';
import { keep, Part } from '../../data-path/support/parts';

/** Enough to see why a test failed. */
const KEPT_OUTPUT = 200_000;

/** A process of a test, which is stopped with its other parts. */
export class Process implements Part {
  public output = '';
  public readonly exited: Promise<{ code: number | null; signal: string | null }>;
  private readonly child: ChildProcess;

  constructor(command: string, args: string[], options: SpawnOptions = {}) {
    this.child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-KEPT_OUTPUT);
      });
    }
    this.exited = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }));
    keep(this);
  }

  public get pid(): number {
    return this.child.pid!;
  }

  public get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  public signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  public async kill(signal: NodeJS.Signals): Promise<void> {
    this.signal(signal);
    await this.exited;
  }

  public async stop(): Promise<void> {
    if (this.alive) {
      await this.kill('SIGKILL');
    }
  }
}
