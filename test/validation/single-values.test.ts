import { k8s } from 'cdk8s-plus-30';
import { validateAnnotations } from '../../src/validation/annotations';
import { validateSchedule } from '../../src/validation/cron';
import { validateImageReference, validateImageRepository, validateImageTag, validateRegistry } from '../../src/validation/image-reference';
import { validateJson } from '../../src/validation/json-value';
import { validateObjectName } from '../../src/validation/object-name';
import { validateAbsolutePath } from '../../src/validation/path';
import { validatePortName } from '../../src/validation/port-name';
import { Check } from '../../src/validation/props';
import { validateQuantity, validateResources } from '../../src/validation/quantity';
import { validateAffinity, validateToleration } from '../../src/validation/scheduling';
import { validateHttpUrl } from '../../src/validation/url';

const DIGEST = `sha256:${'0'.repeat(64)}`;

/** What each check takes, and what not. */
const CHECKS: { [name: string]: [check: Check<any>, taken: unknown[], refused: unknown[]] } = {
  'image': [
    validateImageReference,
    ['nginx', 'nginx:1.2', 'registry.example.com:5000/team/proxy:v1_2.3-4', `ghcr.io/a/b@${DIGEST}`, `ghcr.io/a/b:1@${DIGEST}`, 'a__b/c--d', 'LOCALHOST/a', '[::1]:5000/a'],
    ['', ' nginx', 'nginx ', 'Nginx', 'a//b', 'a:', 'a:b:c', '-a', 'a/-b', 'a@sha256:0', 'a:.b', 'https://ghcr.io/a', 'a\n', 'x'.repeat(600), 1, null],
  ],
  'image without a tag': [validateImageRepository, ['registry.example.com:5000/a', 'a/b'], ['a:1', `a@${DIGEST}`, '']],
  'tag': [validateImageTag, ['v1.34.3', '_a', 'a'.repeat(128)], ['', '-a', '.a', 'a'.repeat(129), 'a b', 'a+b']],
  'registry': [validateRegistry, ['registry.example.com', 'registry.example.com:5000/mirror', 'localhost:5000'], ['', 'https://registry.example.com', 'a b', 'a/']],
  'name of an object': [validateObjectName, ['a', 'a.b-c', '0', 'a'.repeat(253)], ['', 'A', 'a_b', '.a', 'a.', 'a..b', '-a', 'a'.repeat(254), 'a/b', null]],
  'amount': [validateQuantity, ['8Gi', '100m', '1', '1.5', '1e3', '.5', '5.'], ['', '8 Gi', '8GiB', '-1', 'a', '1ee3', '1K']],
  'schedule': [
    validateSchedule,
    ['0 12 * * *', '*/5 * * * *', '0-30/2 1,2 1 jan-mar mon', '@daily', '? ? ? ? ?'],
    ['', '* * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 7', '5-1 * * * *', '* * * * * *', '@never', '*/0 * * * *', '* * * mon *', '0 12  * * *'],
  ],
  'name of a port': [validatePortName, ['http', 'a-1', 'x'.repeat(15)], ['', '1', 'a--b', '-a', 'A', 'x'.repeat(16)]],
  'path': [validateAbsolutePath, ['/', '/var/lib/a..b'], ['', 'var', '/a/../b', '/a\n', '../x']],
  'URL': [validateHttpUrl, ['https://a.example.com/x?y', 'http://[::1]:3128'], ['', 'a.example.com', 'ftp://a', 'https://', 'https://a b', 'https:///a', 'https://a:99999']],
  'annotations': [validateAnnotations, [{}, { 'Example.com/A': 'any\ntext' }], [{ '': 'a' }, { 'a b': 'c' }, { a: 1 }, { a: '\ud800' }, { a: 'x'.repeat(262_144) }, [], null]],
  'document': [validateJson, [null, undefined, [{ a: [1, 'b', true] }], new Date()], [NaN, [Infinity], { a: () => 1 }, { '\ud800': 1 }, 1n]],
  'resources': [
    validateResources,
    [{}, { limits: { cpu: k8s.Quantity.fromString('1') } }, { requests: { cpu: k8s.Quantity.fromNumber(0.5) } }],
    [{ limits: { cpu: '1' } }, { limits: { cpu: k8s.Quantity.fromString('lots') } }, { requests: { cpu: k8s.Quantity.fromNumber(-1) } }, { limits: null }],
  ],
  'toleration': [
    validateToleration,
    [{ operator: 'Exists' }, { key: 'a' }, { key: 'a', value: 'b', effect: 'NoExecute', tolerationSeconds: 1 }, { key: 'a', operator: 'Exists', effect: '' }],
    [{}, { operator: 'Equal' }, { operator: 'Exists', value: 'b' }, { key: 'a b' }, { key: 'a', tolerationSeconds: 1 }, { key: 'a', effect: 'Never' }, { key: 'a', value: 'b c' }],
  ],
  'affinity': [
    validateAffinity,
    [{}, { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }] } } }],
    [
      { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
      { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } },
      { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, podAffinityTerm: { topologyKey: 'a' } }] } },
      { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }] } },
    ],
  ],
};

describe.each(Object.entries(CHECKS))('the check of: %s', (_, [check, taken, refused]) => {
  test.each(taken)('takes %j', value => {
    expect(() => check('field', value)).not.toThrow();
  });

  test.each(refused.map(value => [String(value).slice(0, 40), value]))('refuses %s', (__, value) => {
    expect(() => check('field', value)).toThrow(expect.objectContaining({ name: 'InvalidInputError', field: expect.stringMatching(/^field/) }));
  });
});
