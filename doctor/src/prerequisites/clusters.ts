import { dirname } from 'path';
import { Documents } from '../../../cli/documents';
import { keptBySync, Prerequisite, prerequisitesOf } from '../../../src/manifests/prerequisites';
import { argumentProxies, haproxyProxies, isProxyWorkload } from '../../../src/manifests/proxy';
import { Source } from '../../../src/manifests/source';
import { systemOf } from '../../../src/manifests/systems';

/** What manifests need, by the kind of cluster that they go to. */
export interface Needed {
  readonly management: Prerequisite[];
  /** Of all tenants together. */
  readonly tenants: Prerequisite[];
}

/**
 * Takes manifests apart by the cluster that they seem to go to: a file, or a folder, with a tcp-proxy and without a control plane
 * is a tenant's, and so is what ConfigMaps carry.
 */
export function neededBy({ sources, carried }: Pick<Documents, 'sources' | 'carried'>): Needed {
  const own = sources.slice(0, sources.length - carried.length);
  const tenantFiles = filesOfTenants(own);
  const management = own.filter(({ file }) => !tenantFiles.has(file));
  const kept = own.flatMap(keptBySync);
  return {
    management: prerequisitesOf(management),
    tenants: merged([carried, ...byFolder(own.filter(({ file }) => tenantFiles.has(file)))].map(group => prerequisitesOf(group, kept))),
  };
}

function filesOfTenants(sources: Source[]): Set<string> {
  const files = groups(sources, ({ file }) => file);
  const folders = groups(sources, ({ file }) => dirname(file));
  const ofTenant = [...files].filter(([file, inFile]) => isTenants(inFile) || (!isManagements(inFile) && isTenants(folders.get(dirname(file))!)));
  return new Set(ofTenant.map(([file]) => file));
}

function isTenants(sources: Source[]): boolean {
  return !isManagements(sources)
    && sources.some(source => isProxyWorkload(source) || haproxyProxies(source).length > 0 || argumentProxies(source).length > 0);
}

function isManagements(sources: Source[]): boolean {
  return sources.some(source => systemOf(source) !== undefined || keptBySync(source).length > 0);
}

/** Charts of one tenant may be in several files; those of several tenants in one folder bring the same things. */
function byFolder(sources: Source[]): Source[][] {
  return [...groups(sources, ({ file }) => dirname(file)).values()];
}

function groups(sources: Source[], keyOf: (source: Source) => string): Map<string, Source[]> {
  const found = new Map<string, Source[]>();
  for (const source of sources) {
    const group = found.get(keyOf(source));
    if (group) group.push(source);
    else found.set(keyOf(source), [source]);
  }
  return found;
}

/** What several tenants need alike is needed once. */
function merged(lists: Prerequisite[][]): Prerequisite[] {
  const found = new Map<string, Prerequisite>();
  for (const { neededBy: by, ...rest } of lists.flat()) {
    const key = JSON.stringify(rest);
    found.set(key, { ...rest, neededBy: [...new Set([...found.get(key)?.neededBy ?? [], ...by])].sort() });
  }
  return [...found.values()];
}
