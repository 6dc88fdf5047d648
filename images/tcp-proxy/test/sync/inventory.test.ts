import * as fc from 'fast-check';
import { configMap, deployment } from './harness';
import { applySteps, isCustomResourceDefinition, isNamespace, isWorkload, pruneSteps } from '../../src/sync/apply-order';
import { deserialized, difference, InventoryEntry, inventoryOf, isSame, serialized, union } from '../../src/sync/inventory';
import { idOf } from '../../src/sync/reference';

const KINDS = [
  ['v1', 'Namespace'], ['v1', 'ConfigMap'], ['v1', 'Secret'], ['apps/v1', 'Deployment'], ['apps/v1', 'DaemonSet'], ['batch/v1', 'Job'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'], ['example.com/v1', 'Widget'], ['example.com/v1beta1', 'Widget'],
] as const;

const entry: fc.Arbitrary<InventoryEntry> = fc.record({
  kind: fc.constantFrom(...KINDS),
  namespace: fc.constantFrom(undefined, 'default', 'apps'),
  name: fc.constantFrom('a', 'b', 'c'),
}).map(({ kind: [apiVersion, kind], namespace, name }) => ({ apiVersion, kind, ...namespace === undefined ? {} : { namespace }, name }));

const entries = fc.array(entry, { maxLength: 12 });
const ids = (of: readonly InventoryEntry[]) => new Set(of.map(idOf));

describe('an inventory', () => {
  test('before the first object is applied holds all that is there and all that comes', () => {
    fc.assert(fc.property(entries, entries, (present, desired) => {
      expect(ids(union(present, desired))).toEqual(new Set([...ids(present), ...ids(desired)]));
    }));
  });

  test('gives up what is not wanted any more, and only that', () => {
    fc.assert(fc.property(entries, entries, (present, desired) => {
      const leaving = ids(difference(present, desired));
      for (const id of ids(present)) expect(leaving.has(id)).toBe(!ids(desired).has(id));
      for (const id of ids(desired)) expect(leaving.has(id)).toBe(false);
    }));
  });

  test('ends as what is wanted, wherever the work was broken off: applied in part, pruned in part', () => {
    fc.assert(fc.property(entries, entries, entries, fc.nat(), (first, second, third, broken) => {
      // The second bundle was applied over the first and its pruning broken off; then comes the third.
      const recorded = union(first, second);
      const leaving = difference(recorded, second);
      const remaining = union(leaving.slice(broken % (leaving.length + 1)), second);
      const next = union(remaining, third);
      const pruned = ids(difference(next, third));
      const stillThere = ids(remaining);
      for (const id of stillThere) expect(pruned.has(id) || ids(third).has(id)).toBe(true);
    }));
  });

  test('is the same after it was stored and read', () => {
    fc.assert(fc.property(entries, (some) => {
      expect(deserialized(serialized(some))).toEqual(some);
    }));
  });

  test('has room for what the library lets through', () => {
    const some = Array.from({ length: 3_000 }, (_, i) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'kube-system', name: `deployment-${i}`, pods: `app=deployment-${i}` }));
    expect(deserialized(serialized(some))).toEqual(some);
  });

  test('equals another one in whatever order, and differs by a version', () => {
    fc.assert(fc.property(entries, (some) => {
      expect(isSame(some, [...some].reverse())).toBe(true);
    }));
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'a' };
    expect(isSame([widget], [{ ...widget, apiVersion: 'example.com/v2' }])).toBe(false);
    expect(difference([widget], [{ ...widget, apiVersion: 'example.com/v2' }])).toEqual([]);
  });

  test('remembers how to find the pods of a workload', () => {
    const selecting = { ...deployment('x'), spec: { selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d', 'e'] }] } } };
    expect(inventoryOf([configMap('one'), selecting].map((object) => ({ apiVersion: '', kind: '', ...object }))).map(({ pods }) => pods))
      .toEqual([undefined, 'a=b,c in (d,e)']);
  });

  test.each([undefined, {}, { 'inventory.json': '[' }, { 'inventory.json': '{"version":2,"objects":[]}' }])('that says %j is an error with a remedy', (data) => {
    expect(() => deserialized(data as Record<string, string>)).toThrow(/delete it/);
  });
});

describe('the order', () => {
  test('of applying has everything once, namespaces and definitions first, and the rest as in the bundle', () => {
    fc.assert(fc.property(entries, (some) => {
      const { namespaces, definitions, others } = applySteps(some);
      expect(namespaces.every(isNamespace)).toBe(true);
      expect(definitions.every(isCustomResourceDefinition)).toBe(true);
      expect(others).toEqual(some.filter((one) => !namespaces.includes(one) && !definitions.includes(one)));
      expect(namespaces.length + definitions.length + others.length).toBe(some.length);
    }));
  });

  test('of removing has everything once: workloads, the rest, definitions, namespaces', () => {
    fc.assert(fc.property(entries, (some) => {
      const order = pruneSteps(some).flat();
      expect([...order].sort(byId)).toEqual([...some].sort(byId));
      const ranks = order.map((one) => isWorkload(one) ? 0 : isNamespace(one) ? 3 : isCustomResourceDefinition(one) ? 2 : 1);
      expect(ranks).toEqual([...ranks].sort());
      expect(pruneSteps(some).every((step) => step.length > 0)).toBe(true);
    }));
  });
});

function byId(a: InventoryEntry, b: InventoryEntry): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
