import { ApiObject, Chart, JsonPatch } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { nodePortRoutes } from './hypershift-node-ports';
import { HypershiftProps } from './hypershift-props';
import { platformType } from './hypershift-services';
import { IngressController } from '../../controllers/ingress-controller';
import { API_ROUTE, serverNameOf } from '../../model/entry';
import { Exposure } from '../../model/exposure';
import { PassthroughRoute } from '../../model/exposure-props';
import { namespaceManifest, networkPolicyManifest } from '../../objects/kubernetes';
import { Plain } from '../../objects/plain';
import { invalidInput } from '../../validation/invalid-input';
import { ControlPlaneNetworkPolicy, NetworkPolicyOptions, peersOf } from '../network-policy';

/** Labels `app` of the pods behind the published Services. That of the API server has the konnectivity server in it. */
const PODS = ['kube-apiserver', 'oauth-openshift', 'ignition-server-proxy', 'metrics-proxy'];
/** Ports of these pods: konnectivity, API server and OAuth, ignition, metrics. */
const POD_PORTS = [8091, 6443, 8443, 9443];

/** Emits the namespace of the hosted control plane before HyperShift makes it, for objects of ours in it; HyperShift adopts it. */
export function addHostedControlPlaneNamespace(scope: Construct, name: string, labels: { [name: string]: string }): void {
  const namespace = new ApiObject(scope, 'namespace', namespaceManifest({ metadata: { name, labels } }));
  if (Chart.of(scope).namespace !== undefined) {
    namespace.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
}

/** What the NetworkPolicies of HyperShift keep apart (`network_policies.go`). OpenShift's router is let through. */
export interface Closed {
  /** The shared address from Services of Routes: everybody reaches node ports, and the API server. */
  readonly ingress: boolean;
  /** Nodes that are virtual machines in the same namespace from the shared address. */
  readonly egress: boolean;
}

/** What a NetworkPolicy of ours has to open. */
export function closedByHypershift(props: HypershiftProps, exposure: Exposure, controller: IngressController): Closed {
  const foreign = !controller.servesOpenShiftRoutes;
  const open = nodePortRoutes(props, exposure);
  const isOpen = (route: PassthroughRoute) => open.includes(route) || route.entry !== undefined && serverNameOf(route) === API_ROUTE;
  return {
    ingress: foreign && exposure.routes.some(route => !route.ownAddress && !isOpen(route)),
    egress: foreign && platformType(props) === 'KubeVirt' && props.platform?.kubevirt?.credentials === undefined,
  };
}

/**
 * Emits a NetworkPolicy that lets the pods of the shared address reach what is published. Policies add up, so HyperShift's
 * stay in force. It names the pods, and not the whole namespace, in which etcd is too.
 */
export function addHypershiftNetworkPolicy(scope: Construct, { exposure, policy, labels, ...of }: NetworkPolicyOptions): ApiObject {
  const controllers = controllersOf(of);
  controllers.forEach(controller => requirePeers(controller, policy));
  const [{ serviceNamespace: namespace }] = exposure.routes;
  return new ApiObject(scope, 'network-policy', networkPolicyManifest({
    metadata: { name: 'shared-address', namespace, labels },
    spec: {
      podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: PODS }] },
      policyTypes: ['Ingress'],
      ingress: [{
        from: peers(controllers, policy),
        ports: POD_PORTS.map(port => ({ port: port, protocol: 'TCP' })),
      }],
    },
  }));
}

/**
 * Lets virtual machines, which are pods of the same namespace, connect to the pods of the shared address: HyperShift keeps them
 * from the management cluster's networks but for the control plane's pods.
 */
export function addVirtualMachineNetworkPolicy(scope: Construct, { exposure, policy, labels, ...of }: NetworkPolicyOptions): ApiObject {
  const controllers = controllersOf(of);
  controllers.forEach(controller => requirePeers(controller, policy));
  const [{ serviceNamespace: namespace }] = exposure.routes;
  return new ApiObject(scope, 'virtual-machine-network-policy', networkPolicyManifest({
    metadata: { name: 'shared-address-of-virtual-machines', namespace, labels },
    spec: {
      podSelector: { matchLabels: { 'kubevirt.io': 'virt-launcher' } },
      policyTypes: ['Egress'],
      egress: [{ to: peers(controllers, policy) }],
    },
  }));
}

function requirePeers(controller: IngressController, policy?: ControlPlaneNetworkPolicy): void {
  if (!policy && !controller._gateway) {
    throw invalidInput('networkPolicy', undefined, `is not set, and the NetworkPolicies of HyperShift keep ${controller.displayName} and the hosted cluster apart`,
      'Name the namespace of its pods, e.g. networkPolicy: { namespaces: ["traefik"] }');
  }
}

/** That of the control plane, and that of konnectivity. OpenShift's router is let through. */
function controllersOf({ controller, konnectivityController }: Pick<NetworkPolicyOptions, 'controller' | 'konnectivityController'>): IngressController[] {
  return [controller, ...konnectivityController && !konnectivityController.servesOpenShiftRoutes ? [konnectivityController] : []];
}

function peers(controllers: IngressController[], policy?: ControlPlaneNetworkPolicy): Plain<k8s.NetworkPolicyPeer>[] {
  const gateways = [...new Set(controllers.flatMap(({ _gateway: gateway }) => gateway ?? []))].map(gateway => ({
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': gateway.namespace } },
    podSelector: { matchLabels: gateway.podLabels },
  }));
  return [...gateways, ...policy ? peersOf(policy) : []];
}
