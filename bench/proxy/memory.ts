import { setTimeout as sleep } from 'timers/promises';
import { Contender, SIDES } from './contender';
import { prepareLoad } from './load';
import { usageOf } from './process-tree';
import { round } from './statistics';

/** Garbage collectors give memory back some time after they could. */
const SETTLE_MS = 4_000;
const POD_CONNECTIONS = 300;
export const MANY_CONNECTIONS = 2_000;
const RESPONSE = '/bytes/1024';

/** Anonymous memory of all processes of a contender, on both sides, in KiB. */
export interface PodMemory {
  /** After the start. */
  readonly idleKib: number;
  /** With 300 idle connections that have each carried a request. */
  readonly with300Kib: number;
  /** For each of 2,000 such connections. */
  readonly connectionKib: number;
}

/** What a way costs for each connection; the rest is that of the programs, whatever the way. */
export type ConnectionMemory = Pick<PodMemory, 'connectionKib'>;

/** Measures a contender from a fresh start. */
export async function measureConnectionMemory(start: (maxConnections?: number) => Promise<Contender>): Promise<ConnectionMemory> {
  const many = await measure(await start(MANY_CONNECTIONS + 50), MANY_CONNECTIONS);
  return { connectionKib: round((many.openKib - many.idleKib) / MANY_CONNECTIONS) };
}

/**
 * Measures a contender twice from a fresh start.
 *
 * @param start starts it, with room for that many connections, or as many as it has by default
 */
export async function measureMemory(start: (maxConnections?: number) => Promise<Contender>): Promise<PodMemory> {
  const pod = await measure(await start(), POD_CONNECTIONS);
  return { idleKib: pod.idleKib, with300Kib: pod.openKib, ...await measureConnectionMemory(start) };
}

async function measure(contender: Contender, connections: number): Promise<{ idleKib: number; openKib: number }> {
  await sleep(SETTLE_MS);
  const idleKib = rssAnonKib(contender);
  const load = await prepareLoad(contender.target, { kind: 'idle', path: RESPONSE, count: 1, connections });
  await sleep(SETTLE_MS);
  const openKib = rssAnonKib(contender);
  await load.run();
  await contender.stop();
  return { idleKib, openKib };
}

function rssAnonKib({ processes }: Contender): number {
  return SIDES.reduce((sum, side) => sum + (processes[side] ? usageOf(processes[side].pid).rssAnonKib : 0), 0);
}
