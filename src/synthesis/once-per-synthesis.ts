import { App } from 'cdk8s';
import { aroundSynthesis } from './around-synthesis';

/** The run of `synth()` or `synthYaml()` that an app is in the middle of. */
interface Run {
  current?: object;
}

/**
 * Computes a value at most once while the app is synthesized, and each time that it is asked for otherwise: constructs may
 * be added and changed between, e.g. by a test that renders a chart twice.
 *
 * cdk8s asks every construct of an app for errors once for each chart, so what costs time must not be computed anew.
 */
export function oncePerSynthesis<T>(app: App, compute: () => T): () => T {
  const run = runOf(app);
  let cached: { readonly run: object; readonly value: T } | undefined;
  return () => {
    if (!run.current) {
      cached = undefined;
      return compute();
    }
    if (cached?.run !== run.current) {
      cached = { run: run.current, value: compute() };
    }
    return cached.value;
  };
}

function runOf(app: App): Run {
  const known = runs.get(app);
  if (known) {
    return known;
  }
  const run: Run = {};
  const within = <T>(inner: () => T) => () => {
    const outer = run.current;
    run.current = outer ?? {};
    try {
      return inner();
    } finally {
      run.current = outer;
    }
  };
  aroundSynthesis(app, 'synth', within);
  aroundSynthesis(app, 'synthYaml', within);
  runs.set(app, run);
  return run;
}

const runs = new WeakMap<App, Run>();
