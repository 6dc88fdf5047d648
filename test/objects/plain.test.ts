import { Testing } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Exposure, TcpProxyAddon } from '../../src';
import { plain } from '../../src/objects/plain';

test('a quantity and a number or name of a port are what the API has for them, whatever their classes are called', () => {
  class Q {
    public constructor(public readonly value: any) {}
  }
  expect(plain({ cpu: k8s.Quantity.fromString('10m'), memory: new Q('64Mi'), ports: [k8s.IntOrString.fromNumber(8443), k8s.IntOrString.fromString('health')] }))
    .toEqual({ cpu: '10m', memory: '64Mi', ports: [8443, 'health'] });
});

test('an object whose only field is called value stays an object', () => {
  expect(plain([{ value: 'x' }, null, undefined])).toEqual([{ value: 'x' }, null, undefined]);
});

test('what a user changes in an affinity after it was checked does not reach the output', () => {
  const chart = Testing.chart();
  const values = ['a'];
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values }] }] } } };
  new TcpProxyAddon(chart, 'tcp-proxy', { exposure: new Exposure({ name: 'tenant-01', namespace: 'tenants', domain: 'example.com' }), affinity });
  values.push('not a label value!');
  const { spec } = Testing.synth(chart).find(({ kind }) => kind === 'Deployment');
  expect(spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values).toEqual(['a']);
});
