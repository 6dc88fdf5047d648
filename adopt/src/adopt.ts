import { Expression, Json } from './code/expression';
import { Description } from './describe/description';
import { comparable } from './difference/comparable';
import { Change, differenceOf } from './difference/difference';
import { Kept, keptOf, pointer } from './difference/keep';
import { own } from './json';
import { Modules } from './modules';
import { Synthesis, synthesize } from './synthesize';

/** A control plane as code, and what applying that would change. */
export interface Adoption {
  readonly description: Description;
  readonly controller: Expression;
  /** What stays as it runs, because the library has no property for it. */
  readonly kept: Kept[];
  /** The old way to it, which stays until the last step. */
  readonly oldWay: Kept[];
  readonly dnsNames: string[];
  readonly refused: string[];
  readonly warnings: string[];
  /** The object as applying makes it, with what an API server fills in. */
  readonly applied: Json;
  readonly changes: Change[];
  /** What changes further when the old way goes. */
  readonly lastChanges: Change[];
}

/**
 * Describes a control plane with the library's constructs, and has them made.
 *
 * @param controller for one that does not tell its own
 * @throws ConfigurationError when the library cannot describe it
 */
export function adopt(modules: Modules, described: Description, controller: Expression): Adoption {
  const chosen = described.controller ?? controller;
  const synthesis = synthesize(modules, described, chosen);
  const { description } = synthesis;
  const running = comparable(description.object);
  const patches = patchesOf(running, synthesis);
  const oldWay = patches.filter(({ path }) => description.rules.isOldWay(path));
  const kept = patches.filter(patch => !oldWay.includes(patch));
  const patched = comparable(withPatches(modules, synthesis.object, patches));
  const last = synthesize(modules, withoutOldWay(description), chosen);
  return {
    description,
    controller: chosen,
    kept,
    oldWay,
    dnsNames: synthesis.dnsNames,
    refused: synthesis.refused,
    warnings: synthesis.warnings,
    applied: patched,
    changes: differenceOf(running, patched),
    lastChanges: differenceOf(patched, comparable(withPatches(modules, last.object, kept))),
  };
}

function patchesOf(running: Json, { object, description: { rules } }: Synthesis): Kept[] {
  const filled = comparable(object);
  const written = { metadata: own(object, 'metadata') ?? {}, spec: own(object, 'spec') ?? {} };
  return keptOf(running, { written, filled }, rules.isOurs);
}

/** The object with the patches, as cdk8s applies them. */
function withPatches({ cdk8s: { JsonPatch } }: Modules, object: Json, patches: Kept[]): Json {
  return JsonPatch.apply(object, ...patches.map(({ path, value }) => JsonPatch.add(pointer(path), value)));
}

function withoutOldWay(description: Description): Description {
  const { platformProps, rules: { oldWayProps } } = description;
  return { ...description, platformProps: Object.fromEntries(Object.entries(platformProps).filter(([name]) => !oldWayProps.includes(name))) };
}

/** Whether the old way is still there, so that the plan has to end it. */
export function hasOldWay({ description, oldWay }: Adoption): boolean {
  return oldWay.length > 0 || description.rules.oldWayProps.some(name => Object.hasOwn(description.platformProps, name));
}
