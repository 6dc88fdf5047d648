import { ChildProcess, spawn } from 'child_process';
import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Readable, Writable } from 'stream';

const ANSWER_MS = 60_000;

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: any;
  readonly result?: any;
  readonly error?: { readonly message: string };
}

/** A Chromium without a window, driven by the DevTools protocol over pipes. */
export class Browser {
  /** @param provided what scripts/chromium.sh prints */
  public static start([program, fonts]: string[]): Browser {
    const profile = mkdtempSync(join(tmpdir(), 'browser-'));
    // Its sandbox needs what containers and namespaces do not give; the pages are our own.
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--remote-debugging-pipe', `--user-data-dir=${profile}`];
    return new Browser(spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, FONTCONFIG_FILE: fonts } }), profile);
  }

  private readonly waiting = new Map<number, (message: Message) => void>();
  private readonly listeners = new Set<(message: Message) => void>();
  private last = 0;
  private rest = '';

  private constructor(private readonly child: ChildProcess, private readonly profile: string) {
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.receive(text));
  }

  /** @param sessionId of a page; undefined for the browser itself */
  public send(method: string, params: object = {}, sessionId?: string): Promise<any> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_MS);
      this.waiting.set(id, ({ error, result }) => {
        clearTimeout(timer);
        if (error) {
          reject(new Error(`${method}: ${error.message}`));
        } else {
          resolve(result);
        }
      });
      (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** Told of every event until what it gives is called. */
  public listen(listener: (message: Message) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  public async stop(): Promise<void> {
    const ended = new Promise(resolve => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private receive(text: string): void {
    const messages = (this.rest + text).split('\0');
    this.rest = messages.pop()!;
    for (const message of messages.map(each => JSON.parse(each) as Message)) {
      if (message.id === undefined) {
        this.listeners.forEach(listener => listener(message));
      } else {
        this.waiting.get(message.id)?.(message);
        this.waiting.delete(message.id);
      }
    }
  }
}
