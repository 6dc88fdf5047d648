import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { validateText } from '../validation/text';

/** Whether a name lies below a domain, at any depth. */
export function isBelow(name: string, domain: string): boolean {
  return name.endsWith(`.${domain}`);
}

/** The deepest of the domains that the name is, or lies below. */
export function closestDomain(name: string, domains: string[]): string | undefined {
  return domains.filter(domain => name === domain || isBelow(name, domain)).sort((a, b) => b.length - a.length)[0];
}

/** The name without its first label; undefined for a single label. */
export function parentOf(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot < 0 ? undefined : name.slice(dot + 1);
}

/** The name as a zone file writes it below `$ORIGIN`: `@` for the zone itself. */
export function relativeName(name: string, zone: string): string {
  return name === zone ? '@' : name.slice(0, -zone.length - 1);
}

/** The domain whose wildcard a record's name is; undefined for other names. */
export function wildcardDomain(name: string): string | undefined {
  return name.startsWith('*.') ? name.slice(2) : undefined;
}

/** Checks a lower-case DNS name that may start with `*.` and returns it unchanged. */
export function validateRecordName(field: string, name: string): string {
  validateText(field, name);
  const domain = wildcardDomain(name) ?? name;
  if (domain.includes('*')) {
    throw invalidInput(field, name, 'has a "*" inside; DNS knows wildcards as the whole first label alone (RFC 4592)', 'Write "*." and a domain');
  }
  validateDnsName(field, domain);
  return name;
}
