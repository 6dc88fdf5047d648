import { isIP } from 'net';
import { invalidInput } from './invalid-input';
import { validateText } from './text';

export const DNS_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/**
 * Names that every tenant's API server answers to inside its own cluster. A route for one of them on a
 * shared address would take the traffic of all tenants.
 */
export const IN_CLUSTER_NAME = /^kubernetes(\.default(\.svc(\..+)?)?)?$/;

/** Nobody asks DNS for such a name: clients read an IP address, or what ought to be one. */
export const ENDS_IN_NUMBER = /(^|\.)\d+$/;

/**
 * Checks that a value can be an SNI host on a shared address and returns it unchanged.
 *
 * Nothing is normalised: SANs, routes and DNS records carry the value as written, so a value that would
 * have to be changed is an error.
 */
export function validateHostname(field: string, value: string): string {
  const fail = (reason: string, remedy: string) => invalidInput(field, value, reason, remedy);

  validateText(field, value);
  if (value === '') {
    throw fail('is empty', 'Give the public DNS name of the endpoint, e.g. "tenant-01.k8s.example.com"');
  }
  if (isIP(value.replace(/^\[(.*)\](:\d+)?$/, '$1')) || isIP(value.replace(/:\d+$/, ''))) {
    throw fail(
      'is an IP address; clients send no SNI for an IP address, so a shared address cannot route it',
      'Give a DNS name that resolves to the address',
    );
  }
  if (value.includes('*')) {
    throw fail('is a wildcard; a control plane answers on one name', 'Give the exact name; wildcards belong into DNS only');
  }
  validateDnsName(field, value);
  if (IN_CLUSTER_NAME.test(value)) {
    throw fail('is an in-cluster name that every tenant shares', 'Give a name that belongs to this tenant alone');
  }
  if (!value.includes('.')) {
    throw fail('has no domain', `Give a fully qualified name, e.g. "${value}.k8s.example.com"`);
  }
  return value;
}

/** Checks that a value is a lower-case DNS name without port, scheme or final dot that leads somewhere, and returns it unchanged. */
export function validateDnsName(field: string, value: string): string {
  validateText(field, value);
  if (isIP(value)) {
    throw invalidInput(field, value, 'is an IP address', 'Give a DNS name');
  }
  validateDnsSubdomain(field, value);
  if (ENDS_IN_NUMBER.test(value)) {
    throw invalidInput(field, value, 'ends in a number, which is for IP addresses, and is none', 'Give a DNS name, or correct the address where one may stand');
  }
  return value;
}

/** Checks that a value has the shape of a lower-case DNS name, as Kubernetes wants it for prefixes of labels, and returns it unchanged. */
export function validateDnsSubdomain(field: string, value: string): string {
  const fail = (reason: string, remedy: string) => invalidInput(field, value, reason, remedy);

  validateText(field, value);
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value);
  if (scheme) {
    throw fail('is a URL', `Give the host alone: "${value.slice(scheme[0].length).split(/[/:]/)[0]}"`);
  }
  const port = /^(.*):(\d+)$/.exec(value);
  if (port) {
    throw fail('carries a port', `Host and port are separate: give "${port[1]}" here, and the port ${port[2]} where a port is asked for`);
  }
  if (value.endsWith('.')) {
    throw fail('ends with a dot; SNI and certificates carry names without it', `Write "${value.replace(/\.+$/, '')}"`);
  }
  if (value !== value.toLowerCase()) {
    throw fail('has upper-case letters; routes and certificates compare lower-case names', `Write "${value.toLowerCase()}"`);
  }
  if (value.length > 253) {
    throw fail(`is ${value.length} characters long; DNS allows 253`, 'Shorten the name or the domain');
  }
  for (const label of value.split('.')) {
    if (label.length > 63) {
      throw fail(`has the label "${label}" of ${label.length} characters; DNS allows 63`, 'Shorten it, or set the hostname explicitly');
    }
    if (!DNS_LABEL.test(label)) {
      throw fail(
        `has the label "${label}", which is not a DNS label`,
        'Use lower-case letters, digits and "-", starting and ending with a letter or digit',
      );
    }
  }
  return value;
}
