import { App } from 'cdk8s';
import { aroundSynthesis } from './around-synthesis';

/**
 * Does something each time that the app has written its manifests, e.g. writes files beside them. Actions are done in
 * the order in which they were asked for; none is when synthesis fails.
 *
 * Constructs themselves are asked for errors before, and for their manifests several times.
 */
export function afterSynthesis(app: App, action: () => void): void {
  aroundSynthesis(app, 'synth', synth => () => {
    synth();
    action();
  });
}
