/** Something that must exist before a control plane works, and that this library does not make. */
export interface RequiredObject {
  /** Its kind, e.g. `Secret`; `Operator` for a program that must run. */
  readonly kind: string;
  /**
   * Its API version.
   * @default - `v1`; an operator has none
   */
  readonly apiVersion?: string;
  /**
   * Its namespace.
   * @default - none
   */
  readonly namespace?: string;
  /** Its name; of an operator what people call it. */
  readonly name: string;
  /**
   * Labels that it must have.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
  /** What it is for, e.g. `has the token of the provider`. */
  readonly reason: string;
}
