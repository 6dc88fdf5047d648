import { invalidInput } from './invalid-input';
import { required } from './required';

/** Checks one value, and throws an error that names the field. */
export type Check<T> = (field: string, value: T) => unknown;

/** A check for each property of an interface: the compiler refuses a list that lacks one. */
export type Checks<Props> = { readonly [Name in keyof Required<Props>]: Check<Props[Name]> };

/**
 * Checks every property, whoever gives it: JavaScript has no compiler, and other languages know types, but not what the API server refuses.
 *
 * @param field what the object is a property of, e.g. `konnectivity`; '' when it is all that was given
 */
export function checkProps<Props extends object>(field: string, props: Props, checks: Checks<Props>): Props {
  for (const name of Object.keys(checks) as (keyof Props & string)[]) {
    checks[name](field === '' ? name : `${field}.${name}`, props[name]);
  }
  return props;
}

/** For a property that may be left out. `null` is a value that somebody gave. */
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (field, value) => {
    if (value === null) {
      throw invalidInput(field, value, 'is no value', 'Leave it out, or give one');
    }
    return value === undefined ? undefined : check(field, value);
  };
}

/** For an object with properties of its own. */
export function struct<Props extends object>(checks: Checks<Props>, remedy = `Give an object with ${namesOf(checks)}`): Check<Props> {
  return (field, value) => checkProps(field, required(field, value, remedy), checks);
}

/**
 * For a list.
 *
 * @param remedy what to write, e.g. `Give at least one, e.g. ["100.64.30.10"]`
 */
export function listOf<T>(check: Check<T>, remedy?: string): Check<T[]> {
  return (field, value) => {
    if (!Array.isArray(value)) {
      throw invalidInput(field, value, value === undefined ? 'is not given' : 'is not a list', remedy ?? (typeof value === 'string' ? `Write [${JSON.stringify(value)}]` : 'Give a list'));
    }
    // Not forEach, which leaves the holes of a list out.
    for (let i = 0; i < value.length; i++) {
      check(`${field}[${i}]`, value[i]);
    }
  };
}

/** For a list with at least one item. */
export function someOf<T>(check: Check<T>): Check<T[]> {
  return (field, value) => {
    listOf(check)(field, value);
    if (value.length === 0) {
      throw invalidInput(field, value, 'is empty', 'Give at least one');
    }
  };
}

/** For a map. */
export function mapOf<T>(check: Check<T>, checkKey: Check<string> = () => undefined): Check<{ [key: string]: T }> {
  return (field, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalidInput(field, value, value === undefined ? 'is not given' : 'is not a map', 'Give an object of keys and values');
    }
    for (const [key, item] of Object.entries(value)) {
      checkKey(`${field}: key`, key);
      check(`${field}["${key}"]`, item);
    }
  };
}

/** For one of a few values. */
export function oneOf<T extends string>(values: readonly T[] | { readonly [name: string]: T }): Check<T> {
  const known = Object.values(values) as T[];
  return (field, value) => {
    if (!known.includes(value)) {
      throw invalidInput(field, value, value === undefined ? 'is not set' : 'is not one that there is', `Choose among ${known.join(', ')}`);
    }
  };
}

/** For true or false. */
export function flag(field: string, value: boolean): void {
  if (typeof value !== 'boolean') {
    throw invalidInput(field, value, value === undefined ? 'is not set' : 'is neither true nor false', 'Give true or false');
  }
}

/**
 * For an instance of a class. It is known by its members: a program may have two copies of a class.
 *
 * @param remedy what to write, e.g. `Give one, e.g. ControlPlanePlatform.kamaji()`
 */
export function instance<T extends object>(remedy: string, ...members: (keyof T)[]): Check<T> {
  return (field, value) => {
    required(field, value, remedy);
    if (!members.every(member => member in value)) {
      throw invalidInput(field, value, 'is not of the right type', remedy);
    }
  };
}

/**
 * The same check, which says of an object that holds or makes what is asked for how to take it from there.
 *
 * @param remedies what to write, by a member of such objects
 */
export function orHolder<T>(check: Check<T>, remedies: { readonly [member: string]: string }): Check<T> {
  return (field, value) => {
    try {
      return check(field, value);
    } catch (error) {
      const member = typeof value === 'object' && value !== null ? Object.keys(remedies).find(name => name in value) : undefined;
      throw member === undefined ? error : invalidInput(field, value, 'is not of the right type', remedies[member]);
    }
  };
}

/** For a value that needs several checks. */
export function all<T>(...checks: Check<T>[]): Check<T> {
  return (field, value) => checks.forEach(check => check(field, value));
}

function namesOf(checks: object): string {
  return Object.keys(checks).map(name => `"${name}"`).join(', ');
}
