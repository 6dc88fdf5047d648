import { IConstruct } from 'constructs';

/** What one wrong input is, apart from the construct that it was given to. */
export interface InvalidInputParts {
  /** The property as the user wrote it, e.g. `hostname`. */
  readonly field: string;
  /** What the user gave. */
  readonly value: unknown;
  /** Why it cannot work; continues the sentence that starts with the value. */
  readonly reason: string;
  /** What to write instead; a sentence of its own, without the full stop. */
  readonly remedy: string;
}

/**
 * The error for one wrong input. Tests and tools of users match its fields; programs in other languages get the message alone, since
 * jsii has no errors of its own.
 */
export class InvalidInputError extends Error implements InvalidInputParts {
  public readonly name = 'InvalidInputError';
  public readonly field: string;
  public readonly value: unknown;
  public readonly reason: string;
  public readonly remedy: string;
  /** Path of the construct that was given the input; undefined for an input that no construct was given yet. */
  public constructPath?: string;
  /** Hidden from Node.js, which prints the fields of an error that nobody catches. */
  readonly #sentence: string;

  public constructor(parts: InvalidInputParts, sentence = `${shown(parts.value)} ${parts.reason}. ${parts.remedy}.`) {
    super(`${parts.field}: ${sentence}`);
    this.#sentence = sentence;
    ({ field: this.field, value: this.value, reason: this.reason, remedy: this.remedy } = parts);
  }

  /** Says which construct was given the input. The first to say so is the nearest, and right. */
  public placeAt(path: string): void {
    if (this.constructPath === undefined) {
      this.constructPath = path;
      this.message = `${path}: ${this.field}: ${this.#sentence}`;
    }
  }
}

/**
 * Builds the error for one wrong input.
 *
 * Every message of this library has the same parts, so that a reader of
 * a failed `cdk8s synth` knows what to change without opening the docs.
 *
 * @param field  the property as the user wrote it, e.g. `hostname`
 * @param value  what the user gave
 * @param reason why it cannot work; continues the sentence that starts with the value
 * @param remedy what to write instead; a sentence of its own
 */
export function invalidInput(field: string, value: unknown, reason: string, remedy: string): InvalidInputError {
  return new InvalidInputError({ field, value, reason, remedy });
}

/**
 * The same error, with the path of the construct whose constructor it ends.
 *
 * Constructors of this library hand on what they catch through this, because what checks a value does not know whose it is.
 */
export function placed(construct: IConstruct, error: unknown): unknown {
  if (error instanceof InvalidInputError) {
    error.placeAt(construct.node.path);
  }
  return error;
}

/** JSON would show NaN and infinite numbers as `null`. */
function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
