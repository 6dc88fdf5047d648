import { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import type { PlatformDefaults } from './control-plane-platform';
import { IngressController } from '../controllers/ingress-controller';
import { Exposure } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { networkPolicyManifest } from '../objects/kubernetes';
import { Plain } from '../objects/plain';
import { invalidInput } from '../validation/invalid-input';
import { validateNetwork } from '../validation/ip-network';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { Checks, listOf, optional } from '../validation/props';

/** Who may connect to a control plane inside the management cluster. */
export interface ControlPlaneNetworkPolicy {
  /**
   * Namespaces whose pods may connect: that of the ingress controller, and those of whoever else needs the API server
   * inside the management cluster, e.g. the platform's operator. A pod on the network of its node
   * (`hostNetwork: true`, as ingress controllers often are) is in no namespace to a NetworkPolicy: see `cidrs`.
   */
  readonly namespaces: string[];
  /**
   * Source networks that may connect, in CIDR notation: those of the nodes, when the ingress controller is on the
   * network of its node. Cilium lets them match nodes with `--policy-cidr-match-mode=nodes` alone (Cilium
   * documentation, "Network Policy").
   * @default - none
   */
  readonly cidrs?: string[];
}

export const NETWORK_POLICY: Checks<ControlPlaneNetworkPolicy> = {
  namespaces: listOf(validateDns1123Label, 'Give that of the ingress controller, e.g. ["traefik"]'),
  cidrs: optional(listOf(validateNetwork)),
};

type ControlPlanePods = Pick<PlatformDefaults, 'podLabels' | 'peerPorts'>;

/** What the NetworkPolicy of a control plane depends on. */
export interface NetworkPolicyOptions {
  readonly exposure: Exposure;
  readonly controller: IngressController;
  /** What routes to the konnectivity server, where that has a controller of its own. */
  readonly konnectivityController?: IngressController;
  /** What the user asks for. */
  readonly policy?: ControlPlaneNetworkPolicy;
  /** What is known of the control plane's pods. */
  readonly pods: ControlPlanePods;
  /** Labels of the object. */
  readonly labels: { [name: string]: string };
}

/** Emits a NetworkPolicy that lets the given peers reach every exposed port of the control plane, and nobody else. */
export function addControlPlaneNetworkPolicy(
  scope: Construct,
  exposure: Exposure,
  { podLabels, peerPorts = [] }: ControlPlanePods,
  policy: ControlPlaneNetworkPolicy,
  labels: { [name: string]: string },
): ApiObject {
  const podSelector = { matchLabels: requirePodLabels(podLabels, policy) };
  const [{ serviceNamespace: namespace }] = exposure.routes;
  return new ApiObject(scope, 'network-policy', networkPolicyManifest({
    metadata: { name: exposure.name, namespace, labels },
    spec: {
      podSelector,
      policyTypes: ['Ingress'],
      ingress: [
        { from: peersOf(policy), ports: tcp(podPortsOf(exposure.routes)) },
        ...peerPorts.length > 0 ? [{ from: [{ podSelector }], ports: tcp(peerPorts) }] : [],
      ],
    },
  }));
}

function tcp(ports: number[]): Plain<k8s.NetworkPolicyPort>[] {
  return ports.map(port => ({ port: port, protocol: 'TCP' }));
}

function requirePodLabels(podLabels: { [name: string]: string } | undefined, policy: ControlPlaneNetworkPolicy): { [name: string]: string } {
  if (!podLabels) {
    throw invalidInput('networkPolicy', policy, 'cannot select the pods of this platform, which does not say how they are labelled',
      'Leave it out and write a NetworkPolicy beside the control plane; a platform of your own can return podLabels from its defaults()');
  }
  if (Object.keys(podLabels).length === 0) {
    throw invalidInput('podLabels', podLabels, 'is empty, so that the NetworkPolicy would be one for every pod of the namespace',
      'Return the labels of the control plane\'s pods from the defaults() of the platform, or leave podLabels out');
  }
  return validateLabels('podLabels', podLabels);
}

/** The peers that a policy names; one that names nobody is an error. */
export function peersOf({ namespaces, cidrs = [] }: ControlPlaneNetworkPolicy): Plain<k8s.NetworkPolicyPeer>[] {
  if (namespaces.length + cidrs.length === 0) {
    throw invalidInput('networkPolicy.namespaces', namespaces, 'is empty, which would let nobody in',
      'Name the namespace of the ingress controller and that of the operator');
  }
  return [
    ...[...new Set(namespaces)].map(name => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } })),
    ...[...new Set(cidrs)].map(cidr => ({ ipBlock: { cidr } })),
  ];
}

/** Of the control plane's own pods alone, as a TLS service may have others. Policies see the ports of pods, not of Services. */
function podPortsOf(routes: PassthroughRoute[]): number[] {
  const [{ serviceName }] = routes;
  return [...new Set(routes.filter(route => route.serviceName === serviceName).map(route => route.podPort ?? route.servicePort))];
}
