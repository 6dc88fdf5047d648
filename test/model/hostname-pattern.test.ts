import * as fc from 'fast-check';
import { HostnamePattern } from '../../src';

const VALUES = { name: 'tenant-00', namespace: 'team-a', service: 'k8s', domain: 'clastix.cloud' };

describe('HostnamePattern', () => {
  test.each([
    ['kamaji', HostnamePattern.kamaji(), 'team-a-tenant-00.k8s.clastix.cloud'],
    ['steward', HostnamePattern.steward(), 'tenant-00.k8s.clastix.cloud'],
    ['of', HostnamePattern.of('{service}-{name}.{name}.{domain}'), 'k8s-tenant-00.tenant-00.clastix.cloud'],
    ['of, without a domain', HostnamePattern.of('{name}.{service}.internal'), 'tenant-00.k8s.internal'],
  ])('%s fills every placeholder', (_, pattern, hostname) => {
    expect(pattern.hostname(VALUES)).toBe(hostname);
  });

  test.each([
    ['{service}.{domain}', 'lacks {name}. Add {name}, so that every host is different.'],
    ['{name}.{domain}', 'lacks {service}. Add {service}, so that every host is different.'],
    ['{name}.{service}.{zone}', 'has the unknown placeholder {zone}. Use {name}, {namespace}, {service} and {domain}.'],
    ['{name}.{service}.{domain', 'has the unknown placeholder {domain. Use {name}, {namespace}, {service} and {domain}.'],
  ])('refuses %s', (template, reason) => {
    expect(() => HostnamePattern.of(template)).toThrow(new Error(`HostnamePattern.of: hostnamePattern: "${template}" ${reason}`));
  });

  test('refuses values whose host would not be valid', () => {
    const name = 'a'.repeat(60);
    expect(() => HostnamePattern.kamaji().hostname({ ...VALUES, name })).toThrow(new Error(
      `hostname: "team-a-${name}.k8s.clastix.cloud" has the label "team-a-${name}" of 67 characters; DNS allows 63. `
      + 'Shorten it, or set the hostname explicitly.'));
  });

  test('never gives two control planes, or two services, one host under the pattern of Steward', () => {
    const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
    const values = fc.record({ name: label, namespace: fc.constant('n'), service: label, domain: fc.constant('example.com') });
    fc.assert(fc.property(values, values, (a, b) => {
      const same = a.name === b.name && a.service === b.service;
      expect(HostnamePattern.steward().hostname(a) === HostnamePattern.steward().hostname(b)).toBe(same);
    }));
  });
});
