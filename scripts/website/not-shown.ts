import { createHash } from 'crypto';
import { existsSync, readFileSync } from 'fs';
import { join } from 'path';
import type { Language, Program } from './translate';

/** What did not compile, or run, when test/languages/website-tabs.test.ts last wrote it down. */
export const NOT_SHOWN_FILE = join(__dirname, 'not-shown.json');

/** By program, the languages that it is not shown in, and why. */
export interface NotShown {
  readonly [program: string]: { readonly where: string } & { readonly [language in Language]?: string };
}

/** A program by its text, so that what was written down of it does not count for another one. */
export function idOf({ before, text }: Program): string {
  return createHash('sha256').update(`${before}\n${text}`).digest('hex').slice(0, 12);
}

let read: NotShown | undefined;

/** Whether a program is not shown in a language. */
export function isNotShown(program: Program, language: Language): boolean {
  read ??= existsSync(NOT_SHOWN_FILE) ? JSON.parse(readFileSync(NOT_SHOWN_FILE, 'utf8')) as NotShown : {};
  return read[idOf(program)]?.[language] !== undefined;
}
