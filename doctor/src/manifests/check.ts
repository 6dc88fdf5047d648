import { readDocuments } from '../../../cli/documents';
import { checkPlatform, NOTHING_TO_COMPARE, objectOf } from '../../../src/findings/check';
import { Severity } from '../../../src/findings/rules/rule';
import { readPlatform } from '../../../src/manifests/platform';
import { PodPath, podPathOf } from '../../../src/manifests/pod-path';
import { Needed, neededBy } from '../prerequisites/clusters';

/** Code of what cannot be read. */
export const UNREADABLE = 'HCP001';
export { NOTHING_TO_COMPARE };

export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly file: string;
  /** Where the document of the object starts. */
  readonly line: number;
  /** Undefined where the finding is about no single object. */
  readonly object?: ReturnType<typeof objectOf>;
  readonly field?: string;
  readonly message: string;
  readonly remedy: string;
}

/** How pods of a tenant reach its API server; undefined where the manifests do not say. */
export interface TenantPath {
  readonly namespace: string;
  readonly name: string;
  readonly path?: PodPath;
}

export interface CheckResult {
  readonly files: number;
  readonly objects: number;
  readonly controlPlanes: number;
  readonly findings: Finding[];
  /** Of every control plane. */
  readonly paths: TenantPath[];
  /** What the manifests refer to and do not hold. It may be there already, so it is no finding. */
  readonly needed: Needed;
}

/**
 * Reads the manifests and looks for disagreements.
 *
 * @throws ConfigurationError when a path cannot be used
 */
export function checkManifests(paths: string[]): CheckResult {
  const documents = readDocuments(paths);
  const { files, sources, unreadable } = documents;
  const platform = readPlatform(sources);
  return {
    files,
    objects: sources.length,
    controlPlanes: platform.controlPlanes.length,
    needed: neededBy(documents),
    paths: platform.controlPlanes.map(controlPlane =>
      ({ namespace: controlPlane.source.namespace, name: controlPlane.source.name, path: podPathOf(controlPlane, platform) })),
    findings: [
      ...unreadable.map(({ file, line, reason }): Finding => ({
        code: UNREADABLE,
        severity: 'error',
        file,
        line,
        message: `is no YAML: ${reason}`,
        remedy: 'Correct it; a template must be rendered first',
      })),
      ...checkPlatform(platform).map(({ source, code, severity, field, message, remedy }): Finding =>
        ({ code, severity, file: source?.file ?? paths[0], line: source?.line ?? 1, object: objectOf(source), field, message, remedy })),
    ],
  };
}
