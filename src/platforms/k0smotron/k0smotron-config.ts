import { Exposure } from '../../model/exposure';
import { invalidInput } from '../../validation/invalid-input';
import { IpNetwork } from '../../validation/ip-network';
import { ApiServerCertificate, certificateFlagValue, SNI_CERTIFICATE_FLAG } from '../api-server-certificates';
import { listUnlessEmpty, unlessEmpty } from '../tenant-control-plane/tenant-control-plane-spec';

/** The network of a cluster that k0s runs: one family, as k0smotron's Service `kubernetes` is IPv4 only. */
export interface K0sNetwork {
  readonly podCidr: string;
  readonly serviceCidr: string;
  readonly clusterDomain: string;
}

/** Keys of the ClusterConfig's spec that are not the user's to set, and what to do instead. */
const MANAGED_KEYS: { readonly [path: string]: string } = {
  'api.port': 'Use "apiPort"',
  'api.externalAddress': 'Use "hostname" and "port" of the control plane',
  'api.sans': 'Use "certSans" of the control plane',
  'api.extraArgs.endpoint-reconciler-type': 'Leave it out',
  'konnectivity.agentPort': 'Use "konnectivityPort"',
  'konnectivity.externalAddress': 'Use "konnectivity" of the control plane',
  'network.podCIDR': 'Use "network.podCidrs" of the control plane',
  'network.serviceCIDR': 'Use "network.serviceCidrs" of the control plane',
  'network.clusterDomain': 'Use "network.clusterDomain" of the control plane',
  'storage': 'Use "storage"',
};

const ANONYMOUS_AUTH = 'anonymous-auth';

/** Where the Secret of a further host is mounted. k0smotron makes the name of the volume of the path (its generateStatefulSet). */
export const CERTIFICATE_FOLDER = '/etc/serving-certificate';

/** Refuses a certificate of the user's own beside that of an entry, for the same flag. */
export function requireNoOwnCertificate(config: { [name: string]: any } = {}): void {
  const own = config.api?.extraArgs?.[SNI_CERTIFICATE_FLAG];
  if (own !== undefined) {
    throw invalidInput(`k0sConfig.api.extraArgs.${SNI_CERTIFICATE_FLAG}`, own, 'stands beside a certificate of furtherEntries, which uses the same flag',
      'Give the host an entry with the certificate');
  }
}

/** Whether the user forbids anonymous requests, which the health check of a tcp-proxy needs. */
export function forbidsAnonymousHealth(config: { [name: string]: any } = {}): boolean {
  return String(config.api?.extraArgs?.[ANONYMOUS_AUTH]) === 'false';
}

/** Checks a spec of k0s' ClusterConfig. */
export function validateK0sConfig(config: { [name: string]: any } = {}): void {
  if (config.apiVersion !== undefined || config.kind !== undefined || config.spec !== undefined) {
    throw invalidInput('k0sConfig', Object.keys(config), 'is a whole ClusterConfig', 'Give the content of its "spec"');
  }
  for (const [path, remedy] of Object.entries(MANAGED_KEYS)) {
    const value = at(config, path);
    if (value !== undefined) {
      throw invalidInput(`k0sConfig.${path}`, value, 'would be overwritten: it follows from other properties', remedy);
    }
  }
  const refuseEnabled = (path: string, reason: string, remedy: string) => {
    if (at(config, path) === true) {
      throw invalidInput(`k0sConfig.${path}`, true, reason, remedy);
    }
  };
  refuseEnabled('network.nodeLocalLoadBalancing.enabled', 'is refused by k0s together with an external address, which a hosted control plane has',
    'Leave it out');
  refuseEnabled('network.dualStack.enabled', 'does not work: k0smotron\'s Service kubernetes in the tenant is IPv4 only', 'Leave it out, or use Kamaji');
}

/** What the k0s ClusterConfig says beyond the user's settings. */
export interface K0sConfigOptions {
  readonly network: K0sNetwork;
  /** Names for the API server's certificate that k0smotron and k0s do not add. */
  readonly certSans: string[];
  /** Whether anybody may ask the API server for its health, as a tcp-proxy does; k0s forbids it by default. */
  readonly anonymousHealth: boolean;
  /** A certificate of a further host; k0s hands each flag on once. */
  readonly certificate?: ApiServerCertificate;
}

/** The k0s ClusterConfig, as k0smotron takes it. */
export function k0sClusterConfig(config: { [name: string]: any } = {}, options: K0sConfigOptions): { [name: string]: any } {
  const { network, certSans, anonymousHealth, certificate } = options;
  const ownArgs = anonymousHealth ? { [ANONYMOUS_AUTH]: 'true', ...config.api?.extraArgs } : config.api?.extraArgs;
  const extraArgs = certificate ? { ...ownArgs, [SNI_CERTIFICATE_FLAG]: certificateFlagValue(CERTIFICATE_FOLDER, certificate.hosts) } : ownArgs;
  return {
    apiVersion: 'k0s.k0sproject.io/v1beta1',
    kind: 'ClusterConfig',
    metadata: { name: 'k0s' },
    spec: {
      ...config,
      api: unlessEmpty({ ...config.api, sans: listUnlessEmpty(certSans), extraArgs }),
      network: {
        ...config.network,
        podCIDR: network.podCidr,
        serviceCIDR: network.serviceCidr,
        clusterDomain: network.clusterDomain,
      },
    },
  };
}

/** The network of a tenant; refuses what k0smotron cannot do. */
export function k0sNetwork(tenant: Pick<Exposure, 'serviceCidrs' | 'podCidrs' | 'clusterDomain' | 'dnsServiceIps'>): K0sNetwork {
  const single = (field: string, cidrs: string[]): string => {
    if (cidrs.length > 1 || IpNetwork.parse(field, cidrs[0]).family === 'ipv6') {
      throw invalidInput(field, cidrs, 'does not work: k0smotron\'s Service kubernetes in the tenant is IPv4 only',
        'Give one IPv4 network, or use Kamaji, which has dual stack');
    }
    return cidrs[0];
  };
  const serviceCidr = single('network.serviceCidrs', tenant.serviceCidrs);
  const dnsAddress = IpNetwork.parse('network.serviceCidrs', serviceCidr).nth(10n);
  const otherDns = tenant.dnsServiceIps.filter(ip => ip !== dnsAddress);
  if (otherDns.length > 0) {
    throw invalidInput('network.dnsServiceIps', otherDns, `cannot be chosen: k0s gives its DNS the tenth address, ${dnsAddress}`, 'Leave it out');
  }
  return { serviceCidr, podCidr: single('network.podCidrs', tenant.podCidrs), clusterDomain: tenant.clusterDomain };
}

function at(config: any, path: string): any {
  return path.split('.').reduce((value, key) => value?.[key], config);
}
