import { readDocuments } from './documents';
import { RULES } from '../../../src/findings/rules';
import { Severity } from '../../../src/findings/rules/rule';
import { readPlatform } from '../../../src/manifests/platform';

/** Code of what cannot be read. */
export const UNREADABLE = 'HCP001';
/** Code for manifests in which no control plane is: they cannot disagree, and that is no success. */
export const NOTHING_TO_COMPARE = 'HCP002';

export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly file: string;
  /** Where the document of the object starts. */
  readonly line: number;
  /** Undefined where the finding is about no single object. */
  readonly object?: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly field?: string;
  readonly message: string;
  readonly remedy: string;
}

export interface CheckResult {
  readonly files: number;
  readonly objects: number;
  readonly controlPlanes: number;
  readonly findings: Finding[];
}

/**
 * Reads the manifests and looks for disagreements.
 *
 * @throws ConfigurationError when a path cannot be used
 */
export function checkManifests(paths: string[]): CheckResult {
  const { files, sources, unreadable } = readDocuments(paths);
  const platform = readPlatform(sources);
  const findings = RULES.flatMap(rule => rule.check(platform).map(({ source, field, message, remedy }): Finding => ({
    code: rule.code,
    severity: rule.severity,
    file: source.file,
    line: source.line,
    object: { kind: source.kind, namespace: source.namespace, name: source.name },
    field,
    message,
    remedy,
  })));
  return {
    files,
    objects: sources.length,
    controlPlanes: platform.controlPlanes.length,
    findings: [
      ...unreadable.map(({ file, line, reason }): Finding => ({
        code: UNREADABLE,
        severity: 'error',
        file,
        line,
        message: `is no YAML: ${reason}`,
        remedy: 'Correct it; a template must be rendered first',
      })),
      ...(platform.controlPlanes.length === 0 ? [nothingToCompare(paths)] : []),
      ...findings,
    ],
  };
}

function nothingToCompare(paths: string[]): Finding {
  return {
    code: NOTHING_TO_COMPARE,
    severity: 'error',
    file: paths[0],
    line: 1,
    message: 'no control plane is in there that the doctor knows, so nothing was compared',
    remedy: 'Name the manifests of the management cluster too; a platform of your own is not one that the doctor knows',
  };
}
