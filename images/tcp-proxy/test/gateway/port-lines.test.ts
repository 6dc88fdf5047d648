import { array, assert, constantFrom, integer, property, record, uniqueArray } from 'fast-check';
import { Exposure } from '../../../../src';
import { parseLine } from '../../../../src/agent/contract/routing-tables';
import { tableTexts } from '../../../../src/shared-gateway/routing-tables';

const label = array(constantFrom(...'abcxyz019-'), { minLength: 1, maxLength: 20 }).map(letters => `a${letters.join('')}z`);

test('the agent takes every line of a port that the library writes, and the line says what was meant', () => {
  assert(property(
    record({ name: label, namespace: label, apiPort: integer({ min: 1, max: 65535 }), limited: constantFrom(true, false) }),
    uniqueArray(integer({ min: 1024, max: 65535 }), { minLength: 2, maxLength: 2 }),
    ({ name, namespace, apiPort, limited }, [port, konnectivityPort]) => {
      const exposure = new Exposure({ name, namespace, domain: 'example.com', port, konnectivity: { port: konnectivityPort }, backend: { serviceName: name, apiPort } });
      const { ports } = tableTexts([{ exposure, routes: [], portRoutes: exposure.routes, allowedCidrs: limited ? ['192.0.2.0/24'] : undefined }], 'cluster.local');
      const service = `${name}.${namespace}.svc.cluster.local`;
      const list = limited ? `:${namespace}/${name}` : '';
      const expected = [[`${port}`, `${service}:${apiPort}${list}`], [`${konnectivityPort}`, `${service}:8132${list}`]];
      expect(ports.trim().split('\n').map(line => parseLine('ports', line)).sort()).toEqual(expected.sort());
    },
  ));
});

test.each(['0 a.b:1', '01 a.b:1', '-1 a.b:1', '1000000 a.b:1', '30001', '30001 a.b', '30001 a.b:1 x', '30001 a.b:0', '30001\ta.b:1', ' a.b:1', '1;2 a.b:1'])(
  'the agent takes no line like %j', line => {
    expect(parseLine('ports', line)).toBeUndefined();
  });
