import { App, Testing } from 'cdk8s';
import { aroundSynthesis } from '../../src/synthesis/around-synthesis';

function surround(app: App, done: string[], name = 'app'): void {
  aroundSynthesis(app, 'synth', inner => () => {
    done.push(`${name} before`);
    inner();
    done.push(`${name} after`);
  });
}

/** Calls a method as jsii does for a program in another language (`Kernel.invoke`). */
function callByJsii(app: App, method: 'synth' | 'synthYaml'): unknown {
  return (app.constructor.prototype as App)[method].apply(app);
}

describe('what is put around the synthesis of an app', () => {
  test('is around each call, the last outermost', () => {
    const app = Testing.app();
    const done: string[] = [];
    surround(app, done, 'inner');
    surround(app, done, 'outer');
    app.synth();
    expect(done).toEqual(['outer before', 'inner before', 'inner after', 'outer after']);
  });

  test('is around calls from other languages', () => {
    const app = Testing.app();
    const done: string[] = [];
    surround(app, done);
    aroundSynthesis(app, 'synthYaml', inner => () => `# ${inner()}`);
    callByJsii(app, 'synth');
    expect(done).toEqual(['app before', 'app after']);
    expect(callByJsii(app, 'synthYaml')).toBe('# ');
  });

  test('is around what a subclass in another language calls of its parent', () => {
    const app = Testing.app();
    const done: string[] = [];
    // As jsii defines overrides (`Kernel.defineOverriddenMethod`).
    Object.defineProperty(app, 'synth', {
      enumerable: false,
      configurable: false,
      writable: false,
      value: () => {
        done.push('override');
        callByJsii(app, 'synth');
      },
    });
    surround(app, done);
    app.synth();
    expect(done).toEqual(['override', 'app before', 'app after']);
  });

  test('is around what somebody else has put around it', () => {
    const app = Testing.app();
    const done: string[] = [];
    const synth = app.synth.bind(app);
    app.synth = () => {
      done.push('somebody else');
      synth();
    };
    surround(app, done);
    app.synth();
    expect(done).toEqual(['app before', 'somebody else', 'app after']);
  });

  test('leaves other apps, and what an app is, as they are', () => {
    class OwnApp extends App {}
    const app = new OwnApp({ outdir: Testing.app().outdir });
    const done: string[] = [];
    surround(app, done);
    Testing.app().synth();
    expect(done).toEqual([]);
    expect(app).toBeInstanceOf(OwnApp);
    expect(Object.keys(app)).not.toContain('synth');
  });
});
