import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { checkManifests, CheckResult, Finding } from '../../src/manifests/check';

/** Writes files into a folder of their own, for as long as `use` runs. */
export function withFolder<T>(files: { [name: string]: string }, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-manifests-'));
  const remove = () => rmSync(folder, { recursive: true });
  let result: T | undefined;
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    result = use(folder);
    return result;
  } finally {
    if (result instanceof Promise) void result.then(remove, remove);
    else remove();
  }
}

/** What the doctor finds in a text of documents. */
export function check(text: string): Finding[] {
  return checkFiles({ 'manifests.yaml': text }).findings;
}

export function checkFiles(files: { [name: string]: string }): CheckResult {
  return withFolder(files, folder => checkManifests([folder]));
}

/** Replaces each text, which must be there. */
export function broken(text: string, replacements: { [from: string]: string }): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`there is no "${from}" to replace`);
    return result.split(from).join(to);
  }, text);
}
