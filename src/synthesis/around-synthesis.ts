import { App } from 'cdk8s';

/** The methods by which an app is synthesized. */
type Synthesis = 'synth' | 'synthYaml';

/**
 * Puts something around a method of an app: cdk8s has no hook for it.
 *
 * The method is changed in the prototype, because jsii looks there when a program in another language calls it. A subclass
 * in such a language keeps its own method and gets this one where it calls that of its parent.
 */
export function aroundSynthesis<Method extends Synthesis>(app: App, method: Method, around: (inner: App[Method]) => App[Method]): void {
  const prototype = ownPrototype(app);
  const own = Object.getOwnPropertyDescriptor(app, method);
  if (own?.configurable) {
    // Of somebody who changed the app alone: it would hide the prototype's.
    delete (app as Partial<App>)[method];
    prototype[method] = own.value;
  }
  prototype[method] = around(prototype[method].bind(app) as App[Method]);
}

/** A prototype that no other app has. */
function ownPrototype(app: App): App {
  const known = prototypes.get(app);
  if (known) {
    return known;
  }
  const { prototype } = class extends (app.constructor as typeof App) {};
  Object.setPrototypeOf(app, prototype);
  prototypes.set(app, prototype);
  return prototype;
}

const prototypes = new WeakMap<App, App>();
