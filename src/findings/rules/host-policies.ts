import { Fault, nameOf, Rule } from './rule';
import { grantsOf, hostPolicies, HostPolicy, HostPolicyBinding } from '../../manifests/host-policies';
import { Platform } from '../../manifests/platform';
import { Source } from '../../manifests/source';

export const policyWithoutBinding: Rule = {
  code: 'HCP671',
  severity: 'error',
  title: 'a policy that keeps hosts to their owners has no binding',
  check: ({ sources }) => hostPolicies(sources).filter(({ bindings }) => bindings.length === 0).map(({ source }) => ({
    source,
    message: `no ValidatingAdmissionPolicyBinding names ${source.name}, so it is not in effect: everybody may take hosts of others with its kind of route`,
    remedy: 'Apply all objects of the HostOwnershipPolicy',
  })),
};

export const ownersMissing: Rule = {
  code: 'HCP672',
  severity: 'error',
  title: 'the ConfigMap with the owners of hosts is missing',
  check: ({ sources }) => bindingsOf(sources).filter(binding => ownersOf(sources, binding) === undefined).map(binding => ({
    source: binding.source,
    field: 'spec.paramRef',
    message: `ConfigMap ${binding.namespace}/${binding.name} with the owners of hosts is not among the manifests: while it is missing, `
      + `every route of this kind is ${binding.refuses ? 'refused' : 'taken for one of a stranger'}`,
    remedy: 'Apply all objects of the HostOwnershipPolicy, the ConfigMap first, or name it among the manifests',
  })),
};

export const hostOfAnother: Rule = {
  code: 'HCP673',
  severity: 'error',
  title: 'a route takes a host that the owners of hosts do not give to its namespace',
  check: platform => {
    const lists = ownersLists(platform);
    return platform.routes.flatMap(({ source, host, path, byOperator }): Fault[] => {
      const list = lists.find(({ owners, trusted, covers }) =>
        host !== undefined && (byOperator || covers(source)) && !trusted.includes(source.namespace) &&
        isRefused(owners, host.host, source.namespace, platform.sources));
      if (list === undefined) return [];
      const grants = grantsOf(list.owners, host!.host)!;
      return [{
        source,
        field: path,
        message: `the host ${host!.host} belongs to ${grants.length === 0 ? 'nobody' : grants.join(' and ')} by ${nameOf(list.owners)}, and not to the namespace ${source.namespace}: ` +
          'the route is refused when it is created or changed',
        remedy: 'Give the control plane to the HostOwnershipPolicy as one of its exposures, or its domain to the namespace; or give the control plane another host',
      }];
    });
  },
};

/** Owners of hosts, and what is refused by them. */
interface OwnersList extends Pick<HostPolicy, 'covers'>, Pick<HostPolicyBinding, 'trusted'> {
  readonly owners: Source;
}

function ownersLists({ sources }: Platform): OwnersList[] {
  return hostPolicies(sources).flatMap(({ covers, bindings }) => bindings.filter(({ refuses: is }) => is).flatMap(binding => {
    const owners = ownersOf(sources, binding);
    return owners === undefined ? [] : [{ owners, covers, trusted: binding.trusted }];
  }));
}

const bindingsOf = (sources: Source[]): HostPolicyBinding[] => hostPolicies(sources).flatMap(({ bindings }) => bindings);

function ownersOf(sources: Source[], { namespace, name }: HostPolicyBinding): Source | undefined {
  return sources.find(source => source.kind === 'ConfigMap' && source.namespace === namespace && source.name === name);
}

/** Whether a list gives a host to others alone. A host of no listed domain is another matter: only the policy's expressions say what becomes of it. */
function isRefused(owners: Source, host: string, namespace: string, sources: Source[]): boolean {
  const grants = grantsOf(owners, host);
  if (grants === undefined) return false;
  const labels = labelsOf(sources, namespace);
  // Without the Namespace nobody knows its labels.
  return !grants.some(grant => grant === namespace || (grant.includes('=') && (labels === undefined || grant.split(',').every(label => labels.has(label)))));
}

function labelsOf(sources: Source[], namespace: string): ReadonlySet<string> | undefined {
  const found = sources.find(({ kind, name }) => kind === 'Namespace' && name === namespace)?.object as { metadata?: { labels?: Record<string, unknown> } } | undefined;
  return found && new Set(Object.entries(found.metadata?.labels ?? {}).map(([key, value]) => `${key}=${String(value)}`));
}
