import { RULES } from './rules';
import { Severity } from './rules/rule';
import { Platform } from '../manifests/platform';
import { Source } from '../manifests/source';

/** Code for manifests in which no control plane is: they cannot disagree, and that is no success. */
export const NOTHING_TO_COMPARE = 'HCP002';

/** A disagreement and the rule that found it. */
export interface RuleFinding {
  readonly code: string;
  readonly severity: Severity;
  /** Undefined where it is about no single object. */
  readonly source?: Source;
  readonly field?: string;
  readonly message: string;
  readonly remedy: string;
}

/** What all rules find. */
export function checkPlatform(platform: Platform): RuleFinding[] {
  const found = RULES.flatMap(({ code, severity, check }) => check(platform).map((fault): RuleFinding => ({ code, severity, ...fault })));
  return platform.controlPlanes.length === 0 ? [NOTHING, ...found] : found;
}

/** How findings name an object. */
export function objectOf(source: Source | undefined): { readonly kind: string; readonly namespace: string; readonly name: string } | undefined {
  return source && { kind: source.kind, namespace: source.namespace, name: source.name };
}

const NOTHING: RuleFinding = {
  code: NOTHING_TO_COMPARE,
  severity: 'error',
  message: 'no control plane is in there that can be read, so nothing was compared',
  remedy: 'Name the manifests of the management cluster too; a custom resource of your own has to describe itself (docs/testing.md)',
};
