/** What can happen to something that a process waits for. */
export const FAULTS = ['fails', 'hangs', 'twice', 'garbled'] as const;
/** See `FAULTS`. */
export type Fault = typeof FAULTS[number];

/** Where a process waits for the outside. */
export const PLACES = ['kubernetes', 'socket', 'file', 'dns', 'program'] as const;
/** See `PLACES`. */
export type Place = typeof PLACES[number];

/** One thing that a process waits for. */
export interface Await {
  readonly process: string;
  readonly place: Place;
  /** What is asked for, without what differs from run to run. */
  readonly what: string;
}

/** Is told of everything that processes wait for, and says what becomes of it. */
export interface FaultPlan {
  fault(await_: Await): Fault | undefined;
}

export const NO_FAULTS: FaultPlan = { fault: () => undefined };
