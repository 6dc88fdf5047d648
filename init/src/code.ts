/*
 * An app as data, which a writer for each language puts into its words. Names are those of the library in TypeScript.
 */

/** Where a class is from. */
export type Module = 'cdk8s' | 'library';

export type Expression =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'flag'; readonly value: boolean }
  | { readonly kind: 'texts'; readonly values: readonly string[] }
  | { readonly kind: 'map'; readonly entries: { readonly [key: string]: string } }
  | { readonly kind: 'structs'; readonly type: string; readonly items: readonly Struct[] }
  | { readonly kind: 'variable'; readonly name: string }
  /** An optional parameter that was left out. */
  | { readonly kind: 'absent' }
  | Struct | Factory | Call;

/** Properties. */
export interface Struct {
  readonly kind: 'struct';
  readonly type: string;
  readonly fields: { readonly [name: string]: Expression };
}

/** A static method of a class of the library. */
export interface Factory {
  readonly kind: 'factory';
  readonly class: string;
  readonly method: string;
  readonly args: readonly Expression[];
}

/** A method of a variable. */
export interface Call {
  readonly kind: 'call';
  readonly on: string;
  readonly method: string;
  readonly args: readonly Expression[];
}

/** A construct that is made. */
export interface Construction {
  readonly module: Module;
  readonly class: string;
  readonly scope: Expression;
  readonly id: string;
  /** @default - none */
  readonly props?: Struct;
  /** Name for what follows. @default - nothing follows that needs it */
  readonly variable?: string;
  /** What one should know of it, a sentence a line. @default - nothing */
  readonly comment?: readonly string[];
}

export const text = (value: string): Expression => ({ kind: 'text', value });
export const number = (value: number): Expression => ({ kind: 'number', value });
export const flag = (value: boolean): Expression => ({ kind: 'flag', value });
export const texts = (...values: string[]): Expression => ({ kind: 'texts', values });
export const map = (entries: { [key: string]: string }): Expression => ({ kind: 'map', entries });
export const structs = (type: string, items: Struct[]): Expression => ({ kind: 'structs', type, items });
export const variable = (name: string): Expression => ({ kind: 'variable', name });
export const absent: Expression = { kind: 'absent' };
export const struct = (type: string, fields: Struct['fields'] = {}): Struct => ({ kind: 'struct', type, fields });
export const factory = (type: string, method: string, ...args: Expression[]): Factory => ({ kind: 'factory', class: type, method, args });
export const call = (on: string, method: string, ...args: Expression[]): Call => ({ kind: 'call', on, method, args });

/** What an expression is made of, with itself. */
export function parts(expression: Expression): Expression[] {
  const within = expression.kind === 'struct' ? Object.values(expression.fields)
    : expression.kind === 'structs' ? expression.items
      : expression.kind === 'factory' || expression.kind === 'call' ? expression.args
        : [];
  return [expression, ...within.flatMap(parts)];
}

/** The expressions of a construction, in the order in which they are written. */
export function expressionsOf({ scope, props }: Construction): Expression[] {
  return [scope, ...props ? Object.values(props.fields) : []].flatMap(parts);
}
