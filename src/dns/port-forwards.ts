import { requireAnswerable } from './answerable';
import { DnsFile, DnsOutput } from './dns-output';
import { TenantDns } from './tenant-dns';
import { invalidInput } from '../validation/invalid-input';
import { IpFamily, ipFamily, validateIpAddress } from '../validation/ip-network';
import { Checks, checkProps, listOf } from '../validation/props';
import { required } from '../validation/required';

/** For public addresses that a router translates. */
export interface PortForwardsOutputProps {
  /**
   * Addresses of the ingress controller behind the router: for each family one for all public addresses, or one for each,
   * in their order. Public IPv6 addresses may have none: they are reached without translation.
   */
  readonly internalAddresses: string[];
}

/** One port that a router forwards. */
interface PortForward {
  readonly publicAddress: string;
  readonly port: number;
  /** None where nothing is translated. */
  readonly internalAddress?: string;
}

const CHECKS: Checks<PortForwardsOutputProps> = {
  internalAddresses: listOf(validateIpAddress, 'Give the addresses that the router forwards to'),
};

/**
 * A table of what the router of the public addresses forwards, or lets through: TCP alone, to the same port. The public
 * addresses are the target of the names.
 */
export class PortForwardsOutput extends DnsOutput {
  private readonly internal: string[];

  public constructor(props: PortForwardsOutputProps) {
    super();
    checkProps('', required('props', props, 'Give internalAddresses'), CHECKS);
    this.internal = props.internalAddresses;
  }

  public override files(dns: TenantDns): DnsFile[] {
    requireAnswerable('a router', dns);
    const rows = this.forwards(dns).map(({ publicAddress, port, internalAddress }) => internalAddress === undefined
      ? ['allow', publicAddress, port, '–', '–']
      : ['forward', publicAddress, port, internalAddress, port]);
    return [{
      name: 'port-forwards.md',
      text: [
        '| rule | public address | TCP port | internal address | TCP port |',
        '| --- | --- | --- | --- | --- |',
        ...rows.map(row => `| ${row.join(' | ')} |`),
        '',
        'Forward TCP as it is: a router or proxy that opens TLS takes the SNI host and client certificates away.',
        'Names that resolve to the public address inside the network too need hairpin NAT there, or a zone of their own with the internal address.',
        '',
      ].join('\n'),
    }];
  }

  private forwards({ target, routes }: TenantDns): PortForward[] {
    const ports = [...new Set(routes.map(route => route.port))].sort((a, b) => a - b);
    const pairs = [...this.pairs(target.ipv4, 'ipv4'), ...this.pairs(target.ipv6, 'ipv6')];
    if (pairs.length === 0) {
      throw invalidInput('target', target.canonical, 'is no public address to forward from', 'Use DnsTarget.addresses with the public addresses');
    }
    return pairs.flatMap(pair => ports.map(port => ({ ...pair, port })));
  }

  private pairs(publicAddresses: string[], family: IpFamily): Omit<PortForward, 'port'>[] {
    const internal = this.internal.filter(address => ipFamily(address) === family);
    const name = family === 'ipv4' ? 'IPv4' : 'IPv6';
    if (publicAddresses.length === 0 && internal.length > 0) {
      throw invalidInput('internalAddresses', internal, `is of the family ${name}, of which there is no public address`,
        `Remove it, or add the public ${name} address to the target: routers translate within a family`);
    }
    if (publicAddresses.length > 0 && internal.length === 0 && family === 'ipv4') {
      throw invalidInput('internalAddresses', this.internal, `has no IPv4 address for the public address ${publicAddresses[0]}`,
        'Add the IPv4 address of the ingress controller: routers translate within a family');
    }
    if (internal.length > 1 && internal.length !== publicAddresses.length) {
      throw invalidInput('internalAddresses', internal, `are ${internal.length} ${name} addresses for ${publicAddresses.length} public ones`,
        'Give one for all, or one for each in their order');
    }
    return publicAddresses.map((publicAddress, i) => ({ publicAddress, internalAddress: internal[i] ?? internal[0] }));
  }
}
