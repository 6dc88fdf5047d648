import { HetznerRegion, ZONE_OF_REGION } from './hetzner-region';
import { HetznerClusterSettings, HetznerPrivateNetwork, HetznerServers, HetznerTokenSecret, K0sNetworkProvider } from './hetzner-settings';
import { validateSshKeyNames } from './hetzner-ssh-keys';
import { TenantNetwork } from '../../model/tenant-network';
import { K0sVersion } from '../../platforms/k0smotron/k0s-version';
import { invalidInput } from '../../validation/invalid-input';
import { IpNetwork } from '../../validation/ip-network';

/** The servers of a pool with every default. */
export type ResolvedHetznerServers = Required<Omit<HetznerServers, 'placementGroup'>> & Pick<HetznerServers, 'placementGroup'>;

/** The settings with every default. */
export interface ResolvedHetznerSettings {
  readonly k0sVersion: K0sVersion;
  readonly sshKeyNames: string[];
  readonly tokenSecret: Required<HetznerTokenSecret>;
  readonly privateNetwork?: Required<HetznerPrivateNetwork>;
  readonly networkProvider: K0sNetworkProvider;
  readonly network: TenantNetwork & Required<Pick<TenantNetwork, 'serviceCidrs' | 'podCidrs'>>;
}

/** Checks the settings and fills the defaults in. */
export function resolveHetznerSettings(settings: HetznerClusterSettings): ResolvedHetznerSettings {
  const k0sVersion = K0sVersion.parse('k0sVersion', settings.k0sVersion);
  if (settings.access._mode.mode === 'ingress') {
    k0sVersion.requireIngress('k0sVersion');
  }
  const network = {
    ...settings.network,
    serviceCidrs: settings.network?.serviceCidrs ?? ['10.96.0.0/12'],
    podCidrs: settings.network?.podCidrs ?? ['10.244.0.0/16'],
  };
  const privateNetwork = settings.privateNetwork && resolvePrivateNetwork(settings.privateNetwork, settings.region);
  validateDisjoint(network, privateNetwork?.cidr);
  return {
    k0sVersion,
    sshKeyNames: validateSshKeyNames('sshKeyNames', settings.sshKeyNames ?? []),
    tokenSecret: {
      name: settings.tokenSecret?.name ?? 'hetzner',
      key: settings.tokenSecret?.key ?? 'hcloud-token',
    },
    privateNetwork,
    networkProvider: settings.networkProvider ?? K0sNetworkProvider.CUSTOM,
    network,
  };
}

/** Fills the defaults of a pool in. */
export function resolveServers(servers: HetznerServers): ResolvedHetznerServers {
  return { replicas: servers.replicas ?? 1, type: servers.type, image: servers.image ?? 'ubuntu-24.04', placementGroup: servers.placementGroup };
}

function resolvePrivateNetwork(network: HetznerPrivateNetwork, region: HetznerRegion): Required<HetznerPrivateNetwork> {
  const cidr = IpNetwork.parse('privateNetwork.cidr', network.cidr ?? '10.0.0.0/16');
  const subnet = IpNetwork.parse('privateNetwork.subnetCidr', network.subnetCidr ?? '10.0.0.0/24');
  if (!cidr.contains(subnet.nth(0n)) || prefixOf(subnet.cidr) < prefixOf(cidr.cidr)) {
    throw invalidInput('privateNetwork.subnetCidr', subnet.cidr, `does not lie in the network ${cidr.cidr}`, 'Give a part of the network');
  }
  const zone = network.zone ?? ZONE_OF_REGION[region];
  if (zone !== ZONE_OF_REGION[region]) {
    throw invalidInput('privateNetwork.zone', zone, `does not reach the region ${region}, which lies in ${ZONE_OF_REGION[region]}`, 'Leave it out');
  }
  return { cidr: cidr.cidr, subnetCidr: subnet.cidr, zone };
}

/** Two networks that overlap make addresses of one unreachable. */
function validateDisjoint(network: ResolvedHetznerSettings['network'], privateCidr?: string): void {
  const networks: [string, string][] = [
    ...network.serviceCidrs.map((cidr): [string, string] => ['network.serviceCidrs', cidr]),
    ...network.podCidrs.map((cidr): [string, string] => ['network.podCidrs', cidr]),
    ...privateCidr === undefined ? [] : [['privateNetwork.cidr', privateCidr] as [string, string]],
  ];
  networks.forEach(([field, cidr], i) => {
    for (const [otherField, otherCidr] of networks.slice(0, i)) {
      const [a, b] = [IpNetwork.parse(field, cidr), IpNetwork.parse(otherField, otherCidr)];
      if (a.contains(b.nth(0n)) || b.contains(a.nth(0n))) {
        throw invalidInput(field, cidr, `overlaps with ${otherField} ${otherCidr}`, 'Give networks that are apart');
      }
    }
  });
}

function prefixOf(cidr: string): number {
  return Number(cidr.split('/')[1]);
}
