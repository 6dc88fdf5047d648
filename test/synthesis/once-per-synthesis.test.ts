import { App, Chart, Testing } from 'cdk8s';
import { oncePerSynthesis } from '../../src/synthesis/once-per-synthesis';

function setUp() {
  const app: App = Testing.app();
  const charts = ['a', 'b', 'c'].map(id => new Chart(app, id));
  const compute = jest.fn(() => ({}));
  const value = oncePerSynthesis(app, compute);
  const seen: object[] = [];
  app.node.addValidation({
    validate: () => {
      seen.push(value());
      return [];
    },
  });
  return { app, charts, compute, seen };
}

test.each(['synth', 'synthYaml'] as const)('%s of an app with many charts computes it once', method => {
  const { app, compute, seen } = setUp();
  app[method]();
  expect(seen.length).toBeGreaterThan(3);
  expect(new Set(seen).size).toBe(1);
  expect(compute).toHaveBeenCalledTimes(1);
});

test('a second synthesis computes it again, as constructs may have changed', () => {
  const { app, compute } = setUp();
  app.synth();
  app.synth();
  expect(compute).toHaveBeenCalledTimes(2);
});

test('outside of a synthesis it is computed each time', () => {
  const { charts, compute, seen } = setUp();
  charts[0].toJson();
  charts[0].toJson();
  expect(compute).toHaveBeenCalledTimes(seen.length);
  expect(new Set(seen).size).toBe(seen.length);
});

test('a synthesis that failed is over', () => {
  const { app, compute } = setUp();
  let fails = true;
  app.node.addValidation({ validate: () => fails ? ['wrong'] : [] });
  expect(() => app.synth()).toThrow('wrong');
  fails = false;
  app.synth();
  expect(compute).toHaveBeenCalledTimes(2);
});

test('two values of one app are computed once each', () => {
  const { app, compute } = setUp();
  const other = oncePerSynthesis(app, compute);
  app.node.addValidation({
    validate: () => {
      other();
      return [];
    },
  });
  app.synth();
  expect(compute).toHaveBeenCalledTimes(2);
});
