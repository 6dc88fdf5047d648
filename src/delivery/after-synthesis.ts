import { App } from 'cdk8s';

/**
 * Does something each time that the app has written its manifests, e.g. writes files beside them. Actions are done in
 * the order in which they were asked for; none is when synthesis fails.
 *
 * cdk8s has no hook for it: constructs are asked for errors before, and for their manifests several times.
 */
export function afterSynthesis(app: App, action: () => void): void {
  const synth = app.synth.bind(app);
  app.synth = () => {
    synth();
    action();
  };
}
