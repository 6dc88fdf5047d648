/** What can happen to something that a process waits for. */
export const FAULTS = ['fails', 'hangs', 'twice', 'garbled'] as const;
/** See `FAULTS`. */
export type Fault = typeof FAULTS[number];

/** Where a process waits for the outside. */
export type Place = 'kubernetes' | 'socket' | 'file' | 'dns' | 'program';

/** One thing that a process waits for. */
export interface Await {
  readonly process: string;
  readonly place: Place;
  /** What is asked for, without what differs from run to run. */
  readonly what: string;
  /** What can happen to it. */
  readonly can: readonly Fault[];
}

/** Is told of everything that processes wait for, and says what becomes of it. */
export interface FaultPlan {
  fault(await_: Await): Fault | undefined;
}

export const NO_FAULTS: FaultPlan = { fault: () => undefined };

/** What a run waits for, by what is alike. */
export class Recording implements FaultPlan {
  /** How often, by the name of what is alike. */
  public readonly places = new Map<string, { readonly place: Place; readonly can: readonly Fault[]; times: number }>();

  public fault(await_: Await): undefined {
    const name = nameOf(await_);
    const known = this.places.get(name);
    if (known) known.times++;
    else this.places.set(name, { place: await_.place, can: await_.can, times: 1 });
  }

  /** Takes in another run. */
  public add({ places }: Recording): void {
    for (const [name, place] of places) this.places.set(name, { ...place, times: place.times + (this.places.get(name)?.times ?? 0) });
  }
}

/** One fault in a run: of what has this name, the one with this number, from 1 on. */
export class OneFault implements FaultPlan {
  /** Whether it has happened. */
  public happened = false;
  private times = 0;

  constructor(private readonly name: string, private readonly number: number, private readonly kind: Fault) {}

  public fault(await_: Await): Fault | undefined {
    if (nameOf(await_) !== this.name || ++this.times !== this.number) return undefined;
    this.happened = true;
    return this.kind;
  }
}

/** All pods of a command do the same, and there are hundreds of routes. */
function nameOf({ process, place, what }: Await): string {
  const command = process.replace(/^tcp-proxy-.*/, 'serve').replace(/-.*/, '');
  return `${command}: ${place}: ${what.replace(/other-\d+/, 'other').replace(/(tcp-proxy-node|sync|gateway)-[\d-]+/, '$1').replace(/\/proc\/\d+/, '/proc')}`;
}
