import { ApiServerCertificate } from '../api-server-certificates';
import { PlatformBindOptions } from '../control-plane-platform';
import { nodePortRange } from './hypershift-node-ports';
import { HypershiftProps } from './hypershift-props';
import { validateApiPublishing } from './hypershift-publishing-validation';
import { isAroHcp } from './hypershift-services';
import { hostedControlPlaneNamespace } from '../../manifests/hypershift-facts';
import { validateUuid } from '../../model/cluster-id';
import { KONNECTIVITY_ENTRY, KONNECTIVITY_ROUTE, serverNameOf } from '../../model/entry';
import { Exposure } from '../../model/exposure';
import { PassthroughRoute } from '../../model/exposure-props';
import { invalidInput } from '../../validation/invalid-input';
import { IpNetwork, ipFamily, validateEndpointAddress } from '../../validation/ip-network';

/** `allowedCIDRBlocks` has this many items at most (HostedCluster, CRD). */
const MAX_ALLOWED_CIDRS = 500;

/** Checks what depends on the properties alone. */
export function validateHypershift(props: HypershiftProps): void {
  validateApiPublishing(props);
  nodePortRange(props);
  const { allowedCidrBlocks } = props;
  if (allowedCidrBlocks && (allowedCidrBlocks.length === 0 || allowedCidrBlocks.length > MAX_ALLOWED_CIDRS)) {
    throw invalidInput('allowedCidrBlocks', allowedCidrBlocks.length, `networks are not between 1 and ${MAX_ALLOWED_CIDRS}`,
      'Leave it out to allow everyone, or join neighbouring networks');
  }
}

/** Checks what an exposure asks of HyperShift. */
export function validateHypershiftExposure(props: HypershiftProps, { exposure, controller }: PlatformBindOptions): void {
  const { clusterId, konnectivity } = exposure;
  if (isAroHcp(props)) {
    validateAroHcp(props, { clusterId, gateway: controller._gateway !== undefined });
  } else if (clusterId !== undefined) {
    throw invalidInput('clusterId', clusterId, 'has no effect: nodes of HyperShift send a cluster ID on ARO HCP alone',
      'Leave it out; the ID of the HostedCluster is clusterId of ControlPlanePlatform.hypershift()');
  }
  if (!konnectivity) {
    throw invalidInput('konnectivity', undefined, 'is not set, but HyperShift runs konnectivity always and must know its host',
      'Give "konnectivity", e.g. { hostname: "konnectivity.tenant-01.example.com" }, or {} together with "domain"');
  }
  exposure.routes.slice(1).filter(({ entry }) => entry === undefined).forEach(route => requireOwnService(route, exposure.routes[0]));
  validateNetwork(exposure);
  validateAdvertiseAddress(props, exposure);
}

/**
 * HyperShift issues the certificates of its servers for the hosts that it publishes. A further host of the API server can have a
 * certificate of its own (`configuration.apiServer.servingCerts`); the konnectivity server has no such field.
 */
export function validateHypershiftEntries({ routes }: Exposure, certificates: ApiServerCertificate[]): void {
  for (const route of routes.filter(({ entry }) => entry !== undefined && entry !== KONNECTIVITY_ENTRY)) {
    if (serverNameOf(route) === KONNECTIVITY_ROUTE) {
      throw invalidInput(`konnectivityHostname of the entry ${route.entry}`, route.hostname, 'would be a host that the certificate of HyperShift\'s konnectivity server does not have, and no field adds one',
        'Leave it out: agents keep to the host of "konnectivity"');
    }
    if (!certificates.some(({ hosts }) => hosts.includes(route.hostname))) {
      throw invalidInput(`hostname of the entry ${route.entry}`, route.hostname, 'would be a host that the certificate of HyperShift\'s API server does not have, and no field adds one',
        'Give the entry a certificate of its own, e.g. ServingCertificate.certManager({ issuer })');
    }
  }
}

/** The nodes of ARO HCP send the cluster ID, to HyperShift's router or to a gateway in its place. */
function validateAroHcp(props: HypershiftProps, { clusterId, gateway }: { clusterId?: string; gateway: boolean }): void {
  if (clusterId !== undefined) {
    validateUuid('clusterId', clusterId);
    if (props.clusterId !== undefined && props.clusterId !== clusterId) {
      throw invalidInput('clusterId', clusterId, `is not the clusterId of the platform, "${props.clusterId}"`, 'Leave one of them out');
    }
  } else if (gateway) {
    throw invalidInput('clusterId', undefined, 'is not set, so HyperShift would choose one that the shared gateway does not know', 'Give a UUID');
  }
  if (gateway && props.httpProxy?.httpsProxy !== undefined) {
    throw invalidInput('httpProxy.httpsProxy', props.httpProxy.httpsProxy,
      'has the nodes reach the API server by CONNECT, without the PROXY header that the shared gateway requires',
      'Let the nodes reach the gateway without an HTTP proxy');
  }
}

/** OAuth and ignition are pods of their own. The API host may lead to the API server at a further port, e.g. by SNI for kubectl; its certificate has the host. */
function requireOwnService({ name, hostname, serviceName, servicePort }: PassthroughRoute, api: PassthroughRoute): void {
  if (serviceName === api.serviceName && !(hostname === api.hostname && servicePort === api.servicePort)) {
    throw invalidInput('tlsServices', name, 'leads to the API server', `Give its serviceName, as \`oc get route ${name}\` shows it in the control plane's namespace`);
  }
}

/** The namespace that HyperShift runs the control plane in. */
export function validNamespaceOf(name: string, namespace: string): string {
  const joined = hostedControlPlaneNamespace(name, namespace);
  if (joined.length > 63) {
    throw invalidInput('name', name, `makes the namespace "${joined}" of the control plane, which is longer than 63 characters`,
      'Shorten the name or the namespace');
  }
  return joined;
}

function validateNetwork(exposure: Exposure): void {
  if (exposure.clusterDomain !== 'cluster.local') {
    throw invalidInput('network.clusterDomain', exposure.clusterDomain, 'cannot be chosen in OpenShift', 'Leave it out');
  }
  if (exposure.dnsServiceIps.length > 0) {
    throw invalidInput('network.dnsServiceIps', exposure.dnsServiceIps, 'cannot be chosen in OpenShift, which takes the tenth address', 'Leave it out');
  }
  const own = [...exposure.routes.map(({ hostname }) => hostname), ...exposure.inClusterNames];
  const additional = exposure.certSans.filter(san => !own.includes(san));
  if (additional.length > 0) {
    throw invalidInput('certSans', additional, 'cannot be added to the certificate that HyperShift issues',
      'Leave it out, and give the HostedCluster a serving certificate in configuration.apiServer.servingCerts by a patch');
  }
}

function validateAdvertiseAddress({ advertiseAddress, machineCidrs = [] }: HypershiftProps, { serviceCidrs, podCidrs }: Exposure): void {
  if (advertiseAddress === undefined) {
    return;
  }
  validateEndpointAddress('advertiseAddress', advertiseAddress, serviceCidrs);
  if (ipFamily(advertiseAddress) !== IpNetwork.parse('network.serviceCidrs', serviceCidrs[0]).family) {
    throw invalidInput('advertiseAddress', advertiseAddress, `is not of the family of the first Service network, ${serviceCidrs[0]}`,
      'Give an address of that family');
  }
  for (const cidr of [...podCidrs, ...machineCidrs]) {
    if (IpNetwork.parse('cidr', cidr).contains(advertiseAddress)) {
      throw invalidInput('advertiseAddress', advertiseAddress, `lies in ${cidr}, which the cluster uses`, 'Give an address outside of all its networks');
    }
  }
}
