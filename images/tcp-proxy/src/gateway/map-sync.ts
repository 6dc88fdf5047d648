import { rename, writeFile } from 'fs/promises';
import { join } from 'path';
import { oneOf, Table, TableName, tableParts } from './routing-tables';
import { mapFile, mapLine } from '../../../../src/agent/contract/routing-tables';
import { RuntimeApi, RuntimeApiError } from '../haproxy/runtime-api';

/** Up to this many differences are commands of their own; more are a new version of the map, put in place at once. */
const MAX_SINGLE_CHANGES = 200;
/** A command with its lines must fit into one buffer of HAProxy, 16 KiB. */
const MAX_COMMAND_BYTES = 12_000;

export interface MapChanges {
  readonly removed: string[];
  readonly changed: [key: string, value: string][];
  readonly added: [key: string, value: string][];
}

/** HAProxy has no map for a table: its configuration is to come, or went before. */
export class UnusedTableError extends Error {}

/**
 * One map of the running HAProxy and its file, which HAProxy reads when it starts and when it reloads.
 *
 * Commands are of the management guide of HAProxy, chapter "Unix Socket commands".
 */
export class MapSync {
  private readonly file: string;
  /** What HAProxy has; undefined when that is not known. */
  private applied?: Table;
  private written?: Table;

  constructor(name: TableName, folder: string, private readonly runtime: RuntimeApi) {
    this.file = join(folder, mapFile(name));
  }

  /** HAProxy was started again or reloaded: it has what the file had. */
  public forget(): void {
    this.applied = undefined;
  }

  /** Makes the file equal to the table. */
  public async write(table: Table): Promise<void> {
    if (this.written === table) return;
    await writeFile(`${this.file}.new`, tableParts(table));
    await rename(`${this.file}.new`, this.file);
    this.written = table;
  }

  /**
   * Makes the map of the running HAProxy equal to the table, without a reload.
   *
   * @returns whether there was a difference
   */
  public async apply(table: Table): Promise<boolean> {
    if (this.applied === table) return false;
    const current = this.applied ?? await this.read();
    if (current === undefined) {
      // A configuration without the port that the map is for does not load it.
      if (table.size > 0) throw new UnusedTableError(`the configuration of HAProxy does not use ${this.file}, and there are ${table.size} entries for it`);
      this.applied = table;
      return false;
    }
    // What fails in the middle leaves a map that must be read again.
    this.applied = undefined;
    const changes = difference(current, table);
    const count = changes.removed.length + changes.changed.length + changes.added.length;
    if (count > MAX_SINGLE_CHANGES) await this.replace(table);
    else if (count > 0) await this.change(changes);
    this.applied = table;
    return count > 0;
  }

  /** The map as it is in HAProxy; undefined when HAProxy has no such map. */
  public async read(): Promise<Table | undefined> {
    const answer = await this.runtime.execute(`show map ${this.file}`);
    if (answer.startsWith('Unknown map')) return undefined;
    const table = new Map<string, string>();
    const values = new Map<string, string>();
    for (let start = 0, end = answer.indexOf('\n'); end >= 0; start = end + 1, end = answer.indexOf('\n', start)) {
      if (!answer.startsWith('0x', start)) continue;
      // An identifier, the key and the value.
      const [afterId, afterKey] = [answer.indexOf(' ', start), answer.indexOf(' ', answer.indexOf(' ', start) + 1)];
      table.set(answer.slice(afterId + 1, afterKey), oneOf(values, answer.slice(afterKey + 1, end)));
    }
    return table;
  }

  private async change({ removed, changed, added }: MapChanges): Promise<void> {
    for (const commands of chunks([
      ...removed.map(key => `del map ${this.file} ${key}`),
      ...changed.map(([key, value]) => `set map ${this.file} ${key} ${value}`),
    ])) {
      await this.silently(commands.join('; '));
    }
    await this.add('', added);
  }

  private async replace(table: Table): Promise<void> {
    const prepare = `prepare map ${this.file}`;
    const answer = await this.runtime.execute(prepare);
    const version = /^New version created: (\d+)/.exec(answer)?.[1];
    if (version === undefined) throw new RuntimeApiError(prepare, answer);
    await this.add(`@${version} `, [...table]);
    await this.silently(`commit map @${version} ${this.file}`);
  }

  private async add(version: string, entries: [string, string][]): Promise<void> {
    for (const lines of chunks(entries.map(entry => mapLine(...entry)))) {
      await this.silently(`add map ${version}${this.file}`, lines.join('\n'));
    }
  }

  /** Any text in the answer is a complaint. */
  private async silently(command: string, payload?: string): Promise<void> {
    const answer = await this.runtime.execute(command, payload);
    if (answer.trim() !== '') throw new RuntimeApiError(command.slice(0, 200), answer);
  }
}

/** What makes one table of another. */
export function difference(from: Table, to: Table): MapChanges {
  const changes: MapChanges = { removed: [], changed: [], added: [] };
  for (const key of from.keys()) {
    if (!to.has(key)) changes.removed.push(key);
  }
  for (const [key, value] of to) {
    const before = from.get(key);
    if (before === undefined) changes.added.push([key, value]);
    else if (before !== value) changes.changed.push([key, value]);
  }
  return changes;
}

function chunks(lines: string[]): string[][] {
  const result: string[][] = [];
  let bytes = Infinity;
  for (const line of lines) {
    if (bytes + line.length + 2 > MAX_COMMAND_BYTES) {
      result.push([]);
      bytes = 0;
    }
    result[result.length - 1].push(line);
    bytes += line.length + 2;
  }
  return result;
}
