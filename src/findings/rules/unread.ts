import { Fault, Rule } from './rule';
import { labelledControlPlane } from '../../manifests/labels';
import { isRelevant, Platform } from '../../manifests/platform';
import { Route } from '../../manifests/route';

export const unreadControlPlane: Rule = {
  code: 'HCP003',
  severity: 'error',
  title: 'a control plane cannot be read, or not all of it',
  check: platform => platform.unread.map(({ source, field, reason, remedy }) => ({ source, field, message: reason, remedy })),
};

export const missingControlPlane: Rule = {
  code: 'HCP004',
  severity: 'error',
  title: 'routes lead to a control plane that is not among the manifests',
  check: platform => [...labelledRoutes(platform)]
    .filter(([owner, routes]) => !routes.some(route => isRelevant(route, platform)) && !isThere(owner, platform))
    .map(([owner, [route]]): Fault => ({
      source: route.source,
      field: route.path,
      message: `is a route of the control plane ${owner}, which is not among these manifests, so it was compared with nothing`,
      remedy: 'Name the file with its custom resource too; one of a platform of your own has to describe itself (docs/testing.md)',
    })),
};

/** The routes that this library made for each control plane, by `namespace/name`. */
function labelledRoutes({ routes }: Platform): Map<string, Route[]> {
  const byOwner = new Map<string, Route[]>();
  for (const route of routes) {
    const name = route.byOperator ? undefined : labelledControlPlane(route.source);
    const owner = `${route.source.namespace}/${name}`;
    if (name !== undefined) byOwner.set(owner, [...byOwner.get(owner) ?? [], route]);
  }
  return byOwner;
}

/** Whether the control plane is there, though none of these routes leads to it, or is reported already. */
function isThere(owner: string, { controlPlanes, unread }: Platform): boolean {
  return controlPlanes.some(({ source, service }) => [source.namespace, service?.namespace].some(namespace =>
    [source.name, labelledControlPlane(source)].some(name => `${namespace}/${name}` === owner)))
    || unread.some(({ source }) => `${source.namespace}/${source.name}` === owner);
}
