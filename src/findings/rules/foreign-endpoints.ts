import { Fault, nameOf, Rule } from './rule';
import { endpointsAtAddress, inOneForm } from '../../manifests/by-address';
import { endpointsAtPort } from '../../manifests/by-port';
import { Platform } from '../../manifests/platform';

export const foreignEndpoints: Rule = {
  code: 'HCP648',
  severity: 'error',
  title: 'pods of two tenants are led to the API server of one',
  check: platform => [...foreignPorts(platform), ...foreignAddresses(platform)],
};

function foreignPorts(platform: Platform): Fault[] {
  return platform.controlPlanes.flatMap(controlPlane => {
    const [first, ...others] = endpointsAtPort(controlPlane, platform);
    // A tenant has one Service kubernetes, and so one port.
    return others.filter(({ ports }) => ports[0].value !== first.ports[0].value).map(({ source, ports: [port] }) => ({
      source,
      field: port.path,
      message: `port ${port.value} leads to ${nameOf(controlPlane.source)}, as port ${first.ports[0].value} of another tenant's default/kubernetes does: pods of one tenant reach the other`,
      remedy: 'Lead the port of each tenant to its own API server',
    }));
  });
}

/** A tenant has one address: what another one's endpoints hold is not its own. */
function foreignAddresses(platform: Platform): Fault[] {
  return platform.controlPlanes.flatMap(controlPlane => {
    const [first, ...others] = endpointsAtAddress(controlPlane, platform);
    const different = others.filter(({ addresses }) => inOneForm(addresses[0].value) !== inOneForm(first.addresses[0].value));
    return different.map(({ source, addresses: [address] }): Fault => ({
      source,
      field: address.path,
      message: `${address.value} leads to ${nameOf(controlPlane.source)}, as ${first.addresses[0].value} of another tenant's default/kubernetes does: pods of one tenant reach the other`,
      remedy: 'Lead the address of each tenant to its own API server',
    }));
  });
}
