import { entryRouteName } from './entry';
import { ExposureEntry, PassthroughRoute } from './exposure-props';
import { validateHostname } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';

/** The routes of further entries: as those of the main one, by other hosts. */
export function furtherRoutes(entries: ExposureEntry[], api: PassthroughRoute, konnectivity: PassthroughRoute | undefined): PassthroughRoute[] {
  return entries.flatMap(({ name: entry, hostname, konnectivityHostname, port = 443 }, i) => {
    const field = `furtherEntries[${i}]`;
    if (entries.findIndex(({ name }) => name === entry) !== i) {
      throw invalidInput(`${field}.name`, entry, 'is the name of another entry of this control plane', 'Give each a name of its own');
    }
    if (hostname === undefined && konnectivityHostname === undefined) {
      throw invalidInput(`${field}.hostname`, undefined, 'is not set, and neither is konnectivityHostname, so that the entry leads nowhere', 'Give one of them');
    }
    if (konnectivityHostname !== undefined && !konnectivity) {
      throw invalidInput(`${field}.konnectivityHostname`, konnectivityHostname, 'leads to no server: the control plane has no konnectivity', 'Leave it out, or give "konnectivity" of the control plane');
    }
    const { ownAddress: _, ...server } = api;
    const at = (route: PassthroughRoute, what: string, host: string): PassthroughRoute =>
      ({ ...route, name: entryRouteName(route.name, entry), hostname: validateHostname(`${field}.${what}`, host), port, entry });
    return [
      ...hostname === undefined ? [] : [at(server, 'hostname', hostname)],
      ...konnectivityHostname === undefined ? [] : [at(konnectivity!, 'konnectivityHostname', konnectivityHostname)],
    ];
  });
}

/** A host resolves to the address of one entry. */
export function validateHostsOfEntries(routes: PassthroughRoute[]): void {
  routes.forEach((route, i) => {
    const other = routes.slice(0, i).find(({ hostname, entry }) => hostname === route.hostname && entry !== route.entry);
    if (other) {
      throw invalidInput(`host of ${route.name}`, route.hostname, `is also that of ${other.name}, and a host leads to one entry`, `Give ${route.name} a host of its own`);
    }
  });
}
