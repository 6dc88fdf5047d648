import { createHash } from 'crypto';
import { readdir, readFile, stat } from 'fs/promises';
import { join } from 'path';
import { NOTHING_REFUSED, RefusalCollector, Refusals } from './refusals';
import { MountedTables, oneOf, Table } from './routing-tables';
import { parseLine, ROUTING_TABLES, RoutingTable, tableOfMountedFile } from '../../../../src/agent/contract/routing-tables';

/** A ConfigMap holds 1 MiB. */
const LARGEST_FILE_BYTES = 2 ** 21;
const SHOWN_CHARACTERS = 200;
/** There may be hundreds, of a megabyte each, that have not changed. */
const FILES_AT_ONCE = 8;

export interface Routes {
  readonly tables: MountedTables;
  /** What was left out, and why. */
  readonly refusals: Refusals;
}

/** Keys and values by turns: pairs of hundreds of thousands of lines would take more memory than the lines. */
type Entries = readonly string[];

interface ParsedFile {
  /** What tells its text from others. The text itself would be a second copy of all lines. */
  readonly digest: string;
  /** The text, where it is that of somebody who keeps it anyway. */
  readonly text?: string;
  readonly entries: Entries;
  readonly refusals: Refusals;
  /** Why the file could not be read the last time; the rest is what it said before. */
  readonly failure?: string;
}

type NamedFile = readonly [name: string, file: ParsedFile];

/** A table, with the parts of files that it is made of. */
interface MergedTable {
  readonly of: readonly Entries[];
  readonly entries: Table;
  readonly refusals: Refusals;
}

/** What may know a newer text of a mounted file. */
export interface NewerTexts {
  /** The files of which it knows a text. */
  readonly files: readonly string[];
  /**
   * @param mounted what tells the content of the mounted file from another, undefined when that cannot be read
   * @returns undefined where the mounted file counts
   */
  newest(file: string, mounted: string | undefined): string | undefined;
}

/** Reads the mounted maps, or what is newer; a file that did not change is not parsed again. */
export class RouteFiles {
  private parsed = new Map<string, ParsedFile>();
  private merged = new Map<RoutingTable, MergedTable>();
  private routes?: Routes;

  constructor(private readonly folder: string, private readonly newer: NewerTexts = { files: [], newest: () => undefined }) {}

  /**
   * A line that is not valid is left out alone, and a file that cannot be read stays as it was.
   *
   * A key with two values keeps the one that it had, as long as that is still there, and without one leads to none of
   * them: a route that depended on the order of files would be a route to the wrong tenant.
   *
   * @returns the same object as long as no file changed
   */
  public async read(): Promise<Routes> {
    const mounted = (await readdir(this.folder)).filter(name => tableOfMountedFile(name));
    const names = [...new Set([...mounted, ...this.newer.files])].sort();
    const files: NamedFile[] = [];
    for (let i = 0; i < names.length; i += FILES_AT_ONCE) {
      files.push(...await Promise.all(names.slice(i, i + FILES_AT_ONCE).map(async name => [name, await this.parse(name)] as const)));
    }
    const unchanged = this.parsed.size === files.length && files.every(([name, file]) => this.parsed.get(name) === file);
    if (this.routes && unchanged) return this.routes;
    this.parsed = new Map(files);
    this.routes = this.merge(files);
    return this.routes;
  }

  /** A table none of whose files changed stays the object that it was, so that nobody compares it: it may have 200,000 lines. */
  private merge(files: readonly NamedFile[]): Routes {
    const refusals = new RefusalCollector();
    for (const [, file] of files) {
      refusals.addAll(file.refusals);
      if (file.failure !== undefined) refusals.add(file.failure);
    }
    for (const table of ROUTING_TABLES) {
      const of = files.filter(([name]) => tableOfMountedFile(name) === table).map(([, { entries }]) => entries);
      const known = this.merged.get(table);
      const unchanged = known?.of.length === of.length && known.of.every((entries, i) => entries === of[i]);
      const merged = known && unchanged ? known : mergeTable(table, of, known?.entries);
      this.merged.set(table, merged);
      refusals.addAll(merged.refusals);
    }
    return { tables: Object.fromEntries([...this.merged].map(([table, { entries }]) => [table, entries])) as MountedTables, refusals };
  }

  private async parse(name: string): Promise<ParsedFile> {
    const known = this.parsed.get(name);
    let mounted: Buffer | undefined;
    let failure: string | undefined;
    try {
      mounted = await readBounded(join(this.folder, name));
    } catch (error) {
      failure = `${name}: ${(error as Error).message}, so it stays as it was`;
    }
    const mountedDigest = mounted && digestOf(mounted);
    const text = this.newer.newest(name, mountedDigest);
    if (text === undefined && mountedDigest === undefined) {
      return known && known.failure === failure ? known : { digest: '', entries: [], refusals: NOTHING_REFUSED, ...known, failure };
    }
    const digest = text === undefined ? mountedDigest! : text === known?.text ? known.digest : digestOf(text);
    if (known?.digest !== digest) return { digest, text, ...parseText(name, text ?? mounted!.toString()) };
    return known.text === text && known.failure === undefined ? known : { ...known, text, failure: undefined };
  }
}

async function readBounded(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > LARGEST_FILE_BYTES) throw new Error(`has ${size} bytes, and no ConfigMap has more than 1 MiB`);
  return readFile(file);
}

function digestOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64');
}

function parseText(name: string, text: string): Pick<ParsedFile, 'entries' | 'refusals'> {
  const table = tableOfMountedFile(name)!;
  const entries: string[] = [];
  const values = new Map<string, string>();
  const refusals = new RefusalCollector();
  text.split('\n').forEach((line, i) => {
    if (line === '' || line.startsWith('#')) return;
    const entry = parseLine(table, line);
    if (entry) entries.push(entry[0], oneOf(values, entry[1]));
    else refusals.add(`${name}:${i + 1}: ${JSON.stringify(line.slice(0, SHOWN_CHARACTERS))} is not a line of ${table}`);
  });
  return { entries, refusals };
}

/** @param before what the table had, so that a key with two targets can keep one of them */
function mergeTable(table: RoutingTable, of: readonly Entries[], before?: Table): MergedTable {
  const entries = new Map<string, string>();
  const refusals = new RefusalCollector();
  const conflicts = new Map<string, Set<string>>();
  for (const file of of) {
    for (let i = 0; i < file.length; i += 2) {
      const [key, value] = [file[i], file[i + 1]];
      const other = entries.get(key);
      if (other === undefined) entries.set(key, value);
      if (other !== undefined && other !== value) {
        const values = conflicts.get(key) ?? new Set([other]);
        conflicts.set(key, values);
        values.add(value);
      }
    }
  }
  for (const [key, values] of conflicts) {
    const kept = before?.get(key);
    const keeps = kept !== undefined && values.has(kept);
    if (keeps) entries.set(key, kept);
    else entries.delete(key);
    refusals.add(`${table}: ${key} has ${values.size} different targets, so it ${keeps ? `goes on to ${kept}` : 'leads to none'}`);
  }
  return { of, entries, refusals };
}
