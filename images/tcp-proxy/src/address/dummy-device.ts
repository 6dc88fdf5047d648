import { isIPv6 } from 'net';
import { canonical, ip, Link, links } from './ip';

/**
 * A network device that only holds addresses. It is neither a physical link nor `lo`: on those, the kernel would use
 * an address as the source of the node's own traffic, and Cilium ignores addresses on `lo`.
 */
export class DummyDevice {
  constructor(private readonly name: string) {}

  /**
   * Adds what is missing: the device, its state, the addresses.
   *
   * @returns the addresses that were missing
   * @throws Error when `ip` cannot be run, the kernel refuses, or the device is of another kind
   */
  public async ensure(addresses: readonly string[]): Promise<string[]> {
    const device = await this.find() ?? await this.create();
    if (device.linkinfo?.info_kind !== 'dummy') {
      throw new Error(`device ${this.name} exists and is no dummy device, choose another name with --device`);
    }
    // While it is down, the kernel does not deliver to its addresses.
    if (!device.flags.includes('UP')) await ip('link', 'set', this.name, 'up');
    const present = new Set(device.addr_info.map(({ local, prefixlen }) => `${local}/${prefixlen}`));
    const missing = addresses.filter(address => !present.has(hostPrefix(address)));
    for (const address of missing) await ip('address', 'replace', hostPrefix(address), 'dev', this.name, ...notAsSource(address));
    return missing;
  }

  /** Other devices that hold one of the addresses. */
  public async elsewhere(addresses: readonly string[]): Promise<string[]> {
    const wanted = new Set(addresses.map(canonical));
    return (await links())
      .filter(({ ifname, addr_info: held }) => ifname !== this.name && held.some(({ local }) => local !== undefined && wanted.has(local)))
      .map(({ ifname }) => ifname);
  }

  private async find(): Promise<Link | undefined> {
    return (await links()).find(({ ifname }) => ifname === this.name);
  }

  private async create(): Promise<Link> {
    await ip('link', 'add', this.name, 'type', 'dummy');
    return (await this.find())!;
  }
}

function hostPrefix(address: string): string {
  return `${canonical(address)}/${isIPv6(address) ? 128 : 32}`;
}

/** Scope host and a lifetime that is over both say: accept this address, but do not choose it as a source. */
function notAsSource(address: string): string[] {
  return isIPv6(address) ? ['preferred_lft', '0', 'nodad'] : ['scope', 'host'];
}
