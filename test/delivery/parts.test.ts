import { Testing, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { addConfigMap, titles } from './harness';
import { inApplyOrder } from '../../src/delivery/apply-order';
import { yamlParts } from '../../src/delivery/parts';

/** As `kubectl apply` writes it into an annotation, with Go's JSON. */
function lastApplied(part: string): number {
  const json = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'n'.repeat(127), namespace: 'tenant-sync' }, data: { 'objects.yaml': part } });
  return Buffer.byteLength(json.replace(/[<>&]/g, '\\u003c'));
}

function configMaps(texts: string[]): any[] {
  return texts.map((text, i) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${i}`, namespace: 'default' }, data: { text } }));
}

describe('the parts of a bundle', () => {
  test('are one, and empty, for no objects', () => {
    expect(yamlParts('tenants/a', [])).toEqual(['']);
  });

  test('have every object in its order, and fit into what kubectl apply writes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '<', '&', '"', '\n', 'é', '😀', ' ', ':', '#'), maxLength: 40 }).map(unit => unit.repeat(900));
    fc.assert(fc.property(fc.array(text, { maxLength: 40 }), texts => {
      const objects = configMaps(texts);
      const parts = yamlParts('tenants/a', objects);
      expect(parts.flatMap(part => parseAllDocuments(part).map(document => document.toJS()))).toEqual(objects);
      expect(Math.max(...parts.map(lastApplied))).toBeLessThan(256 * 1024);
    }), { numRuns: 30 });
  });

  test.each(['0o17', '-0o7', ' \n', '\n \ntext\n', '\t\ntext', '\ntext\n', '\n  text', 'text\n \n', '\na\n \na\n'])('keep the text %j, as a value and as a key, for readers of YAML 1.1 and 1.2', text => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { [text]: 'value', value: text } };
    const [part] = yamlParts('tenants/a', [object, object]);
    for (const version of ['1.1', '1.2'] as const) {
      expect(parseAllDocuments(part, { version }).map(document => document.toJS())).toEqual([object, object]);
    }
  });

  test('keep a long text with lines of spaces', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { text: '\na\n '.repeat(900) } };
    expect(yamlParts('tenants/a', [object]).flatMap(part => parseAllDocuments(part).map(document => document.toJS()))).toEqual([object]);
  });

  test('are no more than it takes', () => {
    expect(yamlParts('tenants/a', configMaps(Array(20).fill('x'.repeat(20_000)))).length).toBe(2);
  });

  test('hold an object of nearly a ConfigMap\'s size alone', () => {
    const [small, large, last] = yamlParts('tenants/a', configMaps(['a', 'x'.repeat(900 * 1024 - 200), 'b']));
    expect([small.length < 200, large.length > 800 * 1024, last.length < 200]).toEqual([true, true, true]);
  });

  test('do not hold a larger one', () => {
    expect(() => yamlParts('tenants/a', configMaps(['x'.repeat(900 * 1024)]))).toThrow(
      'tenants/a: "ConfigMap default/c0" has 901 KiB; a ConfigMap of the management cluster can carry an object of 900 KiB. ' +
      'Divide it, or deliver the tenant with TenantDelivery.manifests(), flux() or argoCd().');
  });
});

describe('the order of objects', () => {
  const object = (apiVersion: string, kind: string, name = 'a') => ({ apiVersion, kind, metadata: { name } });

  test('has namespaces and definitions first, workloads late, and what calls workloads last', () => {
    const kinds = [
      object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'), object('apps/v1', 'Deployment'), object('v1', 'Service'),
      object('batch/v1', 'Job'), object('example.com/v1', 'Deployment'), object('apiextensions.k8s.io/v1', 'CustomResourceDefinition'), object('v1', 'Namespace'),
    ];
    expect(titles(inApplyOrder(kinds))).toEqual([
      'Namespace a', 'CustomResourceDefinition a', 'Service a', 'Deployment a', 'Deployment a', 'Job a', 'ValidatingWebhookConfiguration a',
    ]);
    expect(inApplyOrder(kinds)[3].apiVersion).toBe('example.com/v1');
  });

  test('is that of cdk8s otherwise, which has dependencies first', () => {
    const chart = new Chart(Testing.app(), 'c');
    const [a, b, c] = ['a', 'b', 'c'].map(name => addConfigMap(chart, name));
    a.addDependency(c);
    expect(b.name).toBe('b');
    expect(titles(inApplyOrder(chart.toJson()))).toEqual(titles(chart.toJson()));
    expect(chart.toJson().map(({ metadata }: any) => metadata.name).indexOf('c')).toBeLessThan(chart.toJson().map(({ metadata }: any) => metadata.name).indexOf('a'));
  });
});
