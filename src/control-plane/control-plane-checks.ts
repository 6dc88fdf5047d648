import type { IHostedControlPlane } from './hosted-control-plane';
import type { IngressExposedControlPlaneProps } from './ingress-exposed-control-plane-props';
import type { IngressController } from '../controllers/ingress-controller';
import { validateClusterId } from '../model/cluster-id';
import { HOSTNAME_PATTERN, KONNECTIVITY, TENANT_NETWORK, TLS_SERVICE } from '../model/exposure-checks';
import type { ControlPlanePlatform } from '../platforms/control-plane-platform';
import { NETWORK_POLICY } from '../platforms/network-policy';
import { validateAnnotations } from '../validation/annotations';
import { validateNetwork } from '../validation/ip-network';
import { validateLabels } from '../validation/labels';
import { validateDns1035Label, validateDns1123Label, validatePort } from '../validation/name';
import { Check, Checks, flag, instance, listOf, optional, struct } from '../validation/props';
import { validateText } from '../validation/text';

export const CONTROLLER: Check<IngressController> = instance<IngressController>('Give one, e.g. IngressController.haproxy()', 'bind', 'validateRoutes');

export const A_CONTROL_PLANE: Check<IHostedControlPlane> =
  instance<IHostedControlPlane>('Give the tenant\'s IngressExposedControlPlane', 'exposure', 'secrets');

/** What each property of a control plane may be by itself. */
export const CONTROL_PLANE: Checks<IngressExposedControlPlaneProps> = {
  namespace: validateDns1123Label,
  name: optional(validateDns1035Label),
  kubernetesVersion: validateText,
  platform: instance<ControlPlanePlatform>('Give one, e.g. ControlPlanePlatform.kamaji()', 'bind', 'defaults'),
  controller: CONTROLLER,
  hostname: optional(validateText),
  domain: optional(validateText),
  hostnamePattern: optional(HOSTNAME_PATTERN),
  port: optional(validatePort),
  konnectivity: optional(struct(KONNECTIVITY)),
  tlsServices: optional(listOf(struct(TLS_SERVICE))),
  allowedCidrs: optional(listOf(validateNetwork)),
  networkPolicy: optional(struct(NETWORK_POLICY)),
  network: optional(struct(TENANT_NETWORK)),
  certSans: optional(listOf(validateText)),
  clusterId: optional(validateClusterId),
  ownRoutes: optional(flag),
  labels: optional(validateLabels),
  annotations: optional(validateAnnotations),
};
