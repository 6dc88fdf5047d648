/** What JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { readonly [key: string]: Json };

/** A value of a program that is written: it is printed as TypeScript, and evaluated here, from one description. */
export type Expression = null | boolean | number | string | Call | Member | Expression[] | Fields;

/** Properties of an object literal. */
export interface Fields { readonly [name: string]: Expression }

/** A call of something that the library exports, e.g. `IngressController.traefik()`. */
export class Call {
  public constructor(
    /** As the program writes it; the first word is imported. */
    public readonly callee: string,
    public readonly args: Expression[] = [],
  ) {}
}

/** A member of an enum, e.g. `OperatorRoutes.GATEWAY`. */
export class Member {
  public constructor(public readonly name: string) {}
}

export function isFields(value: Expression): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Call) && !(value instanceof Member);
}

/** Without properties that have no value; undefined where none is left. */
export function fieldsOf(fields: { readonly [name: string]: Expression | undefined }): Fields | undefined {
  const given = Object.entries(fields).filter((entry): entry is [string, Expression] => entry[1] !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
