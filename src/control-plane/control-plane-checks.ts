import type { ControlPlaneEntry, KonnectivityEntry } from './control-plane-entry';
import type { IHostedControlPlane } from './hosted-control-plane';
import type { HostedControlPlaneAttributes } from './hosted-control-plane-attributes';
import type { IngressExposedControlPlaneProps } from './ingress-exposed-control-plane-props';
import { A_SERVING_CERTIFICATE } from './serving-certificate';
import type { IngressController } from '../controllers/ingress-controller';
import { validateClusterId } from '../model/cluster-id';
import { BACKEND, ENTRY, HOSTNAME_PATTERN, KONNECTIVITY, TENANT_NETWORK, TLS_SERVICE } from '../model/exposure-checks';
import { A_PATH } from '../model/kubernetes-service-path';
import { SECRETS } from '../model/secret-checks';
import type { ControlPlanePlatform } from '../platforms/control-plane-platform';
import { NETWORK_POLICY } from '../platforms/network-policy';
import { validateAnnotations } from '../validation/annotations';
import { invalidInput } from '../validation/invalid-input';
import { validateIpAddress, validateNetwork } from '../validation/ip-network';
import { validateLabels } from '../validation/labels';
import { validateDns1035Label, validateDns1123Label, validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { all, Check, Checks, flag, instance, listOf, optional, orHolder, struct } from '../validation/props';
import { validateText } from '../validation/text';

export const CONTROLLER: Check<IngressController> =
  orHolder(instance<IngressController>('Give one, e.g. IngressController.haproxy()', 'bind', 'validateRoutes'),
    { asController: 'Give what its asController() returns', controller: 'Give its controller' });

export const A_CONTROL_PLANE: Check<IHostedControlPlane> =
  instance<IHostedControlPlane>('Give the tenant\'s IngressExposedControlPlane', 'exposure', 'secrets');

const PLATFORM: Check<ControlPlanePlatform> = instance<ControlPlanePlatform>('Give one, e.g. ControlPlanePlatform.kamaji()', 'bind', 'defaults');

const SOURCES = optional(all(listOf(validateNetwork), (field, cidrs: string[]) => {
  if (cidrs.length === 0) {
    throw invalidInput(field, cidrs, 'is empty, which would let nobody in', 'Leave it out to allow everyone, or list networks');
  }
}));

const CONTROL_PLANE_ENTRY: Checks<ControlPlaneEntry> = {
  ...ENTRY,
  controller: optional(CONTROLLER),
  allowedCidrs: SOURCES,
  certificate: optional(A_SERVING_CERTIFICATE),
};

const KONNECTIVITY_ENTRY: Checks<KonnectivityEntry> = {
  ...KONNECTIVITY,
  controller: optional(CONTROLLER),
  allowedCidrs: SOURCES,
};

/** What a control plane has, whoever makes it. */
const EXPOSED = {
  namespace: validateDns1123Label,
  name: optional(validateDns1035Label),
  hostname: optional(validateText),
  domain: optional(validateText),
  hostnamePattern: optional(HOSTNAME_PATTERN),
  port: optional(validatePort),
  konnectivity: optional(struct(KONNECTIVITY)),
  tlsServices: optional(listOf(struct(TLS_SERVICE))),
  network: optional(struct(TENANT_NETWORK)),
  certSans: optional(listOf(validateText)),
  clusterId: optional(validateClusterId),
  kubernetesService: optional(A_PATH),
  nodesReachable: optional(flag),
};

/** What each attribute of a control plane that is made elsewhere may be by itself. */
export const HOSTED_CONTROL_PLANE: Checks<HostedControlPlaneAttributes> = {
  ...EXPOSED,
  ...SECRETS,
  furtherEntries: optional(listOf(struct(ENTRY))),
  kubernetesVersion: optional(validateText),
  platform: optional(PLATFORM),
  backend: optional(struct(BACKEND)),
  endpointsOwnedByTcpProxy: optional(flag),
  advertiseAddress: optional(validateIpAddress),
  clusterApiCluster: optional(validateObjectName),
};

/** What each property of a control plane may be by itself. */
export const CONTROL_PLANE: Checks<IngressExposedControlPlaneProps> = {
  ...EXPOSED,
  kubernetesVersion: validateText,
  platform: PLATFORM,
  controller: CONTROLLER,
  konnectivity: optional(all(struct(KONNECTIVITY_ENTRY), (field, { controller, allowedCidrs }: KonnectivityEntry) => {
    if (allowedCidrs && !controller) {
      throw invalidInput(`${field}.allowedCidrs`, allowedCidrs, 'has no effect without a controller of its own', 'Use allowedCidrs of the control plane');
    }
  })),
  allowedCidrs: SOURCES,
  furtherEntries: optional(listOf(struct(CONTROL_PLANE_ENTRY))),
  networkPolicy: optional(struct(NETWORK_POLICY)),
  ownRoutes: optional(flag),
  movesFrom: optional(A_CONTROL_PLANE),
  labels: optional(validateLabels),
  annotations: optional(validateAnnotations),
};
