import { ContenderName, NAMES } from './contender';
import { ControlPlaneFigures } from './control-plane';
import { CPU_FIGURES, CpuFigure, DataPathValues, LATENCY_FIGURES, LatencyFigure } from './data-path';
import { KEY_TYPES } from './installation';
import { PodMemory } from './memory';
import { Figure, figure, round } from './statistics';
import { Verdict } from './targets';
import { KeyType } from '../../test/support/certificates';

export type PerKeyType<T> = { readonly [keyType in KeyType]: T };
export type PerContender<T> = { readonly [name in ContenderName]: T };
export type DataPathFigures = { readonly [name in CpuFigure | LatencyFigure]: Figure };

/** Our figures divided by those of another contender. CPU: of each round, so that what disturbs a whole round cancels out. */
export type Ratios = { readonly [name in CpuFigure]: Figure } & { readonly connectionKib: number };

/** What bench/results/proxy.json holds. */
export interface Report {
  readonly machine: object;
  readonly settings: object;
  readonly dataPath: PerKeyType<PerContender<DataPathFigures>>;
  readonly memory: PerKeyType<PerContender<PodMemory>>;
  readonly controlPlane: ControlPlaneFigures;
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

/** Makes an object with an entry for each contender. */
export async function perContender<T>(make: (name: ContenderName) => T | Promise<T>): Promise<PerContender<T>> {
  const entries: [ContenderName, T][] = [];
  for (const name of NAMES) {
    entries.push([name, await make(name)]);
  }
  return Object.fromEntries(entries) as PerContender<T>;
}

/** Sums up the rounds of each figure. */
export function dataPathFigures(values: DataPathValues): Promise<PerContender<DataPathFigures>> {
  return perContender(name => Object.fromEntries(
    [...CPU_FIGURES, ...LATENCY_FIGURES].map(key => [key, figure(values[name][key])])) as DataPathFigures);
}

/** Our figures relative to those of another contender. */
export function ratiosTo(other: ContenderName, values: DataPathValues, memory: PerContender<PodMemory>): Ratios {
  const cpu = CPU_FIGURES.map(key =>
    [key, figure(values['tcp-proxy'][key].map((value, i) => value / values[other][key][i]))] as const);
  return {
    ...Object.fromEntries(cpu) as { [name in CpuFigure]: Figure },
    connectionKib: round(memory['tcp-proxy'].connectionKib / memory[other].connectionKib),
  };
}

/** Prints what a reader wants to know first. */
export function printReport({ dataPath, memory, controlPlane, ratios, targets }: Report): void {
  for (const keyType of KEY_TYPES) {
    console.log(`\n${keyType}: median of the rounds (least to greatest), and ours relative to the others`);
    console.table(Object.fromEntries([...CPU_FIGURES, ...LATENCY_FIGURES].map(key => [key, {
      ...Object.fromEntries(NAMES.map(name => [name, show(dataPath[keyType][name][key])])),
      ...key in ratios[keyType].toHaproxy && {
        '/ haproxy': show(ratios[keyType].toHaproxy[key as CpuFigure]),
        '/ go-relay': show(ratios[keyType].toGoRelay[key as CpuFigure]),
        ...ratios[keyType].toPrevious && { '/ previous': show(ratios[keyType].toPrevious[key as CpuFigure]) },
      },
    }])));
    console.table(memory[keyType]);
  }
  console.table(controlPlane);
  console.table(targets);
}

function show({ median, min, max }: Figure): string {
  return `${digits(median)} (${digits(min)}–${digits(max)})`;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
