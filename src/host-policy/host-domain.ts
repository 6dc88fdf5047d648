import { Exposure } from '../model/exposure';
import { isRoutedByPort } from '../model/routed-by-port';
import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { Checks, optional, someOf } from '../validation/props';

/** A domain, and whose it is. */
export interface HostDomain {
  /** A DNS name: it and all names below it. A domain below another one has owners of its own. */
  readonly domain: string;
  /**
   * Namespaces whose objects may take its hosts.
   * @default - those with `namespaceLabels`; without either of them nobody may
   */
  readonly namespaces?: string[];
  /**
   * Labels of namespaces whose objects may take its hosts, all of them. They are as safe as the right to label namespaces.
   * @default - those in `namespaces`
   */
  readonly namespaceLabels?: { [name: string]: string };
}

export const HOST_DOMAIN: Checks<HostDomain> = {
  domain: validateDnsName,
  namespaces: optional(someOf(validateDns1123Label)),
  namespaceLabels: optional((field, labels) => {
    validateLabels(field, labels!);
    if (Object.keys(labels!).length === 0) {
      throw invalidInput(field, labels, 'is empty, so every namespace would have them', 'Give at least one label, or leave it out');
    }
  }),
};

/**
 * The owners of each domain, as the policy reads them: grants with spaces between them. A grant is the name of a namespace, or labels `key=value` with
 * commas between them.
 */
export function ownersOfDomains(domains: HostDomain[], exposures: Exposure[]): { [domain: string]: string } {
  const owners = new Map<string, Set<string>>();
  const add = (domain: string, grants: string[]) => {
    const all = owners.get(domain) ?? new Set();
    owners.set(domain, all);
    grants.forEach(grant => all.add(grant));
  };
  domains.forEach(({ domain, namespaces = [], namespaceLabels }, i) => {
    if (owners.has(domain)) {
      throw invalidInput(`domains[${i}].domain`, domain, 'is listed already', 'Give all its owners in one place');
    }
    const labels = Object.entries(namespaceLabels ?? {}).map(([key, value]) => `${key}=${value}`).sort().join(',');
    add(domain, [...namespaces, ...labels === '' ? [] : [labels]]);
  });
  for (const { namespace, routes, portRoute } of exposures) {
    routes.filter(({ ownAddress }) => !ownAddress).forEach(route => {
      const namespaces = [namespace, route.serviceNamespace];
      add(route.hostname, namespaces);
      if (isRoutedByPort(route)) {
        add(`port-${route.port}`, namespaces);
      }
    });
    if (portRoute) add(`port-${portRoute.port}`, [namespace, portRoute.serviceNamespace]);
  }
  return Object.fromEntries([...owners].sort(([a], [b]) => a < b ? -1 : 1).map(([domain, grants]) => [domain, [...grants].sort().join(' ')]));
}
