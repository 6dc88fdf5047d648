/** The keys under which an item is found. Give a function that is declared once: its index is kept for it. */
export type KeysOf<Item> = (item: Item) => string[];

const indexes = new WeakMap<object, Map<unknown, Map<string, unknown[]>>>();

/** The items of a list that have the key. The list is indexed at the first call and must not change any more. */
export function lookUp<Item>(list: readonly Item[], keysOf: KeysOf<Item>, key: string): Item[] {
  const ofList = indexes.get(list) ?? new Map<unknown, Map<string, unknown[]>>();
  indexes.set(list, ofList);
  let index = ofList.get(keysOf);
  if (index === undefined) {
    index = new Map();
    ofList.set(keysOf, index);
    for (const item of list) {
      for (const each of new Set(keysOf(item))) {
        const items = index.get(each);
        if (items) items.push(item);
        else index.set(each, [item]);
      }
    }
  }
  return (index.get(key) ?? []) as Item[];
}
