import { existsSync } from 'fs';
import { join } from 'path';
import { ApiObject, Chart, Testing } from 'cdk8s';
import { afterSynthesis } from '../../src/synthesis/after-synthesis';

test('actions are done in their order, once the manifests are written', () => {
  const app = Testing.app();
  new ApiObject(new Chart(app, 'chart'), 'object', { apiVersion: 'v1', kind: 'ConfigMap' });
  const done: string[] = [];
  afterSynthesis(app, () => done.push(`first: ${existsSync(join(app.outdir, 'chart.k8s.yaml'))}`));
  afterSynthesis(app, () => done.push('second'));

  expect(done).toEqual([]);
  app.synth();

  expect(done).toEqual(['first: true', 'second']);
});

test('nothing is done when synthesis fails', () => {
  const app = Testing.app();
  app.node.addValidation({ validate: () => ['is wrong'] });
  const action = jest.fn();
  afterSynthesis(app, action);

  expect(() => app.synth()).toThrow('is wrong');

  expect(action).not.toHaveBeenCalled();
});
