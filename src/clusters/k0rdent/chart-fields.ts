import { validateHostedHetznerValues } from './chart-values';
import { invalidInput } from '../../validation/invalid-input';

/** What is done with a value: `true` is used as it is, a text says why it has no effect, an object has fields. */
interface Fields { readonly [name: string]: true | string | Fields }

const DROPPED = 'is written into a field that no custom resource has, so that it is dropped silently';

/** Why a placement group cannot be given; continues a sentence. */
export const NO_PLACEMENT_GROUPS = 'names a placement group, for which the HetznerCluster of the chart has no field';

/** The values of the chart `hetzner-hosted-cp` 1.2, from its values.yaml and templates. */
const HOSTED_HETZNER_1_2: Fields = {
  workersNumber: true,
  controlPlane: {
    replicas: true,
    service: { type: true, apiNodePort: DROPPED, konnectivityNodePort: DROPPED },
    endpoint: { host: true },
    ingress: { apiHost: true, konnectivityHost: true },
  },
  clusterNetwork: { pods: { cidrBlocks: true }, services: { cidrBlocks: true } },
  clusterLabels: true,
  clusterAnnotations: true,
  region: true,
  sshKeyNames: true,
  tokenRef: { name: true, key: true },
  placementGroupName: DROPPED,
  labels: DROPPED,
  controlPlaneLoadBalancer: 'belongs to a load balancer that a hosted control plane does not have',
  hcloudNetwork: { enabled: true, cidrBlock: true, subnetCidrBlock: true, networkZone: true },
  worker: { image: true, type: true, placementGroupName: NO_PLACEMENT_GROUPS, dataDisks: DROPPED, additionalSecurityGroups: DROPPED },
  k0s: { version: true, arch: true, api: { extraArgs: true }, network: true },
  workerConfig: { args: true, postStartCommands: true, preInstallCommands: DROPPED, files: true },
  // What k0rdent itself adds to the values of every chart.
  clusterIdentity: true,
  auth: true,
  audit: true,
  dataSource: true,
  global: true,
};

/** The version of the chart that is known here. */
export const HOSTED_HETZNER_VERSION = '1.2';
/** Its HetznerCluster has no `sshKeys`, whatever its values are: 1.3.17 beside the definitions of Hetzner's provider 1.1.8. */
const VERSION_WITHOUT_KEYS = '1.3';
const TEMPLATE = /^hetzner-hosted-cp-(\d+)-(\d+)-/;

/** The minor version of the chart `hetzner-hosted-cp` that a template is of, by its usual name. */
export function hostedHetznerVersion(template: string): string | undefined {
  const match = TEMPLATE.exec(template);
  return match ? `${match[1]}.${match[2]}` : undefined;
}

/** What is to be said of a template whatever its values are. */
export function templateWarning(template: string): string | undefined {
  return hostedHetznerVersion(template) === VERSION_WITHOUT_KEYS
    ? `template: the HetznerCluster that the chart of "${template}" makes has no "sshKeys", without which Hetzner's provider refuses it (1.3.17 was ` +
      `rendered). Use a template of ${HOSTED_HETZNER_VERSION}, or a HetznerHostedCluster.`
    : undefined;
}

/** Refuses values that the chart of a known template does not know, or drops. */
export function validateChartValues(template: string, values: { [name: string]: any }): void {
  if (hostedHetznerVersion(template) === HOSTED_HETZNER_VERSION) {
    validateFields('config', values, HOSTED_HETZNER_1_2, template);
    validateHostedHetznerValues(values);
  }
}

function validateFields(path: string, values: { [name: string]: any }, fields: Fields, template: string): void {
  for (const [name, value] of Object.entries(values)) {
    const field = `${path}.${name}`;
    const known = Object.prototype.hasOwnProperty.call(fields, name) ? fields[name] : undefined;
    if (known === undefined) {
      throw invalidInput(field, value, `is not a value of the chart of ${template}`, `Use one of ${Object.keys(fields).join(', ')}`);
    }
    if (typeof known === 'string') {
      throw invalidInput(field, value, known, 'Leave it out');
    }
    if (known !== true && value !== null && typeof value === 'object') {
      validateFields(field, value, known, template);
    }
  }
}
