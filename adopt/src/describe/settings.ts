import { Call, Expression, Fields, fieldsOf, Json, Member } from '../code/expression';
import { defaultAt } from '../defaults/defaults';
import { at, isRecord, own, same } from '../json';

/** Reads the settings of an object that somebody has chosen: what stands there by itself is left out. */
export class Settings {
  public constructor(private readonly object: Json, private readonly versionAndKind: string) {}

  /** As it stands there; undefined where nothing does, or the default. */
  public value(path: string): Json | undefined {
    const value = at(this.object, path);
    return value === undefined || value === null || this.isDefault(path, value) ? undefined : value;
  }

  public isDefault(path: string, value: Json): boolean {
    return same(value, defaultAt(this.versionAndKind, path));
  }

  public text(path: string): string | undefined {
    const value = this.value(path);
    return typeof value === 'string' ? value : undefined;
  }

  public texts(path: string): string[] | undefined {
    const value = this.value(path);
    return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string') ? value : undefined;
  }

  /** Some fields of an object, under the names that they have in the library; undefined where none is set. */
  public fields(path: string, names: { readonly [field: string]: string }): Fields | undefined {
    return fieldsOf(Object.fromEntries(Object.entries(names).map(([field, name]) => [name, this.value(`${path}.${field}`) as Expression | undefined])));
  }

  /** The same for an object whose presence means something. */
  public addon(path: string, names: { readonly [field: string]: string }): Fields | undefined {
    return at(this.object, path) === undefined ? undefined : this.fields(path, names) ?? {};
  }

  /** The member of an enum that has the value; undefined where none has. */
  public member(path: string, enumeration: string, members: { readonly [value: string]: string }): Member | undefined {
    return memberOf(this.value(path), enumeration, members);
  }

  /** Requests and limits. */
  public resources(path: string): Fields | undefined {
    const amounts = (name: string) => {
      const value = this.value(`${path}.${name}`);
      const entries = isRecord(value) ? Object.entries(value) : [];
      return fieldsOf(Object.fromEntries(entries.map(([resource, amount]) => [resource, new Call('k8s.Quantity.fromString', [String(amount)])])));
    };
    return fieldsOf({ limits: amounts('limits'), requests: amounts('requests') });
  }

  /** A list of objects with some of their fields under other names; undefined where there is none, or one holds more. */
  public list(path: string, names: { readonly [field: string]: string }): Fields[] | undefined {
    const value = this.value(path);
    const isKnown = (item: Json) => isRecord(item) && Object.keys(item).every(key => Object.hasOwn(names, key));
    if (!Array.isArray(value) || value.length === 0 || !value.every(isKnown)) return undefined;
    const renamed = (item: Json) => Object.entries(names).map(([field, name]) => [name, own(item, field) as Expression | undefined]);
    return value.map(item => fieldsOf(Object.fromEntries(renamed(item))) ?? {});
  }
}

export function memberOf(value: Json | undefined, enumeration: string, members: { readonly [value: string]: string }): Member | undefined {
  return typeof value === 'string' && Object.hasOwn(members, value) ? new Member(`${enumeration}.${members[value]}`) : undefined;
}
