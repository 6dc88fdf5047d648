import { ControllerFacts, INGRESS_CONTROLLERS, passthroughText } from './ingress-controllers';
import { Passthrough, PASSES } from './route';

/** Annotations of no product that is known here, of whatever controller. */
const ANY_PASSTHROUGH = /passthrough$/;

/** The controllers that may read an Ingress of this class; empty when that cannot be told. */
function controllersOf(className: string | undefined, controllerOf: ReadonlyMap<string, string>): ControllerFacts[] {
  const controller = className === undefined ? undefined : controllerOf.get(className);
  if (controller !== undefined) return INGRESS_CONTROLLERS.filter(known => controller.startsWith(known.controller));
  return className === undefined ? [] : INGRESS_CONTROLLERS.filter(({ classes }) => classes.test(className));
}

/** Whether the annotations have the controller of this class pass TLS through. */
export function passthroughOf(
  annotations: Record<string, unknown>,
  className: string | undefined,
  controllerOf: ReadonlyMap<string, string>,
): Passthrough {
  const controllers = controllersOf(className, controllerOf);
  const present = Object.entries(annotations).filter(([name]) => ANY_PASSTHROUGH.test(name));
  const wanted = controllers.flatMap(({ passthrough }) => passthrough ? [passthrough] : []);
  const remedy = wanted.length > 0
    ? `Annotate it with ${wanted.map(passthrough => passthroughText({ passthrough })).join(' or ')}`
    : "Annotate it with the passthrough annotation of the class's controller";
  if (controllers.length > 0 && wanted.length === 0) {
    return { state: 'no', reason: `${controllers[0].name} passes no Ingress through`, remedy: `Write ${controllers[0].instead} in its place` };
  }
  const mine = present.filter(([name]) => wanted.length === 0 || wanted.some(({ names }) => names.includes(name)));
  if (mine.length === 0) {
    return present.length === 0
      ? { state: 'no', reason: 'has no passthrough annotation', remedy }
      : {
        state: 'no',
        reason: `has ${present[0][0]}, which is not read by class "${className}" (${controllers.map(({ name }) => name).join(' or ')})`,
        remedy,
      };
  }
  const [name, value] = mine[0];
  if (typeof value !== 'string') return { state: 'no', reason: `has ${name}: ${String(value)}, which is no text`, remedy: `Quote the value: "${String(value)}"` };
  const expected = wanted.find(({ names }) => names.includes(name))?.value;
  const on = expected === undefined ? ['true', 'enabled', 'on', '1'].includes(value.toLowerCase()) : value.toLowerCase() === expected;
  return on ? PASSES : { state: 'no', reason: `has ${name}: "${value}"`, remedy: `Write "${expected ?? 'true'}"` };
}
