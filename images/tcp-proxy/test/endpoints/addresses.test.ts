import * as fc from 'fast-check';
import { canonicalAddresses, familyOf, whyUnusable } from '../../src/endpoints/addresses';

describe('addresses', () => {
  test.each(['127.0.0.1', '127.8.8.8', '0.0.0.0', '169.254.1.1', '224.0.0.1', '::', '::1', 'fe80::1', 'ff02::1'])(
    '%s is refused as special', (address) => {
      expect(whyUnusable(address)).toMatch('loopback');
    });

  test.each(['', 'api.example.com', '10.0.0.1:6443', '10.0.0', 'fd00::1%eth0', '010.0.0.1'])('"%s" is refused as no address', (address) => {
    expect(whyUnusable(address)).toBe('is not an IP address');
  });

  test('an IPv4-mapped IPv6 address is refused', () => {
    expect(whyUnusable('::ffff:10.0.0.1')).toMatch('IPv4-mapped');
  });

  test('IPv6 is written the canonical way, so that one address cannot appear twice', () => {
    expect(canonicalAddresses(['FD00:0:0::0001', 'fd00::1'])).toEqual(['fd00::1']);
  });

  test('any order of the same addresses, repeated or not, gives the same list', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    const shuffled = fc.array(address).chain((addresses) =>
      fc.tuple(fc.constant(addresses), fc.shuffledSubarray([...addresses, ...addresses], { minLength: 2 * addresses.length })));
    fc.assert(fc.property(shuffled, ([addresses, others]) => {
      expect(canonicalAddresses(others)).toEqual(canonicalAddresses(addresses));
    }));
  });

  test('the result is usable, sorted by bytes, free of duplicates and stable', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (addresses) => {
      const result = canonicalAddresses(addresses);
      expect(result.filter((address) => whyUnusable(address))).toEqual([]);
      expect(new Set(result).size).toBe(result.length);
      expect([...result].sort()).toEqual(result);
      expect(canonicalAddresses(result)).toEqual(result);
      expect(result.every((address) => familyOf(address) === (address.includes(':') ? 'IPv6' : 'IPv4'))).toBe(true);
    }));
  });
});
