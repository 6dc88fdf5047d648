import { IConstruct } from 'constructs';
import { Warnings } from '../synthesis/warnings';
import { invalidInput } from '../validation/invalid-input';
import { validateText } from '../validation/text';

/** Versions that somebody read about, or met, and what came of it. Bounds are as precise as they are written: `1.36` starts before every 1.36.z. */
export interface KnownVersions {
  /**
   * The first of them.
   * @default - the oldest
   */
  readonly from?: string;
  /**
   * The first that is none of them any more.
   * @default - all newer ones are
   */
  readonly before?: string;
  /** Whether they break: an error. Else they work under a condition: a warning. */
  readonly breaks: boolean;
  /** What is wrong with them; continues the sentence that starts with the version. */
  readonly reason: string;
  /** What to do instead; a sentence without its full stop. */
  readonly remedy: string;
}

/**
 * What this library knows of the versions of one thing: a chart, a custom resource, Kubernetes under a platform.
 *
 * Every such fact is in this folder, and the table of docs/upgrading.md is made of them (`scripts/versions-table.ts`).
 */
export interface VersionFacts {
  /** What has the version, e.g. `Kubernetes under Steward`. */
  readonly subject: string;
  /** Where the facts were read, e.g. `Steward 0.4.0`. */
  readonly read: string;
  /** The newest version that was read: `1.35` stands for every 1.35.z, `41` for every 41.y.z. */
  readonly newest: string;
  /** Versions that break, or work under a condition; the first that fits counts. What is newer than `newest` and not here gets a warning. */
  readonly known: readonly KnownVersions[];
  /** The property by which users say that they know better, e.g. `newestKubernetesVersion of the platform`. */
  readonly override: string;
}

/**
 * Says nothing of a version that was read, warns of one that nobody read, and throws for one that is known to break. Warning
 * and error name the newest version that was read.
 *
 * @param scope   where a warning goes
 * @param field   the property with the version
 * @param version e.g. `1.35.2`, with or without `v`
 * @param vouched the newest version that the user says works, by the property `override`; newer ones are errors then
 */
export function checkVersion(scope: IConstruct, field: string, version: string, facts: VersionFacts, vouched?: string): void {
  const newestRead = `the newest that was read is ${facts.newest} (${facts.read})`;
  if (vouched !== undefined && compareVersions(version, vouched) > 0) {
    throw invalidInput(field, version, `is newer than ${vouched}, the newest that ${facts.override} says works`, `Use ${vouched} or older, or correct ${facts.override}`);
  }
  const known = facts.known.find(versions => isAmong(version, versions) && !(vouched !== undefined && versions.from !== undefined));
  if (known?.breaks) {
    throw invalidInput(field, version, `${known.reason}; ${newestRead}`, known.remedy);
  }
  if (known) {
    Warnings._add(scope, invalidInput(field, version, `${known.reason}; ${newestRead}`, known.remedy).message);
  } else if (vouched === undefined && compareVersions(version, facts.newest) > 0) {
    Warnings._add(scope, invalidInput(field, version, `is a version of ${facts.subject} that nobody read; ${newestRead}`,
      `Make sure that it works, and say so with ${facts.override}`).message);
  }
}

/** Checks the version that a user vouches for: what a check would compare with it. */
export function validateVouchedVersion(field: string, version: string | undefined): void {
  if (version !== undefined && !/^v?\d+(\.\d+){0,2}$/.test(validateText(field, version))) {
    throw invalidInput(field, version, 'is not a version', 'Give major and minor, e.g. "1.37"');
  }
}

/**
 * Compares two versions by as many numbers as the second has: 1.35.2 is no newer than 1.35.
 *
 * @returns above 0 when the first is newer, below 0 when it is older
 */
export function compareVersions(version: string, bound: string): number {
  const numbers = numbersOf(version);
  const differences = numbersOf(bound).map((number, i) => (numbers[i] ?? 0) - number);
  return differences.find(difference => difference !== 0) ?? 0;
}

function isAmong(version: string, { from, before }: KnownVersions): boolean {
  return (from === undefined || compareVersions(version, from) >= 0) && (before === undefined || compareVersions(version, before) < 0);
}

/** Without what follows the release, e.g. `-rc.1`: operators and charts admit it together with the release. */
function numbersOf(version: string): number[] {
  return version.replace(/^v/, '').split(/[-+]/)[0].split('.').map(Number);
}
