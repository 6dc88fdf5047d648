import { Call, Expression, isFields, Member } from './expression';

/** What names of a program stand for. */
export type Names = (name: string) => unknown;

/**
 * The value that an expression has when the program runs.
 *
 * @throws what a call throws: the library, of a value that cannot work
 */
export function evaluate(value: Expression, names: Names): unknown {
  if (value instanceof Call) {
    const [owner, method] = [value.callee.split('.').slice(0, -1).join('.'), value.callee.split('.').at(-1)!];
    const holder = owner === '' ? undefined : member(owner, names);
    const callee = holder === undefined ? names(method) : (holder as Record<string, unknown>)[method];
    return (callee as (...args: unknown[]) => unknown).apply(holder, value.args.map(arg => evaluate(arg, names)));
  }
  if (value instanceof Member) return member(value.name, names);
  if (Array.isArray(value)) return value.map(each => evaluate(each, names));
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, evaluate(each, names)])) : value;
}

function member(path: string, names: Names): unknown {
  const [first, ...rest] = path.split('.');
  return rest.reduce((value, name) => (value as Record<string, unknown>)[name], names(first));
}
