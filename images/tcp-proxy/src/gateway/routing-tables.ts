import { isWithinLimits, LONGEST_LINE } from './route-limits';

/** The routing tables; each is a map of HAProxy. `addresses` is the agent's own, the others are mounted. */
export const MOUNTED_TABLES = ['hosts', 'cluster-ids', 'ports', 'allowed'] as const;
export type MountedTable = typeof MOUNTED_TABLES[number];
export type TableName = MountedTable | 'addresses';

/** Keys and values of a map. */
export type Table = ReadonlyMap<string, string>;
export type MountedTables = Readonly<Record<MountedTable, Table>>;

/** `<service>.<namespace>.svc…:<port>`, and maybe `:<list of allowed sources>`. */
const TARGET = /^[a-z0-9-]+(\.[a-z0-9-]+)+:[1-9]\d{0,4}(:[a-z0-9-]+\/[a-z0-9-]+)?$/;

const LINES: Record<MountedTable, { key: RegExp; value: RegExp }> = {
  'hosts': { key: /^[a-z0-9-]+(\.[a-z0-9-]+)*$/, value: TARGET },
  'cluster-ids': { key: /^[A-Za-z0-9][A-Za-z0-9._-]*$/, value: TARGET },
  'ports': { key: /^[1-9]\d{0,4}$/, value: TARGET },
  'allowed': { key: /^[0-9a-f.:]+\/\d{1,3}@[a-z0-9-]+\/[a-z0-9-]+$/, value: /^1$/ },
};

/** What a line of a map says, or undefined when HAProxy must never see it. */
export function parseLine(table: MountedTable, line: string): [key: string, value: string] | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const space = line.indexOf(' ');
  const [key, value] = [line.slice(0, space), line.slice(space + 1)];
  const valid = space > 0 && LINES[table].key.test(key) && LINES[table].value.test(value);
  return valid && isWithinLimits(table, key, value) ? [key, value] : undefined;
}

/** The service that a target names. */
export function serviceOf(target: string): string {
  return target.slice(0, target.indexOf(':'));
}

/** `service:port` of a target, without the list. */
export function endpointOf(target: string): string {
  return target.split(':', 2).join(':');
}

/** The targets that tables lead to. */
export function targetsOf({ hosts, 'cluster-ids': clusterIds, ports }: MountedTables): string[] {
  return [hosts, clusterIds, ports].flatMap(table => [...table.values()]);
}

/** A table as a file of HAProxy. */
export function tableText(table: Table): string {
  let text = '';
  for (const [key, value] of table) text += `${key} ${value}\n`;
  return text;
}
