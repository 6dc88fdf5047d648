import { isIP } from 'net';
import { invalidInput } from './invalid-input';
import { validateText } from './text';

/** The two address families, as `net` names them. */
export type IpFamily = 'ipv4' | 'ipv6';


/** An IP network in CIDR notation. */
export class IpNetwork {
  /** Parses CIDR notation; throws with the field's name when it is not one, or has host bits set. */
  public static parse(field: string, cidr: string): IpNetwork {
    const match = /^([^/]+)\/(\d{1,3})$/.exec(validateText(field, cidr));
    const family = match ? ipFamily(match[1]) : undefined;
    const prefix = match ? Number(match[2]) : NaN;
    if (!match || !family || prefix > (family === 'ipv4' ? 32 : 128)) {
      throw invalidInput(field, cidr, 'is not a network in CIDR notation', `Write address/prefix, e.g. ${alone(cidr) ?? '"10.96.0.0/16" or "fd00:10:96::/112"'}`);
    }
    const hostBits = BigInt((family === 'ipv4' ? 32 : 128) - prefix);
    const address = parseAddress(match[1]);
    const network = new IpNetwork(cidr, address >> hostBits, hostBits, family);
    if (network.first !== address) {
      throw invalidInput(field, cidr, 'has host bits set', `Write "${network.nth(0n)}/${prefix}"`);
    }
    return network;
  }

  /** @param start its address without the bits of hosts */
  private constructor(
    public readonly cidr: string,
    private readonly start: bigint,
    private readonly hostBits: bigint,
    public readonly family: IpFamily,
  ) {}

  /** Whether the address lies in this network. */
  public contains(address: string): boolean {
    return ipFamily(address) === this.family && parseAddress(address) >> this.hostBits === this.start;
  }

  /** The address at an offset from the start of the network, in its canonical form. */
  public nth(offset: bigint): string {
    return formatAddress(this.first + offset, this.family);
  }

  /** Whether an address is the one at an offset, however it is written. */
  public isNth(offset: bigint, address: string): boolean {
    return ipFamily(address) === this.family && parseAddress(address) === this.first + offset;
  }

  /** Whether an address lies in both networks. */
  public overlaps(other: IpNetwork): boolean {
    return this.contains(other.nth(0n)) || other.contains(this.nth(0n));
  }

  /** How many addresses it has. */
  public get size(): bigint {
    return 1n << this.hostBits;
  }

  private get first(): bigint {
    return this.start << this.hostBits;
  }
}

/** The family of an address, or undefined when it is not an address. A zone (`fe80::1%eth0`) has a meaning on one machine only. */
export function ipFamily(address: string): IpFamily | undefined {
  if (typeof address !== 'string' || address.includes('%')) {
    return undefined;
  }
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined;
}

/** An address as Kubernetes writes it (RFC 5952): one address has many spellings. */
export function canonicalAddress(address: string): string {
  return formatAddress(parseAddress(address), ipFamily(address)!);
}

/** Whether an address is an IPv4 address written in IPv6 (`::ffff:192.0.2.1`). */
export function isIpv4Mapped(address: string): boolean {
  return ipFamily(address) === 'ipv6' && parseAddress(address) >> 32n === 0xffffn;
}

/** The network that is one address alone; undefined for what is none, or is rather meant as the first one of a network. */
function alone(address: string): string | undefined {
  const family = ipFamily(address);
  return family === undefined || /(\.0|::)$/.test(address) ? undefined : `"${address}/${family === 'ipv4' ? 32 : 128}" for this address alone`;
}

/** Checks an IP address. */
export function validateIpAddress(field: string, address: string): string {
  if (!ipFamily(validateText(field, address))) {
    throw invalidInput(field, address, 'is not an IP address', 'Give an IPv4 or IPv6 address, without a port or a zone');
  }
  return address;
}

/** Checks a network in CIDR notation. */
export function validateNetwork(field: string, cidr: string): string {
  return IpNetwork.parse(field, cidr).cidr;
}

/** Checks a network whose hosts are believed what they say of others: all addresses there are cannot be one. */
export function validateTrustedNetwork(field: string, cidr: string): string {
  const network = IpNetwork.parse(field, cidr);
  if (network.size === (network.family === 'ipv4' ? 1n << 32n : 1n << 128n)) {
    throw invalidInput(field, cidr, 'is every address, so anyone could say whose connections they are', 'Give the networks of those that say it, as small as they are');
  }
  return cidr;
}

/** Whether the text is a loopback address. */
export function isLoopback(address: string): boolean {
  return ipFamily(address) !== undefined && isIn(LOOPBACK, address);
}

/**
 * Checks that an address can stand in `default/kubernetes`: kube-proxy does not translate twice, so a
 * Service address does not work there, and the API refuses loopback and link-local addresses.
 */
export function validateEndpointAddress(field: string, address: string, serviceCidrs: string[]): string {
  const remedy = 'Give an address that every node can reach, e.g. one of the node network or a free private one such as "100.64.30.10"';
  if (!ipFamily(validateText(field, address))) {
    throw invalidInput(field, address, 'is not an IP address', remedy);
  }
  if (isIn(UNSPECIFIED, address)) {
    throw invalidInput(field, address, 'is the unspecified address', remedy);
  }
  if (isIn(LOOPBACK, address)) {
    throw invalidInput(field, address, 'is a loopback address, which Kubernetes refuses as an endpoint', remedy);
  }
  if (isIn(LINK_LOCAL, address)) {
    throw invalidInput(field, address, 'is a link-local address, which Kubernetes refuses as an endpoint', remedy);
  }
  if (isIn(MULTICAST, address)) {
    throw invalidInput(field, address, 'is a multicast address, which no connection leads to', remedy);
  }
  for (const cidr of serviceCidrs) {
    if (IpNetwork.parse('serviceCidrs', cidr).contains(address)) {
      throw invalidInput(field, address, `lies in the service network ${cidr}; kube-proxy does not route endpoints that are Service addresses`, remedy);
    }
  }
  return address;
}

/** Whether an address lies in one of the networks. An IPv4 address may be written in IPv6 (`::ffff:127.0.0.1`). */
function isIn(among: IpNetwork[], address: string): boolean {
  const plain = isIpv4Mapped(address) ? formatAddress(parseAddress(address) & 0xffffffffn, 'ipv4') : address;
  return among.some(network => network.contains(plain));
}

function parseAddress(address: string): bigint {
  if (isIP(address) === 4) {
    return address.split('.').reduce((value, octet) => (value << 8n) + BigInt(octet), 0n);
  }
  // An embedded IPv4 tail (::ffff:10.0.0.1) is two groups.
  const text = address.replace(/\d+\.\d+\.\d+\.\d+$/, tail => {
    const value = parseAddress(tail);
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
  });
  const [head, tail] = text.split('::').map(part => part === '' ? [] : part.split(':'));
  const groups = tail ? [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail] : head;
  return groups.reduce((value, group) => (value << 16n) + BigInt(`0x${group}`), 0n);
}

function formatAddress(value: bigint, family: IpFamily): string {
  if (family === 'ipv4') {
    return [24n, 16n, 8n, 0n].map(shift => (value >> shift) & 0xffn).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  // RFC 5952: the longest run of at least two zero groups is written as "::".
  const runs = [...groups.join(':').matchAll(/(?:^|:)(0(?::0)+)(?=:|$)/g)].map(match => match[1]);
  const longest = runs.sort((a, b) => b.length - a.length)[0];
  return longest ? groups.join(':').replace(new RegExp(`(^|:)${longest}(:|$)`), '::') : groups.join(':');
}

function networks(...cidrs: string[]): IpNetwork[] {
  return cidrs.map(cidr => IpNetwork.parse('network', cidr));
}

// Not BlockLists of `net`: to load those takes as long as to load ten modules of this library.
const LOOPBACK = networks('127.0.0.0/8', '::1/128');
const LINK_LOCAL = networks('169.254.0.0/16', 'fe80::/10');
const MULTICAST = networks('224.0.0.0/4', 'ff00::/8');
const UNSPECIFIED = networks('0.0.0.0/32', '::/128');
