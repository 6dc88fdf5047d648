import { BlockList } from 'net';
import { canonical, ip, links } from './ip';

/**
 * Makes all addresses of networks the node's own, by `local` routes: a process that listens on all addresses is reached at each,
 * and no device has to hold them.
 */
export class LocalNetworks {
  /** @param networks IPv6 networks in CIDR notation */
  constructor(private readonly networks: readonly string[]) {}

  /**
   * Adds the routes that are missing.
   *
   * @returns their networks
   * @throws Error when `ip` cannot be run, the kernel refuses, or a device has an address of a network: its neighbours would be cut off
   */
  public async ensure(): Promise<string[]> {
    const missing: string[] = [];
    for (const network of this.networks.map(canonicalNetwork)) {
      if (await isLocal(network)) continue;
      await requireUnused(network);
      await ip('-6', 'route', 'replace', 'local', network, 'dev', 'lo');
      missing.push(network);
    }
    return missing;
  }
}

async function isLocal(network: string): Promise<boolean> {
  // A network of one address is shown without a prefix length.
  const [address] = network.split('/');
  const routes = await ip('-6', '-json', 'route', 'show', 'table', 'local', 'exact', network);
  return (JSON.parse(routes || '[]') as { type: string; dst: string; dev: string }[])
    .some(({ type, dst, dev }) => type === 'local' && dev === 'lo' && [network, address].includes(dst));
}

async function requireUnused(network: string): Promise<void> {
  const [address, prefix] = network.split('/');
  const addresses = new BlockList();
  addresses.addSubnet(address, Number(prefix), 'ipv6');
  const user = (await links()).find(({ addr_info: held }) => held.some(({ local }) => local?.includes(':') && addresses.check(local, 'ipv6')));
  if (user) {
    throw new Error(`the network ${network} is that of device ${user.ifname}, whose neighbours would be cut off: name one that is routed to the node, ` +
      'or a part without addresses of devices');
  }
}

function canonicalNetwork(network: string): string {
  const [address, prefix] = network.split('/');
  return `${canonical(address)}/${prefix}`;
}
