import { readdir, readFile } from 'fs/promises';
import { join } from 'path';
import { MOUNTED_TABLES, MountedTable, MountedTables, parseLine } from './routing-tables';

export interface Routes {
  readonly tables: MountedTables;
  /** What was left out, and why. */
  readonly refusals: readonly string[];
}

interface ParsedFile {
  readonly text: string;
  readonly entries: readonly [key: string, value: string][];
  readonly refusals: readonly string[];
}

/** Reads the mounted maps; a file that did not change is not parsed again. */
export class RouteFiles {
  private parsed = new Map<string, ParsedFile>();
  private routes?: Routes;

  constructor(private readonly folder: string) {}

  /**
   * A line that is not valid is left out alone. A key with two values leads to none of them: a route that depended on
   * the order of files would be a route to the wrong tenant.
   *
   * @returns the same object as long as no file changed
   */
  public async read(): Promise<Routes> {
    const names = (await readdir(this.folder)).filter(name => tableOf(name)).sort();
    const files = await Promise.all(names.map(async name => [name, await this.parse(name)] as const));
    const unchanged = this.parsed.size === files.length && files.every(([name, file]) => this.parsed.get(name) === file);
    if (this.routes && unchanged) return this.routes;
    this.parsed = new Map(files);
    this.routes = merge(files);
    return this.routes;
  }

  private async parse(name: string): Promise<ParsedFile> {
    const text = await readFile(join(this.folder, name), 'utf8');
    const known = this.parsed.get(name);
    if (known?.text === text) return known;
    const table = tableOf(name)!;
    const entries: [string, string][] = [];
    const refusals: string[] = [];
    text.split('\n').forEach((line, i) => {
      if (line === '' || line.startsWith('#')) return;
      const entry = parseLine(table, line);
      if (entry) entries.push(entry);
      else refusals.push(`${name}:${i + 1}: ${JSON.stringify(line.slice(0, 200))} is not a line of ${table}`);
    });
    return { text, entries, refusals };
  }
}

function merge(files: (readonly [name: string, file: ParsedFile])[]): Routes {
  const tables = Object.fromEntries(MOUNTED_TABLES.map(table => [table, new Map<string, string>()])) as Record<MountedTable, Map<string, string>>;
  const refusals = files.flatMap(([, file]) => file.refusals);
  const conflicts: [table: MountedTable, key: string][] = [];
  for (const [name, { entries }] of files) {
    const table = tableOf(name)!;
    for (const [key, value] of entries) {
      const other = tables[table].get(key);
      if (other === undefined) tables[table].set(key, value);
      else if (other !== value) conflicts.push([table, key]);
    }
  }
  for (const [table, key] of conflicts) {
    if (tables[table].delete(key)) refusals.push(`${table}: ${key} has two different targets, so it leads to none`);
  }
  return { tables, refusals };
}

function tableOf(name: string): MountedTable | undefined {
  return MOUNTED_TABLES.find(table => name.startsWith(`${table}-`) && name.endsWith('.map'));
}
