import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { Claims } from '../../src/synthesis/claims';

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
      '  [] SNI host: "a:443" is used by one, three and two. Take another one.',
      '  [] cluster ID: "x" is used by one, three and two. Take another one.',
    ].join('\n')));
  });

  test('tells conflicts among three holders alike in every order of construction', () => {
    const errors = [['one', 'two', 'three'], ['three', 'one', 'two'], ['two', 'three', 'one']].map(order => {
      const app = Testing.app();
      for (const id of order) {
        const chart = new Chart(app, id);
        Claims.of(chart).claim('SNI host', `${id === 'two' ? 'b' : 'a'}:443`, chart, REMEDY);
        Claims.of(chart).claim('cluster ID', 'x', chart, REMEDY);
      }
      return app.node.validate();
    });
    expect(errors[0]).toEqual([
      'SNI host: "a:443" is used by both one and three. Take another one.',
      'cluster ID: "x" is used by one, three and two. Take another one.',
    ]);
    expect(errors[1]).toEqual(errors[0]);
    expect(errors[2]).toEqual(errors[0]);
  });

  test('says every remedy where holders have different ones, alike in every order', () => {
    const errors = [['one', 'two'], ['two', 'one']].map(order => {
      const app = Testing.app();
      order.forEach(id => Claims.of(app).claim('node port', '30443', new Chart(app, id), `Change ${id}`));
      return app.node.validate();
    });
    expect(errors[0]).toEqual(['node port: "30443" is used by both one and two. Change one. Change two.']);
    expect(errors[1]).toEqual(errors[0]);
  });

  test('lets a holder say a name twice', () => {
    const app = Testing.app();
    const chart = new Chart(app, 'one');
    Claims.of(app).claim('Service', 'a', chart, REMEDY);
    Claims.of(app).claim('Service', 'a', chart, REMEDY);
    expect(app.node.validate()).toEqual([]);
  });

  test('compares names within what they belong to, and leaves holders of one variant alone', () => {
    const app = Testing.app();
    const [one, two, three] = ['one', 'two', 'three'].map(id => new Chart(app, id));
    const claims = Claims.of(app);
    claims.claim('Gateway', 'a', one, REMEDY, { within: 'networking.istio.io' });
    claims.claim('Gateway', 'a', two, REMEDY, { within: 'gateway.networking.k8s.io' });
    claims.claim('SNI host', 'a', one, REMEDY, { variant: '443' });
    claims.claim('SNI host', 'a', two, REMEDY, { variant: '443' });
    expect(app.node.validate()).toEqual([]);
    claims.claim('SNI host', 'a', three, REMEDY, { variant: '8443' });
    expect(app.node.validate()).toEqual(['SNI host: "a" is used by one, three and two. Take another one.']);
  });

  test('tells of names that are made of others once for each pair of holders, and not at all where their own names say it', () => {
    for (const order of [['one', 'two', 'three'], ['three', 'two', 'one']]) {
      const app = new App();
      const claims = Claims.of(app);
      for (const id of order) {
        const chart = new Chart(app, id);
        for (const secret of ['b', 'a']) {
          claims.claim('Secret', secret, chart, REMEDY, { derived: true });
        }
        claims.claim('Service', id === 'three' ? 'own' : 'same', chart, REMEDY, { derived: id === 'three' });
      }
      expect(app.node.validate()).toEqual([
        'Secret: "a" is used by one, three and two. Take another one.',
        'Service: "same" is used by both one and two. Take another one.',
      ]);
    }
  });

  test('tells of a name that is made of another when only something else is said of its holders', () => {
    const app = new App();
    for (const chart of [new Chart(app, 'one'), new Chart(app, 'two')]) {
      Claims.of(app).claim('Secret', 'a', chart, REMEDY, { derived: true });
      Claims.of(app).claim('Secret', 'b', chart, REMEDY, { derived: true });
      Claims.of(app).claim('SNI host', 'a:443', chart, 'Give each a host');
    }
    expect(app.node.validate()).toEqual([
      'SNI host: "a:443" is used by both one and two. Give each a host.',
      'Secret: "a" is used by both one and two. Take another one.',
    ]);
  });

  test('keeps the claims of two apps apart', () => {
    for (const app of [new App(), new App()]) {
      Claims.of(app).claim('SNI host', 'a:443', new Chart(app, 'chart'), REMEDY);
      expect(app.node.validate()).toEqual([]);
    }
  });
});
