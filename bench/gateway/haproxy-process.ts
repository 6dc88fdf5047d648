import { readFileSync } from 'fs';

/** What a process of HAProxy uses. */
export interface ProcessUse {
  /** CPU time so far, user and system. */
  readonly cpuMs: number;
  readonly rssMiB: number;
}

/** Reads it from /proc. CPU time has ticks of 10 ms. */
export function useOf(pid: number): ProcessUse {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    cpuMs: 10 * (Number(fields[11]) + Number(fields[12])),
    rssMiB: Number(/^RssAnon:\s+(\d+)/m.exec(status)![1]) / 1024,
  };
}
