/** One condition of readiness. */
export interface PartStatus {
  readonly ok: boolean;
  /** What is right or wrong, for people. */
  readonly detail: string;
}

/** The conditions of readiness by name. */
export type Readiness = Readonly<Record<string, PartStatus>>;

export function isReady(readiness: Readiness): boolean {
  return Object.values(readiness).every(part => part.ok);
}
