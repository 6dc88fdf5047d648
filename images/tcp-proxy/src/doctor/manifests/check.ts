import { readDocuments } from './documents';
import { readPlatform } from './model/platform';
import { RULES } from './rules';
import { Severity } from './rules/rule';

/** Code of what cannot be read. */
export const UNREADABLE = 'HCP001';

export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly file: string;
  /** Where the document of the object starts. */
  readonly line: number;
  /** Undefined for a document that cannot be read. */
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
      ...findings,
    ],
  };
}
