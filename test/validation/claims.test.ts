import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { Claims } from '../../src/validation/claims';

const REMEDY = 'Take another one';

describe('Claims', () => {
  test('lets different names, and the same name of another kind, pass', () => {
    const chart = Testing.chart();
    const claims = Claims.of(chart);
    claims.claim('SNI host', 'a:443', new Construct(chart, 'a'), REMEDY);
    claims.claim('SNI host', 'b:443', new Construct(chart, 'b'), REMEDY);
    claims.claim('cluster ID', 'a:443', new Construct(chart, 'c'), REMEDY);
    expect(Testing.synth(chart)).toEqual([]);
  });

  test('names both holders of a name that occurs twice, in whichever order they come', () => {
    const errors = [['one', 'two'], ['two', 'one']].map(order => {
      const app = Testing.app();
      for (const id of order) {
        Claims.of(app).claim('SNI host', 'a:443', new Chart(app, id), REMEDY);
      }
      try {
        app.synth();
        return undefined;
      } catch (error: any) {
        return error.message;
      }
    });
    expect(errors[0]).toBe('Validation failed with the following errors:\n  [] SNI host: "a:443" is used by both one and two. Take another one.');
    expect(errors[1]).toBe(errors[0]);
  });

  test('reports every conflict of the app at once', () => {
    const app = Testing.app();
    for (const id of ['one', 'two', 'three']) {
      const chart = new Chart(app, id);
      Claims.of(chart).claim('SNI host', 'a:443', chart, REMEDY);
      Claims.of(chart).claim('cluster ID', 'x', chart, REMEDY);
    }
    expect(() => app.synth()).toThrow(new Error([
      'Validation failed with the following errors:',
      '  [] SNI host: "a:443" is used by both one and two. Take another one.',
      '  [] cluster ID: "x" is used by both one and two. Take another one.',
      '  [] SNI host: "a:443" is used by both one and three. Take another one.',
      '  [] cluster ID: "x" is used by both one and three. Take another one.',
    ].join('\n')));
  });

  test('keeps the claims of two apps apart', () => {
    for (const app of [new App(), new App()]) {
      Claims.of(app).claim('SNI host', 'a:443', new Chart(app, 'chart'), REMEDY);
      expect(app.node.validate()).toEqual([]);
    }
  });
});
