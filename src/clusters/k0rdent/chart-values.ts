import { K0sVersion } from '../../platforms/k0smotron/k0s-version';
import { K0smotronServiceType } from '../../platforms/k0smotron/k0smotron-props';
import { invalidInput } from '../../validation/invalid-input';
import { validateSshKeyNames } from '../hetzner/hetzner-ssh-keys';

/**
 * What the chart `hetzner-hosted-cp` 1.2 has where the user gives nothing, of the values that must not be empty. Its own
 * values for `region` and `sshKeyNames` are empty, and the HetznerCluster that it makes of them is refused.
 */
const DEFAULTS = {
  'region': '',
  'tokenRef.key': 'hcloud-token',
  'worker.image': 'ubuntu-24.04',
  'worker.type': 'cpx22',
  'k0s.version': 'v1.34.3+k0s.0',
  'hcloudNetwork.cidrBlock': '10.0.0.0/16',
  'hcloudNetwork.subnetCidrBlock': '10.0.0.0/24',
  'hcloudNetwork.networkZone': 'eu-central',
};

/** Checks what the schema of the chart refuses, and what the objects that the chart makes are refused for. */
export function validateHostedHetznerValues(values: { [name: string]: any }): void {
  for (const [path, standard] of Object.entries(DEFAULTS)) {
    const value = at(values, path);
    if (typeof (value ?? standard) !== 'string' || (value ?? standard) === '') {
      throw invalidInput(`config.${path}`, value, 'is empty in what the chart makes, which is then refused', 'Give a text');
    }
  }
  requireSshKeys(values.sshKeyNames);
  requireCount('workersNumber', values.workersNumber ?? 2);
  requireCount('controlPlane.replicas', values.controlPlane?.replicas ?? 1);
  const text = values.k0s?.version ?? DEFAULTS['k0s.version'];
  const version = K0sVersion.parse('config.k0s.version', text);
  if (text.includes('-k0s.')) {
    throw invalidInput('config.k0s.version', text, 'has the form of an image\'s tag, which k0smotron refuses for workers', `Give "${version}"`);
  }
  if (requireAccess(values.controlPlane ?? {})) {
    version.requireIngress('config.k0s.version');
  }
}

/** Without keys the chart leaves out `sshKeys`, which a HetznerCluster must have. */
export function requireSshKeys(names: string[] | undefined, field = 'config.sshKeyNames'): void {
  if (!Array.isArray(names) || names.length === 0) {
    throw invalidInput(field, names, 'names no key; the chart then leaves out "sshKeys", without which the HetznerCluster is refused',
      'Name an SSH key of the Hetzner Cloud project, or use a HetznerHostedCluster');
  }
  validateSshKeyNames(field, names);
}

/** @returns whether the control plane is reached by host names */
function requireAccess({ service = {}, endpoint = {}, ingress = {} }: any): boolean {
  const type = service.type ?? K0smotronServiceType.LOAD_BALANCER;
  const types: string[] = Object.values(K0smotronServiceType);
  if (!types.includes(type)) {
    throw invalidInput('config.controlPlane.service.type', type, 'is not a type of Service that k0smotron makes', `Give one of ${types.join(', ')}`);
  }
  if (Boolean(ingress.apiHost) !== Boolean(ingress.konnectivityHost)) {
    throw invalidInput('config.controlPlane.ingress', ingress, 'has one host of two; without "apiHost" the chart makes no ingress, and without ' +
      '"konnectivityHost" the control plane is refused', 'Give both apiHost and konnectivityHost');
  }
  if (!ingress.apiHost && type !== K0smotronServiceType.LOAD_BALANCER && !endpoint.host) {
    throw invalidInput('config.controlPlane.endpoint.host', endpoint.host, `is empty, and the chart does not render without it for the type ${type}`,
      'Give an address of the management cluster\'s nodes, or "ingress" with both hosts');
  }
  return Boolean(ingress.apiHost);
}

function requireCount(path: string, count: any): void {
  if (!Number.isInteger(count) || count < 1) {
    throw invalidInput(`config.${path}`, count, 'is refused by the schema of the chart', 'Give a whole number of at least 1');
  }
}

function at(values: any, path: string): any {
  return path.split('.').reduce((value, key) => value?.[key], values);
}
