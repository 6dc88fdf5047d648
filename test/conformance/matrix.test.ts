import { readFileSync } from 'fs';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { CONTROLLERS, PLATFORMS } from './matrix';
import * as library from '../../src';

/** Any class. */
type Class = abstract new (...args: any[]) => object;

const controllers = Object.values(CONTROLLERS).map(make => make(new Chart(new App(), 'management'), 'example.com').constructor);
const platforms = Object.values(PLATFORMS).map(({ make }) => make(() => 30000).platform.constructor);

/** The classes that users can make, of all that are exported. */
function concreteClassesOf(base: Class): Class[] {
  const classes = Object.values(library).filter((value): value is any => typeof value === 'function' && value.prototype instanceof base) as Class[];
  // A class without a factory is one for others to extend.
  return classes.filter(found => !classes.some(other => other.prototype instanceof found) || madeByFactories(base).includes(found.name));
}

/** Names of the classes that the static factories of a class make. */
function madeByFactories(base: Class): string[] {
  const [file] = ['controllers/ingress-controller.ts', 'platforms/control-plane-platform.ts'].map(name => join(__dirname, '..', '..', 'src', name))
    .map(path => readFileSync(path, 'utf8')).filter(text => text.includes(`class ${base.name} `));
  return [...file.matchAll(/new (\w+)\(/g)].map(([, name]) => name);
}

describe.each<[string, Class, Function[]]>([
  ['ingress controller', library.IngressController, controllers],
  ['platform', library.ControlPlanePlatform, platforms],
])('the matrix holds every %s', (_, base, rows) => {
  test('that a static factory makes, and its class is exported, so that users can extend it', () => {
    const made = madeByFactories(base);
    expect(made.length).toBeGreaterThan(5);
    expect(made.filter(name => !(name in library))).toEqual([]);
    expect(made.filter(name => !rows.some(row => row.name === name))).toEqual([]);
  });

  test('that is exported', () => {
    const classes = concreteClassesOf(base);
    expect(classes.length).toBeGreaterThan(5);
    expect(classes.filter(found => !rows.includes(found)).map(({ name }) => name)).toEqual([]);
  });
});
