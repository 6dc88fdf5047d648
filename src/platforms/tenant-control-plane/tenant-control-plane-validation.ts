import { ManagedFlags, validateArgs } from '../component-args';
import { TenantControlPlaneOperator } from './tenant-control-plane-operator';
import { ControlPlanePort, KonnectivityAgentMode, KonnectivityAgentProps, TenantControlPlaneProps } from './tenant-control-plane-props';
import * as kamaji from '../../imports/kamaji.clastix.io';
import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT } from '../../manifests/tenant-control-plane-facts';
import { API_ROUTE, KONNECTIVITY_ROUTE } from '../../model/exposure';
import { PassthroughRoute } from '../../model/exposure-props';
import { invalidInput } from '../../validation/invalid-input';
import { validateVouchedVersion } from '../../versions/version-facts';

/** Flags of kube-apiserver that Kamaji and Steward compute from the custom resource. */
const API_SERVER_FLAGS: ManagedFlags = {
  'advertise-address': 'Leave it out; a tcp-proxy with a fixed advertise address sets it',
  'client-ca-file': 'Leave it out',
  'egress-selector-config-file': 'Leave it out; "konnectivity" of the control plane sets it',
  'enable-admission-plugins': 'Use "admissionControllers"',
  'etcd-*': 'Leave it out, or choose another "dataStore"',
  'kubelet-client-*': 'Leave it out',
  'kubelet-preferred-address-types': 'Use "kubeletAddressTypes"',
  'proxy-client-*': 'Leave it out',
  'requestheader-allowed-names': 'Leave it out',
  'requestheader-client-ca-file': 'Leave it out',
  'secure-port': 'Use "apiPort"',
  'service-account-key-file': 'Leave it out',
  'service-account-signing-key-file': 'Leave it out',
  'service-cluster-ip-range': 'Use "network.serviceCidrs" of the control plane',
  'tls-cert-file': 'Leave it out',
  'tls-private-key-file': 'Leave it out',
};

/** Flags of the konnectivity server with which both operators override the user's. */
const KONNECTIVITY_SERVER_FLAGS: ManagedFlags = {
  'admin-port': 'Leave it out',
  'agent-namespace': 'Leave it out',
  'agent-port': 'Use "konnectivityServer.port"',
  'agent-service-account': 'Leave it out',
  'authentication-audience': 'Leave it out',
  'cluster-cert': 'Leave it out',
  'cluster-key': 'Leave it out',
  'health-port': 'Leave it out',
  'kubeconfig': 'Leave it out',
  'mode': 'Leave it out',
  'server-count': 'Use "replicas"; every replica runs one server',
  'server-port': 'Leave it out',
  'uds-name': 'Leave it out',
};

/** Flags of the konnectivity agent that this library computes from the exposure. */
const KONNECTIVITY_AGENT_FLAGS: ManagedFlags = {
  'proxy-server-host': 'Use "konnectivity.hostname" of the control plane',
  'proxy-server-port': 'Use "konnectivity.port" of the control plane',
};

/** Names of the ports that the operators put on the Service themselves. */
const TAKEN_PORT_NAMES = [API_ROUTE, KONNECTIVITY_ROUTE, 'steward-trustd'];

/**
 * Checks what the CRDs and webhooks of Kamaji and Steward check, and what they should.
 *
 * @param operator whose custom resource it is
 */
export function validateTenantControlPlane(props: TenantControlPlaneProps, operator: TenantControlPlaneOperator): void {
  validateVouchedVersion('newestKubernetesVersion', props.newestKubernetesVersion);
  validatePorts(props);
  validateArgs('extraArgs.apiServer', props.extraArgs?.apiServer, API_SERVER_FLAGS, operator.managedFlags);
  validateArgs('extraArgs.controllerManager', props.extraArgs?.controllerManager);
  validateArgs('extraArgs.scheduler', props.extraArgs?.scheduler);
  validateArgs('extraArgs.kine', props.extraArgs?.kine);
  validateArgs('konnectivityServer.extraArgs', props.konnectivityServer?.extraArgs, KONNECTIVITY_SERVER_FLAGS,
    'is set by the operator, which drops other values silently');
  validateArgs('konnectivityAgent.extraArgs', props.konnectivityAgent?.extraArgs, KONNECTIVITY_AGENT_FLAGS,
    'follows from the exposure');
  validateAgentReplicas(props.konnectivityAgent);
  validateDistinctItems('kubeletAddressTypes', props.kubeletAddressTypes);
  validateAdmissionControllers(props.admissionControllers);
  validatePodLabels(props.podLabels, operator);
}

function validateAgentReplicas(agent: KonnectivityAgentProps = {}): void {
  const field = 'konnectivityAgent.replicas';
  const mode = agent.mode ?? KonnectivityAgentMode.DAEMON_SET;
  if (mode === KonnectivityAgentMode.DAEMON_SET && agent.replicas) {
    throw invalidInput(field, agent.replicas, 'does not fit the mode DaemonSet, which runs one agent on every node',
      'Leave it out, or set konnectivityAgent.mode to DEPLOYMENT');
  }
  if (mode === KonnectivityAgentMode.DEPLOYMENT && agent.replicas === 0) {
    throw invalidInput(field, agent.replicas, 'leaves the API server without a way to the nodes', 'Give at least 1, or leave it out');
  }
}

function validatePorts(props: TenantControlPlaneProps): void {
  const names = new Set(TAKEN_PORT_NAMES);
  const ports = new Map([[props.apiPort ?? DEFAULT_API_PORT, API_ROUTE]]);
  const claimPort = (field: string, port: number, name: string) => {
    const holder = ports.get(port);
    if (holder !== undefined) {
      throw invalidInput(field, port, `is already the port of ${holder}`, 'Give every port of the Service a number of its own');
    }
    ports.set(port, name);
  };
  claimPort('konnectivityServer.port', props.konnectivityServer?.port ?? DEFAULT_KONNECTIVITY_PORT, KONNECTIVITY_ROUTE);
  props.additionalPorts?.forEach((port, i) => {
    const field = `additionalPorts[${i}]`;
    if (names.has(port.name)) {
      throw invalidInput(`${field}.name`, port.name, 'is already the name of a port of the Service', 'Give it another name');
    }
    names.add(port.name);
    claimPort(`${field}.port`, port.port, port.name);
  });
}

/** The user's labels win over the operator's, by which Service and NetworkPolicy find the pods. */
function validatePodLabels(labels: { [name: string]: string } = {}, { name, group }: TenantControlPlaneOperator): void {
  for (const label of Object.keys(labels)) {
    const [prefix] = label.split('/');
    if (prefix === group || prefix.endsWith(`.${group}`)) {
      throw invalidInput('podLabels', label, `is a label of ${name}'s own, by which it finds the pods and knows when to restart them`, 'Give a label of another prefix');
    }
  }
}

function validateDistinctItems(field: string, items: string[] | undefined): void {
  if (items?.length === 0) {
    throw invalidInput(field, items, 'is empty', 'Leave it out for the default');
  }
  items?.forEach((item, i) => {
    if (items.indexOf(item) !== i) {
      throw invalidInput(`${field}[${i}]`, item, 'occurs twice', 'List each once');
    }
  });
}

function validateAdmissionControllers(names: string[] = []): void {
  const known: string[] = Object.values(kamaji.TenantControlPlaneSpecKubernetesAdmissionControllers);
  names.forEach((name, i) => {
    if (!known.includes(name)) {
      throw invalidInput(`admissionControllers[${i}]`, name, 'is not one that the operator knows', `Choose among ${known.join(', ')}`);
    }
  });
}

/** Checks that routes name the ports of pods as the Service does: NetworkPolicies and OpenShift's Routes are made of them. */
export function validatePodPorts(routes: PassthroughRoute[], additionalPorts: ControlPlanePort[] = []): void {
  const [{ serviceName }] = routes;
  for (const { name, servicePort, podPort = servicePort } of routes.filter(route => route.serviceName === serviceName)) {
    const targetPort = additionalPorts.find(({ port }) => port === servicePort)?.targetPort;
    if (typeof targetPort === 'number' && targetPort !== podPort) {
      throw invalidInput(`podPort of ${name}`, podPort, `is not the targetPort ${targetPort} that "additionalPorts" gives the port ${servicePort} of the Service`,
        `Set podPort: ${targetPort} in the TLS service "${name}"`);
    }
  }
}
