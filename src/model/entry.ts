import { PassthroughRoute } from './exposure-props';
import { invalidInput } from '../validation/invalid-input';
import { validateDns1123Label } from '../validation/name';

/** @internal Name of the route to the API server; also the name of its port and listener in Kamaji and Steward. */
export const API_ROUTE = 'kube-apiserver';
/** @internal Name of the route to the konnectivity server; also the name of its port and listener in Kamaji and Steward. */
export const KONNECTIVITY_ROUTE = 'konnectivity-server';
/** The entry of konnectivity, where that has one of its own. */
export const KONNECTIVITY_ENTRY = 'konnectivity';

/** `konnectivity-server-<entry>` is a label, of 63 characters. */
const MAX_ENTRY_NAME = 40;

/** Checks the name of a further entry. */
export function validateEntryName(field: string, name: string): string {
  validateDns1123Label(field, name);
  if (name.length > MAX_ENTRY_NAME) {
    throw invalidInput(field, name, `has more than ${MAX_ENTRY_NAME} characters, and names of routes end with it`, 'Shorten it');
  }
  if (name === KONNECTIVITY_ENTRY) {
    throw invalidInput(field, name, 'is the entry of konnectivity where that has a controller of its own', 'Give the entry another name');
  }
  return name;
}

/** The name of the route to a server at a further entry. Ends with the entry, so that `a` at `b` is not the main route of `a-b`. */
export function entryRouteName(server: string, entry: string): string {
  return `${server}-${entry}`;
}

/** The server behind a route, whatever its entry: the name that the main entry's route to it has. */
export function serverNameOf({ name, entry }: Pick<PassthroughRoute, 'name' | 'entry'>): string {
  return [API_ROUTE, KONNECTIVITY_ROUTE].find(server => entry !== undefined && name === entryRouteName(server, entry)) ?? name;
}

/** Whether routes of one entry are those of the main one, to which the port of the tenant belongs too. */
export function isOfMainEntry(routes: PassthroughRoute[]): boolean {
  return routes.every(({ entry }) => entry === undefined);
}

/** Checks that a name by which something is said of an entry is that of one. */
export function requireKnownEntry(field: string, entry: string, known: ReadonlySet<string>): void {
  if (known.has(entry)) {
    return;
  }
  throw invalidInput(field, entry, 'is the name of no entry of these control planes', known.size === 0
    ? 'They have none but the main one: leave it out'
    : `Name one of ${[...known].map(name => `"${name}"`).join(', ')}`);
}
