import { ContenderName, OPENING, OpeningName, PASSING, PassingName, Side, SIDES } from './contender';
import { ControlPlaneFigures } from './control-plane';
import { ContenderValues, CPU_FIGURES, CpuFigure, DataPathValues, LATENCY_FIGURES, LatencyFigure } from './data-path';
import { KEY_TYPES } from './installation';
import { ConnectionMemory, PodMemory } from './memory';
import { Figure, figure, round } from './statistics';
import { Verdict } from './targets';
import { KeyType } from '../../test/support/certificates';

export type PerKeyType<T> = { readonly [keyType in KeyType]: T };
export type PerContender<T> = { readonly [name in ContenderName]?: T };
export interface DataPathFigures extends Readonly<Record<CpuFigure | LatencyFigure, Figure>> {
  /** CPU times of each side, where there is more than one. */
  readonly sides?: { readonly [side in Side]?: { readonly [figure in CpuFigure]: Figure } };
}

/** Our figures divided by those of another contender. CPU: of each round, so that what disturbs a whole round cancels out. */
export type Ratios = { readonly [name in CpuFigure]: Figure } & { readonly connectionKib: number };

/** A way that leaves TLS closed, both its sides together, against those that open it on the node, without the edge behind them. */
export interface Way {
  /** CPU time of a new connection: of each round, and its median. */
  readonly handshakeToGoRelay: Figure;
  readonly handshakeToTcpProxy: Figure;
  /** Memory of an idle connection. */
  readonly connectionToTcpProxy: number;
}
export type Ways = { readonly [name in PassingName]: Way };

/** What bench/results/proxy.json holds. */
export interface Report {
  readonly machine: object;
  readonly settings: object;
  readonly dataPath: PerKeyType<PerContender<DataPathFigures>>;
  readonly memory: PerKeyType<PerContender<PodMemory>>;
  readonly controlPlane: ControlPlaneFigures;
  readonly ways: Ways;
  readonly ratios: PerKeyType<{ readonly toHaproxy: Ratios; readonly toGoRelay: Ratios; readonly toPrevious?: Ratios }>;
  readonly targets: Verdict[];
}

/** Makes an object with an entry for each key type. */
export async function perKeyType<T>(make: (keyType: KeyType) => T | Promise<T>): Promise<PerKeyType<T>> {
  const entries: [KeyType, T][] = [];
  for (const keyType of KEY_TYPES) {
    entries.push([keyType, await make(keyType)]);
  }
  return Object.fromEntries(entries) as PerKeyType<T>;
}

/** Makes an object with an entry for each of the contenders. */
export async function perContender<T>(names: readonly ContenderName[], make: (name: ContenderName) => T | Promise<T>): Promise<PerContender<T>> {
  const entries: [ContenderName, T][] = [];
  for (const name of names) {
    entries.push([name, await make(name)]);
  }
  return Object.fromEntries(entries) as PerContender<T>;
}

/** Sums up the rounds of each figure. */
export function dataPathFigures(values: DataPathValues): Promise<PerContender<DataPathFigures>> {
  return perContender(Object.keys(values) as ContenderName[], name => {
    const { sum, sides } = values[name]!;
    return { ...figures([...CPU_FIGURES, ...LATENCY_FIGURES], sum), ...Object.keys(sides).length > 1 && { sides: sideFigures(sides) } };
  });
}

function figures<F extends string>(keys: readonly F[], values: { readonly [key in F]: number[] }): { [key in F]: Figure } {
  return Object.fromEntries(keys.map(key => [key, figure(values[key])])) as { [key in F]: Figure };
}

function sideFigures(sides: ContenderValues['sides']): DataPathFigures['sides'] {
  return Object.fromEntries(SIDES.filter(side => sides[side]).map(side => [side, figures(CPU_FIGURES, sides[side]!)]));
}

/** What each way that leaves TLS closed costs relative to the two that open it. */
export function waysTo(values: DataPathValues, memory: PerContender<ConnectionMemory>): Ways {
  const handshakes = (name: ContenderName) => values[name]!.sum.handshakeUs;
  const ratio = (name: PassingName, other: OpeningName) => figure(handshakes(name).map((value, i) => value / handshakes(other)[i]));
  return Object.fromEntries(PASSING.map((name): [PassingName, Way] => [name, {
    handshakeToGoRelay: ratio(name, 'go-relay'),
    handshakeToTcpProxy: ratio(name, 'tcp-proxy'),
    connectionToTcpProxy: round(memory[name]!.connectionKib / memory['tcp-proxy']!.connectionKib),
  }])) as Ways;
}

/** Our figures relative to those of another contender. */
export function ratiosTo(other: OpeningName, values: DataPathValues, memory: PerContender<PodMemory>): Ratios {
  const cpu = CPU_FIGURES.map(key =>
    [key, figure(values['tcp-proxy']!.sum[key].map((value, i) => value / values[other]!.sum[key][i]))] as const);
  return {
    ...Object.fromEntries(cpu) as { [name in CpuFigure]: Figure },
    connectionKib: round(memory['tcp-proxy']!.connectionKib / memory[other]!.connectionKib),
  };
}

/** Prints the medians of the data path: what takes longest to measure, before anything else may fail. */
export function printDataPath(measured: PerContender<DataPathFigures>): void {
  const names = Object.keys(measured) as ContenderName[];
  console.table(Object.fromEntries([...CPU_FIGURES, ...LATENCY_FIGURES].map(key =>
    [key, Object.fromEntries(names.map(name => [name, measured[name]![key].median]))])));
}

/** Prints what a reader wants to know first. */
export function printReport({ dataPath, memory, controlPlane, ways, ratios, targets }: Report): void {
  for (const keyType of KEY_TYPES) {
    console.log(`\n${keyType}: median of the rounds (least to greatest), and ours relative to the others`);
    console.table(Object.fromEntries([...CPU_FIGURES, ...LATENCY_FIGURES].map(key => [key, {
      ...Object.fromEntries(OPENING.map(name => [name, show(dataPath[keyType][name]![key])])),
      ...key in ratios[keyType].toHaproxy && {
        '/ haproxy': show(ratios[keyType].toHaproxy[key as CpuFigure]),
        '/ go-relay': show(ratios[keyType].toGoRelay[key as CpuFigure]),
        ...ratios[keyType].toPrevious && { '/ previous': show(ratios[keyType].toPrevious[key as CpuFigure]) },
      },
    }])));
    console.table(memory[keyType]);
  }
  console.log('\nWays that leave TLS closed, all sides together: median of the rounds (least to greatest)');
  console.table(Object.fromEntries([...CPU_FIGURES, ...LATENCY_FIGURES].map(key =>
    [key, Object.fromEntries(PASSING.map(name => [name, show(dataPath.ecdsa[name]![key])]))])));
  console.table(Object.fromEntries(PASSING.map(name => [name, {
    ...Object.fromEntries(SIDES.map(side => [`handshakeUs, ${side}`, show(dataPath.ecdsa[name]!.sides?.[side]?.handshakeUs)])),
    'handshakeUs / go-relay': show(ways[name].handshakeToGoRelay),
    'handshakeUs / tcp-proxy': show(ways[name].handshakeToTcpProxy),
    'connectionKib / tcp-proxy': ways[name].connectionToTcpProxy,
  }])));
  console.table(controlPlane);
  console.table(targets);
}

function show(shown?: Figure): string {
  if (!shown) {
    return '';
  }
  const { median, min, max } = shown;
  return `${digits(median)} (${digits(min)}–${digits(max)})`;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
