import { randomUUID } from 'crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'fs';
import { basename, dirname, join, resolve } from 'path';
import { Files } from './languages/language';
import { ConfigurationError } from '../../cli/configuration';

/** What an empty repository has. */
const ALLOWED = ['.git'];

/**
 * Refuses a folder in which there is something.
 *
 * @throws ConfigurationError which says what is there
 */
export function requireEmpty(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new ConfigurationError(`${JSON.stringify(folder)}: is a file, name an empty folder or a new one`);
  const found = readdirSync(folder).filter(name => !ALLOWED.includes(name));
  if (found.length > 0) {
    throw new ConfigurationError(`${JSON.stringify(folder)}: is not empty (${shortened(found)}), and nothing is overwritten: name an empty folder or a new one`);
  }
}

/**
 * Writes all files, or none: into a temporary folder beside where they go, which is then renamed. A folder that is there may be where
 * the shell of the user is, so it stays, and gets what the temporary one has; when one part of that fails, the others are taken back.
 *
 * @throws ConfigurationError for a folder that is not empty
 */
export function writeProject(folder: string, files: Files): void {
  const target = resolve(folder);
  requireEmpty(target);
  const isThere = existsSync(target);
  const parent = isThere ? target : dirname(target);
  mkdirSync(parent, { recursive: true });
  const temporary = join(parent, `.${isThere ? 'init' : basename(target)}-${randomUUID()}`);
  mkdirSync(temporary);
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(temporary, path)), { recursive: true });
      writeFileSync(join(temporary, path), content, { flag: 'wx' });
    }
    if (isThere) {
      moveAll(temporary, target);
    } else {
      // Replaces an empty folder at most.
      renameSync(temporary, target);
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function moveAll(from: string, to: string): void {
  const moved: string[] = [];
  try {
    for (const name of readdirSync(from)) {
      // Whoever else wrote it meanwhile keeps it.
      if (existsSync(join(to, name))) throw new ConfigurationError(`${JSON.stringify(join(to, name))}: was made by somebody else meanwhile; nothing was written`);
      renameSync(join(from, name), join(to, name));
      moved.push(name);
    }
  } catch (error) {
    moved.forEach(name => rmSync(join(to, name), { recursive: true, force: true }));
    throw error;
  }
}

function shortened(names: string[]): string {
  const most = 3;
  return `${names.slice(0, most).map(name => JSON.stringify(name)).join(', ')}${names.length > most ? `, and ${names.length - most} more` : ''}`;
}
