import type { IngressController } from '../controllers/ingress-controller';
import { Exposure } from '../model/exposure';
import type { ExposureEntry, ExposureProps, TlsService } from '../model/exposure-props';
import { PlatformDefaults } from '../platforms/control-plane-platform';
import type { ManagementCluster } from '../synthesis/management-cluster';
import { invalidInput } from '../validation/invalid-input';

/** What a user says of an exposure. */
type ExposureWishes = Pick<ExposureProps,
  'namespace' | 'hostname' | 'domain' | 'hostnamePattern' | 'port' | 'konnectivity' | 'tlsServices' | 'backend' | 'network' | 'certSans' | 'clusterId' | 'kubernetesService' | 'konnectivityOwnEntry' | 'furtherEntries'>;

/** What is known of where a control plane is. */
interface Surroundings {
  readonly cluster: ManagementCluster;
  readonly controller?: IngressController;
}

/** The exposure of a control plane: what the user says, and for the rest what its platform does. */
export function exposureOf(name: string, wishes: ExposureWishes, defaults: Partial<PlatformDefaults>, surroundings: Surroundings): Exposure {
  return new Exposure({
    name,
    namespace: wishes.namespace,
    hostname: wishes.hostname,
    domain: wishes.domain,
    hostnamePattern: wishes.hostnamePattern ?? defaults.hostnamePattern,
    port: wishes.port ?? defaults.port,
    konnectivity: wishes.konnectivity && {
      hostname: wishes.konnectivity.hostname,
      port: wishes.konnectivity.port ?? defaults.konnectivityPort,
    },
    konnectivityOwnEntry: wishes.konnectivityOwnEntry,
    konnectivitySharesHostname: !wishes.konnectivityOwnEntry && defaults.konnectivitySharesHostname,
    apiOwnAddress: defaults.apiOwnAddress,
    tlsServices: tlsServicesOf(wishes, defaults.tlsServices ?? []),
    furtherEntries: wishes.furtherEntries?.map(exposureEntry),
    backend: wishes.backend ?? defaults.backend,
    network: wishes.network,
    certSans: wishes.certSans,
    clusterId: wishes.clusterId,
    kubernetesService: wishes.kubernetesService?._of(surroundings.cluster._part, surroundings.controller),
  });
}

/** What an exposure holds of an entry. */
function exposureEntry({ name, hostname, konnectivityHostname, port }: ExposureEntry): ExposureEntry {
  return { name, hostname, konnectivityHostname, port };
}

/** The TLS services of a control plane: those that the user gives, then those that its platform always has. */
function tlsServicesOf({ tlsServices = [], domain }: ExposureWishes, known: TlsService[]): TlsService[] {
  const missing = known.filter(({ name }) => !tlsServices.some(service => service.name === name));
  if (domain === undefined && missing.length > 0) {
    throw invalidInput('tlsServices', tlsServices.map(({ name }) => name), `lacks ${missing.map(({ name }) => `"${name}"`).join(' and ')}, which the platform ` +
      'publishes too, and without "domain" there are no hosts for them',
    `Give a host for each, e.g. { name: "${missing[0].name}", hostname: "${missing[0].name}.tenant-01.example.com" }, or give "domain"`);
  }
  return [...tlsServices.map(service => ({ ...known.find(({ name }) => name === service.name), ...given(service) })), ...missing];
}

/** Without fields that are written as undefined, which would hide those of the platform. */
function given(service: TlsService): TlsService {
  return Object.fromEntries(Object.entries(service).filter(([, value]) => value !== undefined)) as unknown as TlsService;
}
