import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT } from '../../manifests/tenant-control-plane-facts';
import { entryRouteName, KONNECTIVITY_ROUTE } from '../../model/entry';
import { Exposure } from '../../model/exposure';
import { invalidInput } from '../../validation/invalid-input';
import { ipFamily } from '../../validation/ip-network';
import { OperatorRoutes } from '../tenant-control-plane/tenant-control-plane-props';

/** The public port that Steward writes into kubeconfigs and its tcp-proxy behind an Ingress. */
const INGRESS_PORT = 443;

/** Checks what Steward cannot do, mostly because it hard-codes it. */
export function validateStewardExposure(exposure: Exposure, routedBy: OperatorRoutes, tcpProxy: boolean): void {
  validateNetworks(exposure, tcpProxy);
  validateKonnectivityHost(exposure);
  if (routedBy === OperatorRoutes.GATEWAY) {
    validateGatewayPorts(exposure);
    return;
  }
  if (exposure.api.port !== INGRESS_PORT) {
    throw invalidInput('port', exposure.api.port, `is not ${INGRESS_PORT}, which Steward writes into kubeconfigs behind an Ingress`,
      `Leave it out and have the shared address listen on ${INGRESS_PORT}`);
  }
}

function validateNetworks({ serviceCidrs, podCidrs }: Exposure, tcpProxy: boolean): void {
  const fields = { 'network.serviceCidrs': serviceCidrs, 'network.podCidrs': podCidrs };
  for (const [field, cidrs] of Object.entries(fields)) {
    if (cidrs.length > 1) {
      throw invalidInput(field, cidrs, 'are two networks; Steward\'s custom resource holds one', 'Give one network, or use Kamaji, which has dual stack');
    }
  }
  if (tcpProxy && ipFamily(serviceCidrs[0].split('/')[0]) === 'ipv6') {
    throw invalidInput('network.serviceCidrs', serviceCidrs, 'is IPv6, while Steward\'s tcp-proxy publishes IPv4 endpoints only',
      'Leave out tcpProxy and use a TcpProxyAddon');
  }
}

/** Steward issues the konnectivity server's certificate, and makes its TLSRoute, for this host only. */
function validateKonnectivityHost({ api, konnectivity }: Exposure): void {
  if (!konnectivity) {
    return;
  }
  if (!api.host.includes('.k8s.')) {
    throw invalidInput('hostname', api.host, 'has no ".k8s." for Steward to replace by ".konnectivity.", so that konnectivity would have the same host',
      'Give a host like "tenant-01.k8s.example.com", or leave out konnectivity');
  }
  const expected = api.host.replace('.k8s.', '.konnectivity.');
  if (konnectivity.host !== expected) {
    throw invalidInput('konnectivity.hostname', konnectivity.host, `is not the host that Steward issues the konnectivity certificate for, "${expected}"`,
      'Give that host, or leave out both it and hostname, so that "domain" makes them');
  }
}

/** A further host leads to the konnectivity server as well, and no agent would take its certificate. */
export function validateStewardEntries({ konnectivity, routes }: Exposure): void {
  const route = routes.find(({ name, entry }) => entry !== undefined && name === entryRouteName(KONNECTIVITY_ROUTE, entry));
  if (route) {
    throw invalidInput(`konnectivityHostname of the entry ${route.entry}`, route.hostname, 'is not the host that Steward issues the konnectivity certificate for, ' +
      `"${konnectivity!.host}"`, 'Leave it out: agents keep to that host');
  }
}

function validateGatewayPorts({ api, konnectivity, routes }: Exposure): void {
  const hardCoded = (field: string, value: number, expected: number) => {
    if (value !== expected) {
      throw invalidInput(field, value, `is not ${expected}, which Steward hard-codes behind a Gateway`,
        'Leave it out, or have this library create the routes (operatorRoutes: NONE)');
    }
  };
  hardCoded('apiPort', routes[0].servicePort, DEFAULT_API_PORT);
  hardCoded('port', api.port, DEFAULT_API_PORT);
  if (konnectivity) {
    hardCoded('konnectivityServer.port', routes[1].servicePort, DEFAULT_KONNECTIVITY_PORT);
    hardCoded('konnectivity.port', konnectivity.port, DEFAULT_KONNECTIVITY_PORT);
  }
}
