import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

let made = 0;

/** Names of what a hierarchy of cgroups tells and takes. */
interface Files {
  readonly root: string;
  readonly limit: string;
  readonly swap: string;
  readonly peak: string;
  /** Has a line `oom_kill` with a number. */
  readonly events: string;
  /** Line of `memory.stat`. */
  readonly anonymous: string;
  /** Files with a number, or lines of `memory.stat`. */
  readonly kernel: string;
  readonly sockets: string;
}

const V1: Files = {
  root: '/sys/fs/cgroup/memory',
  limit: 'memory.limit_in_bytes',
  swap: 'memory.memsw.limit_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  events: 'memory.oom_control',
  anonymous: 'total_rss',
  kernel: 'memory.kmem.usage_in_bytes',
  sockets: 'memory.kmem.tcp.usage_in_bytes',
};
const V2: Files = {
  root: '/sys/fs/cgroup', limit: 'memory.max', swap: 'memory.swap.max', peak: 'memory.peak', events: 'memory.events', anonymous: 'anon', kernel: 'kernel', sockets: 'sock',
};
/** Version 1 counts the buffers of sockets apart, and only where they have a limit. */
const SOCKET_LIMIT_V1 = 'memory.kmem.tcp.limit_in_bytes';

/** What is in use and cannot be taken back, in bytes: not the copies of files. */
export interface MemoryUse {
  readonly anonymous: number;
  /** Of the kernel but for the buffers of sockets. */
  readonly kernel: number;
  readonly sockets: number;
}

export function sumOf({ anonymous, kernel, sockets }: MemoryUse): number {
  return anonymous + kernel + sockets;
}

/** A limit of memory as a container has it, where this process may set one: as root, in a hierarchy of version 1 or 2. */
export class MemoryCgroup {
  /** @returns undefined where that is not possible */
  static create(bytes: number): MemoryCgroup | undefined {
    const name = `memory-test-${process.pid}-${made++}`;
    for (const files of [V1, V2]) {
      const folder = join(files.root, name);
      try {
        mkdirSync(folder);
        writeFileSync(join(folder, files.limit), String(bytes));
        if (existsSync(join(folder, files.swap))) writeFileSync(join(folder, files.swap), files === V2 ? '0' : String(bytes));
        if (existsSync(join(folder, SOCKET_LIMIT_V1))) writeFileSync(join(folder, SOCKET_LIMIT_V1), String(2 ** 40));
        return new MemoryCgroup(folder, files);
      } catch {
        if (existsSync(folder)) rmdirSync(folder);
      }
    }
    return undefined;
  }

  private constructor(private readonly folder: string, private readonly files: Files) {}

  /** Words of a command that runs another one in it. */
  get prefix(): string[] {
    return ['sh', '-c', `echo $$ > ${join(this.folder, 'cgroup.procs')} && exec "$@"`, 'sh'];
  }

  /** The most that was in use, with what the kernel keeps of files; undefined where it does not tell. */
  get peakBytes(): number | undefined {
    const file = join(this.folder, this.files.peak);
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  }

  get use(): MemoryUse {
    const { anonymous, kernel, sockets } = this.files;
    return { anonymous: this.figure(anonymous), kernel: this.figure(kernel), sockets: this.figure(sockets) };
  }

  /** How many processes the kernel has ended for want of memory. */
  get oomKills(): number {
    return numberAfter('oom_kill', this.text(this.files.events));
  }

  /** After the processes have ended. */
  remove(): void {
    rmdirSync(this.folder);
  }

  private figure(name: string): number {
    return existsSync(join(this.folder, name)) ? Number(this.text(name)) : numberAfter(name, this.text('memory.stat'));
  }

  private text(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }
}

function numberAfter(name: string, text: string): number {
  const match = new RegExp(`^${name} (\\d+)$`, 'm').exec(text);
  if (!match) throw new Error(`the kernel does not tell ${name}`);
  return Number(match[1]);
}
