import type { k8s } from 'cdk8s-plus-30';
import { isPlain } from './deep-copy';

/**
 * The properties of a generated class as the API has them: texts and numbers where it has a class for either.
 *
 * Objects are written in this form, as the generated classes are twelve thousand lines to load and copy what they are given.
 */
export type Plain<T> =
  T extends k8s.Quantity | k8s.IntOrString ? string | number :
    T extends (infer Item)[] ? Plain<Item>[] :
      T extends object ? { readonly [Name in keyof T]: Plain<T[Name]> } :
        T;

/** A copy of a user's value in this form, which later changes of theirs do not reach. */
export function plain<T>(value: T): Plain<T> {
  if (Array.isArray(value)) {
    return value.map(plain) as Plain<T>;
  }
  if (typeof value !== 'object' || value === null) {
    return value as Plain<T>;
  }
  return (isAmount(value) ? value.value : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))) as Plain<T>;
}

/** Whether it is a Quantity or an IntOrString, of any version of cdk8s-plus and under whatever name a bundler gave it. */
function isAmount(value: object): value is k8s.Quantity {
  return !isPlain(value) && 'value' in value;
}
