/** How bad a finding is. */
export enum FindingSeverity {
  /** Something does not work. */
  ERROR = 'error',
  /** It may not work, or it is a trap. */
  WARNING = 'warning',
}

/** The object that a finding is about. */
export interface FindingObject {
  /** Kind, e.g. `Ingress`. */
  readonly kind: string;
  /** Namespace; `default` where the object names none. */
  readonly namespace: string;
  /** Name. */
  readonly name: string;
}

/** A disagreement among manifests, as the doctor finds it. */
export interface Finding {
  /** Code of its rule, e.g. `HCP203`; the table in docs/doctor.md has them. It stays the same for ever. */
  readonly code: string;
  /** How bad it is. */
  readonly severity: FindingSeverity;
  /**
   * The object that it is about.
   * @default - it is about no single object
   */
  readonly object?: FindingObject;
  /**
   * Path in the object, e.g. `spec.rules[0].host`.
   * @default - the object as a whole
   */
  readonly field?: string;
  /** What disagrees with what; continues the sentence that starts with the field. */
  readonly message: string;
  /** What to do. */
  readonly remedy: string;
}
