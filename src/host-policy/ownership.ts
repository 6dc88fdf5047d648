import { celOr, celText } from './cel';

/** Hosts as the API server compares them: lower-case ASCII, without a final dot; `*` is every host. */
const COMPARABLE = '^([*]|([*][.])?[a-z0-9_-]+([.][a-z0-9_-]+)*)$';
/** Labels of the longest name that is looked up. Each costs a step of each host, and a hostile host may have 127. */
const MAX_LABELS = 20;
/** Hosts of one object. Without a limit one with 20,000 has the API server compute until the budget of the policy is used up. */
const MAX_HOSTS = 1000;
/** What is split at spaces has empty parts, which are counted too: to leave them out of a long list costs as much as comparing it. */
const MAX_PARTS = MAX_HOSTS + 24;

/** A variable or a check of a ValidatingAdmissionPolicy. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface Validation {
  readonly expression: string;
  /** What is said where the longer one cannot be made. */
  readonly message: string;
  readonly messageExpression?: string;
}

/**
 * What follows from the names that an object takes.
 *
 * @param onlyListed whether hosts of domains that nobody listed are refused too
 */
export function ownershipVariables(onlyListed: boolean): NamedExpression[] {
  const granted = (domain: string) => `variables.listed[${domain}].split(' ').exists(grant, grant.split(',').all(part, part in variables.identities))`;
  const indexes = Array.from({ length: MAX_LABELS }, (_, i) => i).join(', ');
  // The most specific domain of the list comes first. "a.b.c".split(".", 2)[1] is "b.c".
  const domains = `[${indexes}].filter(i, i < base.split('.').size()).map(i, base.split('.', i + 1)[i]).filter(domain, domain in variables.listed)`;
  return [
    { name: 'listed', expression: celOr('params.data', '{}') },
    {
      name: 'identities',
      expression: `[request.namespace] + ${celOr('namespaceObject.metadata.labels', '{}')}.map(key, key + '=' + namespaceObject.metadata.labels[key])`,
    },
    { name: 'parts', expression: "variables.names.split(' ')" },
    {
      name: 'hosts',
      expression: `(variables.parts.size() > ${MAX_PARTS} ? [] : variables.parts).filter(name, name != '').map(name, name.lowerAscii())` +
        ".map(name, name.endsWith('.') ? name.substring(0, name.size() - 1) : name)",
    },
    { name: 'unreadable', expression: `variables.hosts.filter(host, !host.matches(${celText(COMPARABLE)}))` },
    {
      name: 'foreign',
      expression: [
        "variables.hosts.filter(host, host != '*' && ![host.startsWith('*.') ? host.substring(2) : host].all(base,",
        `  base.split('.').size() <= ${MAX_LABELS} &&`,
        `  [${domains}].all(domains, domains.size() == 0 ? ${onlyListed ? 'false' : 'true'} : ${granted('domains[0]')}) &&`,
        `  (!host.startsWith('*.') || !variables.listed.exists(domain, domain.endsWith('.' + base) && !${granted('domain')}))))`,
      ].join('\n'),
    },
  ];
}

/** @param list where the domains are written, for people */
export function ownershipValidations(list: string): Validation[] {
  return [
    {
      expression: `variables.parts.size() <= ${MAX_PARTS}`,
      message: `it takes more than ${MAX_HOSTS} hosts. Spread them over several objects.`,
    },
    {
      expression: 'variables.unreadable.size() == 0',
      message: 'a host is not one that can be compared. Write DNS names in ASCII without ports, exact or as "*.example.com".',
      messageExpression: '\'the host "\' + variables.unreadable[0] + \'" is not one that can be compared. Write a DNS name in ASCII without a port, exact or as "*.example.com".\'',
    },
    {
      expression: "!('*' in variables.hosts)",
      message: 'it takes every host, those of others too. Name its hosts.',
    },
    {
      expression: 'variables.foreign.size() == 0',
      message: `a host does not belong to this namespace. Take one of a domain that does, or ask for an entry in ${list}.`,
      messageExpression: '\'the host "\' + variables.foreign[0] + \'" does not belong to the namespace "\' + request.namespace + ' +
        `'". Take one of a domain that does, or ask for an entry in ${list}.'`,
    },
  ];
}
