import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

let made = 0;

/** A limit of memory as a container has it, where this process may set one: as root, in a hierarchy of version 1 or 2. */
export class MemoryCgroup {
  /** @returns undefined where that is not possible */
  static create(bytes: number): MemoryCgroup | undefined {
    const name = `memory-test-${process.pid}-${made++}`;
    const candidates = [
      { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', swap: 'memory.memsw.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
      { root: '/sys/fs/cgroup', limit: 'memory.max', swap: 'memory.swap.max', peak: 'memory.peak' },
    ];
    for (const { root, limit, swap, peak } of candidates) {
      const folder = join(root, name);
      try {
        mkdirSync(folder);
        writeFileSync(join(folder, limit), String(bytes));
        if (existsSync(join(folder, swap))) writeFileSync(join(folder, swap), swap === 'memory.swap.max' ? '0' : String(bytes));
        return new MemoryCgroup(folder, peak);
      } catch {
        if (existsSync(folder)) rmdirSync(folder);
      }
    }
    return undefined;
  }

  private constructor(private readonly folder: string, private readonly peakFile: string) {}

  /** Words of a command that runs another one in it. */
  get prefix(): string[] {
    return ['sh', '-c', `echo $$ > ${join(this.folder, 'cgroup.procs')} && exec "$@"`, 'sh'];
  }

  /** The most that was in use, with what the kernel keeps of files; undefined where it does not tell. */
  get peakBytes(): number | undefined {
    const file = join(this.folder, this.peakFile);
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  }

  /** After the processes have ended. */
  remove(): void {
    rmdirSync(this.folder);
  }
}
