import { IConstruct } from 'constructs';
import { oneLine } from './one-line';

/** What one wrong input is, apart from who was given it. */
export interface InvalidInputParts {
  /** The property as the user wrote it, e.g. `hostname`. */
  readonly field: string;
  /** What the user gave; undefined where nothing was given. */
  readonly value: unknown;
  /** Why it cannot work; continues the sentence that starts with the value, or with the field where there is none. */
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
  /** The factory that was given the input, e.g. `IngressController.gatewayApi`, where no construct was. */
  public factory?: string;
  /** Hidden from Node.js, which prints the fields of an error that nobody catches. */
  readonly #sentence: string;

  public constructor(parts: InvalidInputParts, sentence = `${shown(parts.value)}${parts.reason}. ${parts.remedy}.`) {
    super(oneLine(`${parts.field}: ${sentence}`));
    this.#sentence = sentence;
    ({ field: this.field, value: this.value, reason: this.reason, remedy: this.remedy } = parts);
  }

  /** Says which construct was given the input. The first to say so is the nearest, and right. */
  public placeAt(path: string): void {
    if (this.constructPath === undefined) {
      this.constructPath = path;
      this.factory = undefined;
      this.message = oneLine(`${path}: ${this.field}: ${this.#sentence}`);
    }
  }

  /** Says which factory was given the input. The last to say so is the one that the user called. */
  public madeBy(factory: string): void {
    if (this.constructPath === undefined) {
      this.factory = factory;
      this.message = oneLine(`${factory}: ${this.field}: ${this.#sentence}`);
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
 * @param value  what the user gave; undefined for nothing
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
  const told = isNoChart(error) ? invalidInput('scope', undefined, 'is in no chart, and a chart is what is applied to a cluster', NO_CHART_REMEDY) : error;
  if (told instanceof InvalidInputError) {
    told.placeAt(construct.node.path);
  }
  return told;
}

const NO_CHART_REMEDY = 'Give a chart, or a construct in one, e.g. new Chart(app, "management")';

/** The error of cdk8s, which says neither of which construct nor what to do. */
function isNoChart(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('cannot find a parent chart');
}

/** Does what a method of a construct does, and says in errors which construct it was. */
export function placing<T>(construct: IConstruct, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw placed(construct, error);
  }
}

/** Longer values are cut: a message is for a reader. */
const MOST_SHOWN = 500;

/** The value, with a space after it; nothing for what was not given. JSON would show NaN and infinite numbers as `null`. */
function shown(value: unknown): string {
  if (value === undefined) {
    return '';
  }
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : json(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}… ` : `${text} `;
}

/** Functions have no JSON. What is in an object of a class is nobody's input, and constructs hold themselves. */
function json(value: unknown): string {
  const type = classOf(value);
  if (type !== undefined) {
    return `the ${type}`;
  }
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'the object';
  }
}

/** The class of an object that has one; what says its own JSON, as dates do, is left to that. */
function classOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) {
    return undefined;
  }
  const { name } = Object.getPrototypeOf(value)?.constructor ?? Object;
  return name === 'Object' || name === '' ? undefined : name;
}
