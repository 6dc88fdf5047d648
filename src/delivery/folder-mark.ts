import { lstatSync, readFileSync, renameSync, writeFileSync } from 'fs';
import { join } from 'path';
import { invalidInput } from '../validation/invalid-input';

/** No tool takes a file without an extension for a manifest. */
export const MARK = '.cdk8s-hosted-control-plane';

const COMMENT = 'cdk8s-hosted-control-plane writes and removes the files that are listed here. Keep this one beside them, also in Git.';

/** Who writes the folder of a tenant, and so may remove it. */
export interface FolderOwner {
  /** Output folder of the app, relative to the folder that has those of the tenants. */
  readonly output: string;
  /** Path of the `TenantCharts`. */
  readonly charts: string;
}

/** What was written into the folder of a tenant. */
export interface FolderMark {
  readonly owner: FolderOwner;
  /** Paths in the folder, with slashes. */
  readonly files: string[];
}

/**
 * The mark of a folder; undefined for a folder without one.
 *
 * @throws when it is there and nobody can know what was written
 */
export function readMark(folder: string): FolderMark | undefined {
  const path = join(folder, MARK);
  if (!lstatSync(path, { throwIfNoEntry: false })) {
    return undefined;
  }
  const mark = parsed(path);
  if (!mark) {
    throw invalidInput('folder', folder, `has a file ${MARK} that cannot be read, so nobody knows which files are old`,
      'Delete the folder: it is written anew');
  }
  return mark;
}

/** Whole or not at all: a run may end at any time. */
export function writeMark(folder: string, { owner, files }: FolderMark): void {
  const path = join(folder, MARK);
  writeFileSync(`${path}.new`, `${JSON.stringify({ comment: COMMENT, owner, files: [...files].sort() }, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

export function isSameOwner(one: FolderOwner, other: FolderOwner): boolean {
  return one.output === other.output && one.charts === other.charts;
}

function parsed(path: string): FolderMark | undefined {
  try {
    const { owner, files } = JSON.parse(readFileSync(path, 'utf8'));
    const readable = [owner.output, owner.charts].every(part => typeof part === 'string') && Array.isArray(files) && files.every(isInside);
    return readable ? { owner: { output: owner.output, charts: owner.charts }, files } : undefined;
  } catch {
    return undefined;
  }
}

/** Anybody may have written the mark: what it names is removed, so it must not lead out of the folder. cdk8s makes one folder below at most. */
function isInside(file: unknown): boolean {
  return typeof file === 'string' && file.split('/').length <= 2 && file.split('/').every(part => /^[^\\\0]+$/.test(part) && part !== '.' && part !== '..');
}
