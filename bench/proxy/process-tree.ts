import { readdirSync, readFileSync } from 'fs';

const TICK_MS = 10;

/** What a process and all its descendants use together. */
export interface Usage {
  /** User and system time since they started, in milliseconds. */
  readonly cpuMs: number;
  /** Anonymous memory in KiB. What processes share after a fork counts for each. */
  readonly rssAnonKib: number;
}

/** Reads the usage of a process tree from /proc. */
export function usageOf(root: number): Usage {
  const usages = treeOf(root).map(usageOfProcess);
  return {
    cpuMs: usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    rssAnonKib: usages.reduce((sum, { rssAnonKib }) => sum + rssAnonKib, 0),
  };
}

function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? statOf(pid)?.parent : undefined;
    if (parent !== undefined) {
      children.set(parent, [...children.get(parent) ?? [], pid]);
    }
  }
  const tree = [root];
  for (const pid of tree) {
    tree.push(...children.get(pid) ?? []);
  }
  return tree;
}

/** The fields of proc_pid_stat(5) that matter here; undefined when the process has ended meanwhile. */
function statOf(pid: number): { parent: number; cpuMs: number } | undefined {
  try {
    const [, parent, , , , , , , , , , utime, stime] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ').map(Number);
    return { parent, cpuMs: TICK_MS * (utime + stime) };
  } catch {
    return undefined;
  }
}

function usageOfProcess(pid: number): Usage {
  const stat = statOf(pid);
  if (!stat) {
    throw new Error(`process ${pid} has ended during the measurement`);
  }
  const rss = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { cpuMs: stat.cpuMs, rssAnonKib: Number(rss![1]) };
}
