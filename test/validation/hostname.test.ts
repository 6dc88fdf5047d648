import * as fc from 'fast-check';
import { validateDnsName, validateHostname } from '../../src/validation/hostname';

const LONG_LABEL = 'a'.repeat(64);
const LONG_NAME = `${'a.'.repeat(126)}example`;

describe.each([['validateHostname', validateHostname], ['validateDnsName', validateDnsName]])('%s', (_, validate) => {
  test.each([undefined, null, 7])('refuses %p, which the compiler cannot always see', value => {
    expect(() => validate('hostname', value as any)).toThrow(new Error(
      `hostname: ${value === undefined ? 'is not set' : `${value} is not a text`}. Give a text; if it comes from the environment or a file, make sure that it is set there.`));
  });
});

describe('validateHostname', () => {
  test.each([
    'tenant-01.k8s.example.com', 'a.b', '1.example.com', 'xn--bcher-kva.example', `${'a'.repeat(63)}.example.com`, 'kubernetes.example.com',
    'kubernetes-default.svc.example',
  ])('accepts %s as it is', value => {
    expect(validateHostname('hostname', value)).toBe(value);
  });

  test.each([
    ['', 'hostname: "" is empty. Give the public DNS name of the endpoint, e.g. "tenant-01.k8s.example.com".'],
    ...['10.0.0.1', '10.0.0.1:443', 'fd00::1', '[fd00::1]', '[fd00::1]:443'].map(ip => [ip,
      `hostname: "${ip}" is an IP address; clients send no SNI for an IP address, so a shared address cannot route it. `
      + 'Give a DNS name that resolves to the address.']),
    ['*.k8s.example.com', 'hostname: "*.k8s.example.com" is a wildcard; a control plane answers on one name. '
      + 'Give the exact name; wildcards belong into DNS only.'],
    ['https://api.example.com:443/path', 'hostname: "https://api.example.com:443/path" is a URL. Give the host alone: "api.example.com".'],
    ['api.example.com:443', 'hostname: "api.example.com:443" carries a port. '
      + 'Host and port are separate: give "api.example.com" here, and the port 443 where a port is asked for.'],
    ['api.example.com.', 'hostname: "api.example.com." ends with a dot; SNI and certificates carry names without it. Write "api.example.com".'],
    ['API.example.com', 'hostname: "API.example.com" has upper-case letters; routes and certificates compare lower-case names. '
      + 'Write "api.example.com".'],
    [LONG_NAME, `hostname: "${LONG_NAME}" is 259 characters long; DNS allows 253. Shorten the name or the domain.`],
    [`${LONG_LABEL}.example.com`, `hostname: "${LONG_LABEL}.example.com" has the label "${LONG_LABEL}" of 64 characters; DNS allows 63. `
      + 'Shorten it, or set the hostname explicitly.'],
    ...[['a_b', 'a_b.example.com'], ['-a', '-a.example.com'], ['a-', 'a-.example.com'], ['', 'a..example.com'], ['', '.example.com'],
      ['a b', 'a b.example.com'], ['bücher', 'bücher.example.com']].map(([label, name]) => [name,
      `hostname: "${name}" has the label "${label}", which is not a DNS label. `
      + 'Use lower-case letters, digits and "-", starting and ending with a letter or digit.']),
    ...['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'].map(name => [name,
      `hostname: "${name}" is an in-cluster name that every tenant shares. Give a name that belongs to this tenant alone.`]),
    ['tenant-01', 'hostname: "tenant-01" has no domain. Give a fully qualified name, e.g. "tenant-01.k8s.example.com".'],
  ])('refuses "%s"', (value, message) => {
    expect(() => validateHostname('hostname', value)).toThrow(new Error(message));
  });

  test('accepts every domain name and returns it unchanged', () => {
    fc.assert(fc.property(fc.domain().map(name => name.toLowerCase()), name => {
      expect(validateHostname('hostname', name)).toBe(name);
    }));
  });

  test('accepts nothing that a certificate or a route could not carry', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.webUrl(), fc.ipV4(), fc.ipV6()), text => {
      let accepted: string | undefined;
      try {
        accepted = validateHostname('hostname', text);
      } catch (error: any) {
        expect(error.message).toMatch(/^hostname: ".*/);
        return;
      }
      expect(accepted).toBe(text);
      expect(new URL(`https://${text}/`).hostname).toBe(text);
      expect(text).toMatch(/^(?=.{1,253}$)([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/);
    }));
  });
});

describe('validateDnsName', () => {
  test('names the field, whatever it is', () => {
    expect(() => validateDnsName('certSans[3]', 'a:1')).toThrow(/^certSans\[3\]: "a:1" carries a port/);
  });

  test.each(['10.0.0.1', 'fd00::1'])('refuses the IP address %s', value => {
    expect(() => validateDnsName('domain', value)).toThrow(new Error(`domain: "${value}" is an IP address. Give a DNS name.`));
  });

  test.each(['203.0.113.300', '10.96.0', '8080', 'example.443'])('refuses %s, for which nobody would ask DNS', value => {
    expect(() => validateDnsName('domain', value)).toThrow(new Error(
      `domain: "${value}" ends in a number, which is for IP addresses, and is none. Give a DNS name, or correct the address where one may stand.`));
  });

  test.each(['localhost', 'kubernetes', 'kubernetes.default.svc', '10.in-addr.arpa', '4.example.x2'])('accepts %s, which is no host of a shared address', value => {
    expect(validateDnsName('name', value)).toBe(value);
  });
});
