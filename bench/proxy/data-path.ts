import { setTimeout as sleep } from 'timers/promises';
import { Contender, ContenderName, OPENING, Side, SIDES } from './contender';
import { Installation } from './installation';
import { prepareLoad, Target, Workload } from './load';
import { usageOf } from './process-tree';
import { quantile } from './statistics';

/** Logs and closed connections are dealt with shortly after the load has ended. */
const SETTLE_MS = 200;
const SMALL = '/bytes/100';
const LARGE = `/bytes/${27 * 1024}`;
const GIB = 2 ** 30;
/** So many times more connections where one costs so much less. */
const PASSED_HANDSHAKES = 2;
const LATENCY_TURNS = 8;

/** How much load makes one round; the CPU time of a process is counted in steps of 10 ms. */
export interface Amounts {
  readonly smallRequests: number;
  readonly largeRequests: number;
  readonly bytes: number;
  readonly handshakes: number;
  readonly latencyRequests: number;
}

/** CPU figures, by name: the microseconds of one unit, but milliseconds of a GiB. */
export const CPU_FIGURES = ['smallRequestUs', 'largeResponseUs', 'gibMs', 'handshakeUs', 'resumedHandshakeUs'] as const;
export type CpuFigure = typeof CPU_FIGURES[number];
/** Latency figures, by name: microseconds added to those without a proxy. */
export const LATENCY_FIGURES = ['addedLatencyP50Us', 'addedLatencyP99Us'] as const;
export type LatencyFigure = typeof LATENCY_FIGURES[number];

/** All values of all rounds of one contender. */
export interface ContenderValues {
  /** With CPU times of all sides together. */
  readonly sum: { readonly [figure in CpuFigure | LatencyFigure]: number[] };
  /** CPU times of each side that it has. */
  readonly sides: { readonly [side in Side]?: { readonly [figure in CpuFigure]: number[] } };
}
export type DataPathValues = { readonly [contender in ContenderName]?: ContenderValues };

/** Measures all contenders by turns; who begins changes with every round. */
export async function measureDataPath(
  contenders: Contender[], installation: Installation, rounds: number, amounts: Amounts,
): Promise<DataPathValues> {
  const values = Object.fromEntries(contenders.map(contender => [contender.name, {
    sum: noValues([...CPU_FIGURES, ...LATENCY_FIGURES]),
    sides: Object.fromEntries(sidesOf(contender).map(side => [side, noValues(CPU_FIGURES)])),
  }])) as { [name: string]: ContenderValues };
  for (let round = 0; round < rounds; round++) {
    const order = contenders.map((_, i) => contenders[(i + round) % contenders.length]);
    for (const figure of CPU_FIGURES) {
      installation.allowResumption(figure !== 'handshakeUs');
      for (const contender of order) {
        const used = await cpuOf(contender, figure, amounts);
        const { sum, sides } = values[contender.name];
        sidesOf(contender).forEach(side => sides[side]![figure].push(used[side]!));
        sum[figure].push(sidesOf(contender).reduce((total, side) => total + used[side]!, 0));
      }
    }
    const [without, ...through] = await latencies([installation.direct, ...order.map(({ target }) => target)], amounts.latencyRequests);
    order.forEach(({ name }, i) => {
      values[name].sum.addedLatencyP50Us.push(through[i].p50 - without.p50);
      values[name].sum.addedLatencyP99Us.push(through[i].p99 - without.p99);
    });
  }
  return values;
}

function noValues<F extends string>(figures: readonly F[]): { [figure in F]: number[] } {
  return Object.fromEntries(figures.map(figure => [figure, []])) as unknown as { [figure in F]: number[] };
}

function sidesOf({ processes }: Contender): Side[] {
  return SIDES.filter(side => processes[side]);
}

async function cpuOf(contender: Contender, figure: CpuFigure, amounts: Amounts): Promise<{ [side in Side]?: number }> {
  const load = await prepareLoad(contender.target, workloadOf(figure, amounts, OPENING.some(name => name === contender.name)));
  await sleep(SETTLE_MS);
  const before = usedBy(contender);
  const { count } = await load.run();
  await sleep(SETTLE_MS);
  const after = usedBy(contender);
  return Object.fromEntries(sidesOf(contender).map(side => {
    const usedMs = after[side]! - before[side]!;
    return [side, figure === 'gibMs' ? usedMs * GIB / amounts.bytes : 1000 * usedMs / count];
  }));
}

function usedBy(contender: Contender): { [side in Side]?: number } {
  return Object.fromEntries(sidesOf(contender).map(side => [side, usageOf(contender.processes[side]!.pid).cpuMs]));
}

function workloadOf(figure: CpuFigure, amounts: Amounts, opensTls: boolean): Workload {
  switch (figure) {
    case 'smallRequestUs': return { kind: 'requests', path: SMALL, count: amounts.smallRequests, connections: 8 };
    case 'largeResponseUs': return { kind: 'requests', path: LARGE, count: amounts.largeRequests, connections: 8 };
    // Few long responses: what the requests cost does not count.
    case 'gibMs': return { kind: 'requests', path: `/bytes/${2 ** 26}`, count: amounts.bytes / 2 ** 26, connections: 2 };
    case 'handshakeUs':
    case 'resumedHandshakeUs': return { kind: 'handshakes', path: SMALL, count: amounts.handshakes * (opensTls ? 1 : PASSED_HANDSHAKES), connections: 4 };
  }
}

interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** Many short turns, of which the medians count: what else the machine does for a moment hurts whoever is measured then. */
async function latencies(targets: Target[], requests: number): Promise<Latency[]> {
  const turns: Latency[][] = targets.map(() => []);
  for (let turn = 0; turn < LATENCY_TURNS; turn++) {
    for (const [i, target] of targets.entries()) {
      const load = await prepareLoad(target, { kind: 'requests', path: SMALL, count: requests / LATENCY_TURNS, connections: 1 });
      const { p50Us, p99Us } = await load.run();
      turns[i].push({ p50: p50Us!, p99: p99Us! });
    }
  }
  return turns.map(of => ({ p50: quantile(of.map(({ p50 }) => p50), 0.5), p99: quantile(of.map(({ p99 }) => p99), 0.5) }));
}
