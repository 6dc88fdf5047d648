import { ChildProcess, spawn } from 'child_process';
import { once } from 'events';
import { mkdtempSync, rmSync } from 'fs';
import { request } from 'http';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { buildSync } from 'esbuild';
import { eventually } from './eventually';

let bundle: string | undefined;
/** A test that fails may leave one behind, which would keep jest alive. */
const children = new Set<ChildProcess>();

/** The program as it is in the image. */
export function agentBundle(): string {
  if (!bundle) {
    bundle = join(mkdtempSync(join(tmpdir(), 'tcp-proxy-bundle-')), 'index.js');
    const entryPoint = join(__dirname, '..', '..', 'src', 'main.ts');
    buildSync({ entryPoints: [entryPoint], outfile: bundle, bundle: true, minify: true, platform: 'node', target: 'node20', logLevel: 'warning' });
  }
  return bundle;
}

// Outside jest, in a benchmark, there is no afterAll.
globalThis.afterAll?.(() => {
  for (const child of children) child.kill('SIGKILL');
  if (bundle) rmSync(dirname(bundle), { recursive: true });
});

export interface AgentOptions {
  readonly args: string[];
  readonly env?: Record<string, string>;
  /** Words of a command that runs the agent. */
  readonly prefix?: string[];
  /** Program with its first words, such as the one of an image. @default - the bundle, in this Node.js */
  readonly program?: string[];
}

/** The agent as a process of its own. */
export class Agent {
  public readonly exited: Promise<{ code: number | null; signal: string | null }>;
  public stderr = '';
  private stdout = '';
  private readonly child: ChildProcess;

  constructor({ args, env = {}, prefix = [], program = [process.execPath, agentBundle()] }: AgentOptions) {
    const [first, ...words] = [...prefix, ...program, ...args];
    this.child = spawn(first, words, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(this.child);
    this.child.stdout!.on('data', chunk => (this.stdout += chunk));
    this.child.stderr!.on('data', chunk => (this.stderr += chunk));
    this.exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  public get pid(): number {
    return this.child.pid!;
  }

  public get output(): string {
    return this.stdout;
  }

  /** What the agent logged so far. */
  public get log(): Record<string, unknown>[] {
    return this.stdout.split('\n').filter(line => line.startsWith('{')).map(line => JSON.parse(line));
  }

  public kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  public async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Waits for a log line whose message, reason or component holds the text. */
  public logged(text: string): Promise<Record<string, unknown>> {
    return eventually(() => {
      const line = this.log.find(entry => JSON.stringify(entry).includes(text));
      if (!line) throw new Error(`not logged: ${text}\n${this.stdout}${this.stderr}`);
      return line;
    });
  }

  /** GET on the agent's own HTTP server. */
  public async http(path: string): Promise<{ status: number; body: string }> {
    const { port } = await this.logged('/readyz');
    const call = request({ host: '127.0.0.1', port: port as number, path, agent: false });
    call.end();
    const [response] = await once(call, 'response');
    let body = '';
    for await (const chunk of response) body += chunk;
    return { status: response.statusCode, body };
  }

  /** Waits until `/readyz` answers with this status and, if given, this text. */
  public readyz(status: number, text = ''): Promise<Record<string, { ok: boolean; detail: string }>> {
    return eventually(async () => {
      const answer = await this.http('/readyz');
      if (answer.status !== status || !answer.body.includes(text)) {
        throw new Error(`/readyz: wanted ${status} ${text}, got ${answer.status} ${answer.body}\n${this.stdout}${this.stderr}`);
      }
      return JSON.parse(answer.body).parts;
    });
  }
}
