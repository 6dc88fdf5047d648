import { validateClusterId } from './cluster-id';
import { validateEntryName } from './entry';
import type { Exposure } from './exposure';
import type { ExposureBackend, ExposureEntry, ExposureProps, KonnectivityExposure, TlsService } from './exposure-props';
import type { HostnamePattern } from './hostname-pattern';
import { A_PATH } from './kubernetes-service-path';
import type { TenantNetwork } from './tenant-network';
import { validateDns1035Label, validateDns1123Label, validatePort } from '../validation/name';
import { Check, Checks, flag, instance, listOf, optional, orHolder, struct } from '../validation/props';
import { validateText } from '../validation/text';

/*
 * What each property may be by itself. Hosts and networks are texts here: where they are used, more is known of them.
 */

export const KONNECTIVITY: Checks<KonnectivityExposure> = {
  hostname: optional(validateText),
  port: optional(validatePort),
};

export const TLS_SERVICE: Checks<TlsService> = {
  name: validateDns1123Label,
  hostname: optional(validateText),
  port: optional(validatePort),
  serviceName: optional(validateDns1035Label),
  servicePort: optional(validatePort),
  podPort: optional(validatePort),
};

export const ENTRY: Checks<ExposureEntry> = {
  name: validateEntryName,
  hostname: optional(validateText),
  konnectivityHostname: optional(validateText),
  port: optional(validatePort),
};

export const TENANT_NETWORK: Checks<TenantNetwork> = {
  clusterDomain: optional(validateText),
  serviceCidrs: optional(listOf(validateText)),
  podCidrs: optional(listOf(validateText)),
  dnsServiceIps: optional(listOf(validateText)),
};

export const HOSTNAME_PATTERN: Check<HostnamePattern> = instance<HostnamePattern>('Give one, e.g. HostnamePattern.steward()', 'hostname');

export const BACKEND: Checks<ExposureBackend> = {
  serviceName: validateDns1035Label,
  serviceNamespace: optional(validateDns1123Label),
  konnectivityServiceName: optional(validateDns1035Label),
  apiPort: optional(validatePort),
  apiPodPort: optional(validatePort),
  konnectivityPort: optional(validatePort),
};

export const EXPOSURE: Checks<ExposureProps> = {
  name: validateDns1035Label,
  namespace: validateDns1123Label,
  hostname: optional(validateText),
  domain: optional(validateText),
  hostnamePattern: optional(HOSTNAME_PATTERN),
  port: optional(validatePort),
  konnectivity: optional(struct(KONNECTIVITY)),
  konnectivitySharesHostname: optional(flag),
  konnectivityOwnEntry: optional(flag),
  furtherEntries: optional(listOf(struct(ENTRY))),
  apiOwnAddress: optional(flag),
  tlsServices: optional(listOf(struct(TLS_SERVICE))),
  backend: optional(struct(BACKEND)),
  network: optional(struct(TENANT_NETWORK)),
  certSans: optional(listOf(validateText)),
  clusterId: optional(validateClusterId),
  kubernetesService: optional(A_PATH),
};

export const AN_EXPOSURE: Check<Exposure> =
  orHolder(instance<Exposure>('Give that of a control plane, or a new Exposure()', 'api', 'routes', 'certSans'), { exposure: 'Give its exposure' });
