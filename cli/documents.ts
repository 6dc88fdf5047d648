import { existsSync, readdirSync, readFileSync, statSync } from 'fs';
import { extname, join } from 'path';
import { load } from 'js-yaml';
import { ConfigurationError } from './configuration';
import { printable } from './printable';
import { carriedTexts, MANIFEST_EXTENSIONS as EXTENSIONS, Source, sourcesOf } from '../src/manifests/source';

const SKIPPED_FOLDERS = ['node_modules'];
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 20_000;

/** A document that cannot be read. */
export interface Unreadable {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface Documents {
  readonly files: number;
  /** Those of the documents, and then what some of them carry to tenants. */
  readonly sources: Source[];
  /** What some of them carry, alone. */
  readonly carried: Source[];
  readonly unreadable: Unreadable[];
}

/**
 * Reads every document of files and folders, and what some of them carry to tenants.
 *
 * @throws ConfigurationError when a path does not exist, or a folder has no manifest
 */
export function readDocuments(paths: string[]): Documents {
  const { files, sources, unreadable } = readObjects(paths);
  const carried = sources.flatMap(carriedBy);
  return { files, sources: [...sources, ...carried], carried, unreadable };
}

/**
 * The same, for who could not tell its reader what a document that cannot be read would have changed.
 *
 * @throws ConfigurationError also when one cannot be read
 */
export function readAllDocuments(paths: string[]): Documents {
  const documents = readDocuments(paths);
  const [broken] = documents.unreadable;
  if (broken) throw new ConfigurationError(printable(`${JSON.stringify(broken.file)}, line ${broken.line}: is no YAML (${broken.reason}); correct it, render it if it is a template, or name other files`));
  return documents;
}

/**
 * Reads every document of files and folders; folders with everything below them. Lists are taken apart. Nothing is looked at in what
 * Secrets and ConfigMaps carry.
 *
 * @throws ConfigurationError when a path does not exist, or a folder has no manifest
 */
export function readObjects(paths: string[]): Omit<Documents, 'carried'> {
  const files = paths.flatMap(path => {
    if (!existsSync(path)) throw new ConfigurationError(`${JSON.stringify(path)}: does not exist; name files or folders with rendered manifests`);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
  if (files.length === 0) throw new ConfigurationError(`${paths.map(path => JSON.stringify(path)).join(', ')}: no ${EXTENSIONS.join(', ')} file in there`);
  const sources: Source[] = [];
  const unreadable: Unreadable[] = [];
  const unique = [...new Set(files)];
  for (const file of unique) {
    for (const part of documentsOf(file)) {
      if ('reason' in part) unreadable.push(part);
      else sources.push(...sourcesOf(part.value, file, part.line));
    }
  }
  return { files: unique.length, sources, unreadable };
}

/** Text in there that is no manifest is nobody's fault. */
function carriedBy(source: Source): Source[] {
  const { file, line } = source;
  return carriedTexts(source).flatMap(text => split(text, file).flatMap(part => ('reason' in part ? [] : sourcesOf(part.value, file, line))));
}

function filesBelow(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name.startsWith('.') || SKIPPED_FOLDERS.includes(entry.name) ? [] : filesBelow(path);
      return EXTENSIONS.includes(extname(entry.name)) && statSync(path, { throwIfNoEntry: false })?.isFile() ? [path] : [];
    });
  if (files.length > MAX_FILES) throw new ConfigurationError(`${JSON.stringify(folder)}: holds more than ${MAX_FILES} manifests; name a smaller folder`);
  return files;
}

type Document = { readonly value: unknown; readonly line: number } | Unreadable;

function documentsOf(file: string): Document[] {
  if (statSync(file).size > MAX_FILE_BYTES) return [{ file, line: 1, reason: `is larger than ${MAX_FILE_BYTES} bytes` }];
  return split(readFileSync(file, 'utf8'), file);
}

/** Each document is parsed on its own, so that a broken one does not hide the others. */
function split(content: string, file: string): Document[] {
  let line = 1;
  return content.split(/^---(?=\s|$)/m).map(text => {
    const lines = text.split('\n');
    const start = line + Math.max(0, lines.findIndex(each => !/^\s*(#.*)?$/.test(each)));
    line += lines.length - 1;
    try {
      const value = load(text.replace(/^%.*$/gm, ''));
      return isTemplate(value, text) ? { file, line: start, reason: 'it is a template' } : { value, line: start };
    } catch (error) {
      return { file, line: start, reason: (error as Error).message.split('\n')[0] };
    }
  });
}

/** `kind: {{ .Values.kind }}` happens to be YAML. */
function isTemplate(value: unknown, text: string): boolean {
  const kind = (value as { kind?: unknown } | null | undefined)?.kind;
  return kind !== undefined && typeof kind !== 'string' && text.includes('{{');
}
