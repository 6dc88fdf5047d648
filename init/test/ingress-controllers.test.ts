import { readFileSync } from 'fs';
import { join } from 'path';
import { INGRESS_CONTROLLERS } from '../../cli/ingress-controllers';
import { IngressController } from '../../src';

const factories = Object.getOwnPropertyNames(IngressController).filter(name => typeof (IngressController as any)[name] === 'function' && !name.startsWith('_'));

test('the commands offer every ingress controller of the library but the one that is described by its user', () => {
  expect(INGRESS_CONTROLLERS.map(({ factory }) => factory).sort()).toEqual(factories.filter(name => name !== 'generic').sort());
});

test('the page of init names all of them as they are typed', () => {
  const row = readFileSync(join(__dirname, '..', '..', 'docs', 'init.md'), 'utf8').split('\n').find(line => line.startsWith('| `--controller` |'));
  const named = [...row!.matchAll(/`([a-z][\w-]*)`/g)].map(([, name]) => name).filter(name => name !== 'shared-gateway');
  expect(named).toEqual(INGRESS_CONTROLLERS.map(({ name }) => name));
});
