import { isAbsolute, relative, resolve, sep } from 'path';
import { pathToFileURL } from 'url';
import { jsonText } from '../../cli/output';

/** Static Analysis Results Interchange Format 2.1.0 (OASIS), as far as it is written here. */
const VERSION = '2.1.0';
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
/** A message has the remedy too. */
const MAX_TEXT = 2_000;
const PAGE = 'https://github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane/blob/main/docs/doctor.md';

export type Level = 'error' | 'warning';

/** What may be found. */
export interface SarifRule {
  readonly id: string;
  readonly level: Level;
  /** What is wrong, or what is right, in a few words. */
  readonly title: string;
  readonly help: string;
  /** Part of the page that has it. */
  readonly anchor: string;
}

/** Something that was found. */
export interface SarifResult {
  readonly ruleId: string;
  readonly level: Level;
  readonly message: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** What it is about, such as `TenantControlPlane tenants/acme`. */
  readonly subject?: string;
}

/**
 * One run, with the rules that it could have broken and what it found.
 *
 * @param command which of the doctor's, so that results of both stay apart where they are shown
 */
export function sarifText(command: string, rules: SarifRule[], results: SarifResult[]): string {
  const index = new Map(rules.map(({ id }, i) => [id, i]));
  return jsonText({
    $schema: SCHEMA,
    version: VERSION,
    runs: [{
      tool: {
        driver: { name: 'cdk8s-hosted-control-plane doctor', informationUri: PAGE, rules: rules.map(descriptor) },
      },
      automationDetails: { id: `doctor/${command}/` },
      columnKind: 'utf16CodeUnits',
      results: results.map(result => ({
        ruleId: result.ruleId,
        ruleIndex: index.get(result.ruleId),
        level: result.level,
        message: { text: result.message },
        locations: locationsOf(result),
      })),
    }],
  }, MAX_TEXT);
}

function descriptor({ id, level, title, help, anchor }: SarifRule) {
  return {
    id,
    shortDescription: { text: title },
    // GitHub wants it.
    fullDescription: { text: help },
    help: { text: help },
    helpUri: `${PAGE}#${anchor}`,
    defaultConfiguration: { level },
    properties: { 'problem.severity': level },
  };
}

function locationsOf({ file, line, subject }: SarifResult) {
  if (file === undefined && subject === undefined) return [];
  return [{
    ...(file === undefined ? {} : {
      physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...(line === undefined ? {} : { region: { startLine: line } }) },
    }),
    ...(subject === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: subject, kind: 'resource' }] }),
  }];
}

/** Relative where it can be: that is how annotations find the file in a repository. */
function uriOf(file: string): string {
  const path = relative(process.cwd(), resolve(file));
  const outside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  return outside ? pathToFileURL(file).href : path.split(sep).map(encodeURIComponent).join('/') || '.';
}
