/** An object and where it stands. */
export interface Source {
  readonly file: string;
  /** Line of the file where its document starts, from 1. */
  readonly line: number;
  readonly apiVersion: string;
  readonly kind: string;
  /** `default` where the object names none. */
  readonly namespace: string;
  readonly name: string;
  readonly object: unknown;
}
