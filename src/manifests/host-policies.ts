import { pick, pickList, pickRecord, pickText, pickTexts } from './fields';
import { Source } from './source';

/** A policy of HostOwnershipPolicy: hosts of one kind of route belong to who is in its ConfigMap of owners. */
export interface HostPolicy {
  readonly source: Source;
  /** What puts it into effect, and with whose owners. */
  readonly bindings: HostPolicyBinding[];
  /** Whether it looks at objects of this kind. */
  readonly covers: (source: Source) => boolean;
}

export interface HostPolicyBinding {
  readonly source: Source;
  /** The ConfigMap of owners. */
  readonly namespace: string;
  readonly name: string;
  /** Whether objects that take a host of others are refused. */
  readonly refuses: boolean;
  /** Whose objects are not looked at. */
  readonly trusted: string[];
}

/** What such a policy calls what it compares. */
const VARIABLES = ['listed', 'identities', 'hosts', 'foreign'];

/** The policies among objects, each with its bindings. */
export function hostPolicies(sources: Source[]): HostPolicy[] {
  const bindings = sources.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
  return sources.filter(isHostPolicy).map(source => ({
    source,
    bindings: bindings.filter(({ object }) => pickText(object, 'spec.policyName') === source.name).map(bindingOf),
    covers: coversOf(source),
  }));
}

/** Who may take a host, of the most specific domain that it is in; undefined where it is in none. */
export function grantsOf(owners: Source, host: string): string[] | undefined {
  const listed = pickRecord(owners.object, 'data');
  for (let domain = host; ; domain = domain.slice(domain.indexOf('.') + 1)) {
    const grants = listed[domain];
    if (typeof grants === 'string') return grants.split(' ').filter(grant => grant !== '');
    if (!domain.includes('.')) return undefined;
  }
}

function coversOf({ object }: Source): HostPolicy['covers'] {
  const rules = pickList(object, 'spec.matchConstraints.resourceRules').map(rule => ({ groups: pickTexts(rule, 'apiGroups'), resources: pickTexts(rule, 'resources') }));
  // The plural of a kind ends in s, es or ies.
  return ({ apiVersion, kind }) => rules.some(({ groups, resources }) => groups.includes(apiVersion.includes('/') ? apiVersion.split('/')[0] : '') &&
    resources.some(resource => resource.startsWith(kind.toLowerCase().slice(0, -1)) && resource.length <= kind.length + 2));
}

function isHostPolicy({ kind, object }: Source): boolean {
  if (kind !== 'ValidatingAdmissionPolicy' || pickText(object, 'spec.paramKind.kind') !== 'ConfigMap') return false;
  const names = pickList(object, 'spec.variables').map(variable => pickText(variable, 'name'));
  return VARIABLES.every(name => names.includes(name));
}

function bindingOf(source: Source): HostPolicyBinding {
  const { object } = source;
  const trusted = pickList(object, 'spec.matchResources.namespaceSelector.matchExpressions').filter(expression =>
    pickText(expression, 'key') === 'kubernetes.io/metadata.name' && pickText(expression, 'operator') === 'NotIn').flatMap(expression => pickTexts(expression, 'values'));
  return {
    source,
    namespace: pickText(object, 'spec.paramRef.namespace') ?? '',
    name: pickText(object, 'spec.paramRef.name') ?? '',
    refuses: (pick(object, 'spec.validationActions') as unknown[] | undefined)?.includes('Deny') ?? false,
    trusted,
  };
}
