import { BlockList } from 'net';
import * as fc from 'fast-check';
import { ipFamily, IpNetwork, validateEndpointAddress } from '../../src/validation/ip-network';

/** A network of either family, and addresses of the same family, in and out of it. */
const networks = fc.oneof(
  fc.record({ family: fc.constant('ipv4' as const), base: fc.ipV4(), prefix: fc.integer({ min: 0, max: 32 }), other: fc.ipV4() }),
  fc.record({ family: fc.constant('ipv6' as const), base: fc.ipV6(), prefix: fc.integer({ min: 0, max: 128 }), other: fc.ipV6() }),
);

/** The network that an address belongs to, found through the remedy of the error when the address has host bits. */
function networkOf(address: string, prefix: number): IpNetwork {
  try {
    return IpNetwork.parse('cidr', `${address}/${prefix}`);
  } catch (error: any) {
    return IpNetwork.parse('cidr', /has host bits set\. Write "(.*)"\./.exec(error.message)![1]);
  }
}

/** The canonical form as WHATWG's URL standard has it, which is RFC 5952's. */
function canonical(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

describe('IpNetwork', () => {
  test('contains what a BlockList of the same subnet contains', () => {
    fc.assert(fc.property(networks, ({ family, base, prefix, other }) => {
      const network = networkOf(base, prefix);
      const list = new BlockList();
      list.addSubnet(base, prefix, family);
      expect(network.contains(base)).toBe(true);
      expect(network.contains(other)).toBe(list.check(other, family));
    }), { numRuns: 500 });
  });

  test('writes addresses in their canonical form', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), address => {
      expect(networkOf(address, address.includes(':') ? 128 : 32).nth(0n)).toBe(canonical(address));
    }), { numRuns: 1000 });
  });

  test('counts addresses from the start of the network and stays in it', () => {
    fc.assert(fc.property(networks, fc.bigInt({ min: 0n, max: 2n ** 128n }), ({ family, base, prefix }, big) => {
      const network = networkOf(base, prefix);
      const size = 2n ** BigInt((family === 'ipv4' ? 32 : 128) - prefix);
      const offset = big % size;
      expect(network.contains(network.nth(offset))).toBe(true);
      expect(networkOf(network.nth(offset), prefix).cidr).toBe(`${network.nth(0n)}/${prefix}`);
    }), { numRuns: 500 });
  });

  test.each([
    ['10.96.0.0/16', 1n, '10.96.0.1'],
    ['10.96.0.0/16', 256n, '10.96.1.0'],
    ['fd00:10:96::/112', 1n, 'fd00:10:96::1'],
    ['::/0', 0n, '::'],
    ['::ffff:10.0.0.0/128', 0n, '::ffff:a00:0'],
    ['1:0:0:2::/64', 0n, '1:0:0:2::'],
    ['1:0:0:2:0:0:3:4/128', 0n, '1::2:0:0:3:4'],
  ])('the address of %s at %s is %s', (cidr, offset, address) => {
    expect(IpNetwork.parse('cidr', cidr).nth(offset)).toBe(address);
  });

  test('contains no address of the other family, and nothing that is not an address', () => {
    expect(IpNetwork.parse('cidr', '0.0.0.0/0').contains('::1')).toBe(false);
    expect(IpNetwork.parse('cidr', '::/0').contains('10.0.0.1')).toBe(false);
    expect(IpNetwork.parse('cidr', '0.0.0.0/0').contains('api.example.com')).toBe(false);
  });

  test.each([
    '', '10.96.0.0', '10.96.0.0/', '10.96.0.0/33', 'fd00::/129', '10.96.0/16', 'example.com/16', '10.96.0.0/-1', '10.96.0.0/16/16', 'fe80::1%eth0/128',
  ])('refuses "%s"', cidr => {
    expect(() => IpNetwork.parse('network.serviceCidrs[0]', cidr)).toThrow(new Error(
      `network.serviceCidrs[0]: "${cidr}" is not a network in CIDR notation. Write address/prefix, e.g. "10.96.0.0/16" or "fd00:10:96::/112".`));
  });

  test.each([['203.0.113.4', '203.0.113.4/32'], ['2001:db8::4', '2001:db8::4/128']])('refuses the address %s and names the network that it is', (address, network) => {
    expect(() => IpNetwork.parse('allowedCidrs[0]', address)).toThrow(new Error(
      `allowedCidrs[0]: "${address}" is not a network in CIDR notation. Write address/prefix, e.g. "${network}" for this address alone.`));
  });

  test.each([['10.96.0.1/16', '10.96.0.0/16'], ['fd00::1/64', 'fd00::/64']])('refuses the host bits of %s and names %s', (cidr, right) => {
    expect(() => IpNetwork.parse('allowedCidrs[0]', cidr)).toThrow(new Error(`allowedCidrs[0]: "${cidr}" has host bits set. Write "${right}".`));
  });
});

describe('ipFamily', () => {
  test.each([['10.0.0.1', 'ipv4'], ['fd00::1', 'ipv6'], ['example.com', undefined], ['10.0.0.1/32', undefined], ['fe80::1%eth0', undefined]])(
    'of %s is %s', (address, family) => {
      expect(ipFamily(address)).toBe(family);
    });
});

describe('validateEndpointAddress', () => {
  const REMEDY = 'Give an address that every node can reach, e.g. one of the node network or a free private one such as "100.64.30.10".';
  const CIDRS = ['10.96.0.0/16', 'fd00:10:96::/112'];

  test.each(['100.64.30.10', '172.20.0.1', '10.97.0.1', 'fd00:10:97::1', '128.0.0.1'])('accepts %s', address => {
    expect(validateEndpointAddress('address', address, CIDRS)).toBe(address);
  });

  test.each([
    ['api.example.com', 'is not an IP address'],
    ['0.0.0.0', 'is the unspecified address'],
    ['::', 'is the unspecified address'],
    ['127.0.0.1', 'is a loopback address, which Kubernetes refuses as an endpoint'],
    ['127.255.255.255', 'is a loopback address, which Kubernetes refuses as an endpoint'],
    ['::1', 'is a loopback address, which Kubernetes refuses as an endpoint'],
    ['::ffff:127.0.0.1', 'is a loopback address, which Kubernetes refuses as an endpoint'],
    ['169.254.20.10', 'is a link-local address, which Kubernetes refuses as an endpoint'],
    ['fe80::1', 'is a link-local address, which Kubernetes refuses as an endpoint'],
    ['224.0.0.1', 'is a multicast address, which no connection leads to'],
    ['ff02::1', 'is a multicast address, which no connection leads to'],
    ['10.96.0.1', 'lies in the service network 10.96.0.0/16; kube-proxy does not route endpoints that are Service addresses'],
    ['fd00:10:96::1', 'lies in the service network fd00:10:96::/112; kube-proxy does not route endpoints that are Service addresses'],
  ])('refuses %s', (address, reason) => {
    expect(() => validateEndpointAddress('address', address, CIDRS)).toThrow(new Error(`address: "${address}" ${reason}. ${REMEDY}`));
  });
});
