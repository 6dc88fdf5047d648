import { readFileSync } from 'fs';

const LOOK_MS = 500;

/**
 * Tells when one of the programs that started this one is gone: `timeout 60 npm run demo` ends npm, which does not tell anybody below it.
 * Those count that a shell starts as one job, so nobody's terminal or session does.
 */
export function onceStarterEnds(then: () => void): void {
  const starters = startersOf(process.pid);
  const timer = setInterval(() => {
    if (starters.every(isAlive)) return;
    clearInterval(timer);
    then();
  }, LOOK_MS);
  timer.unref();
}

function startersOf(pid: number): number[] {
  const own = statOf(pid);
  // Other systems than Linux do not tell.
  if (own === undefined) return [process.ppid];
  const starters: number[] = [];
  for (let { parent } = own, stat = statOf(parent); stat?.group === own.group; parent = stat.parent, stat = statOf(parent)) starters.push(parent);
  return starters;
}

/** Parent and process group (proc(5), `/proc/pid/stat`); what is in brackets may hold anything. */
function statOf(pid: number): { parent: number; group: number } | undefined {
  try {
    const [, parent, group] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ').map(Number);
    return { parent, group };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
