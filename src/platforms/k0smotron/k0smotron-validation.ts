import { IConstruct } from 'constructs';
import { validateArgs } from '../component-args';
import { validateK0sConfig } from './k0smotron-config';
import { k0smotronStatefulSetNames } from './k0smotron-names';
import { K0smotronApiVersion, K0smotronCertificate, K0smotronManifests, K0smotronProps, K0smotronServiceType } from './k0smotron-props';
import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT } from '../../manifests/k0smotron-facts';
import { Exposure } from '../../model/exposure';
import { Warnings } from '../../synthesis/warnings';
import { invalidInput } from '../../validation/invalid-input';

/** The konnectivity server refuses ports outside of it as reserved and as ephemeral. */
const KONNECTIVITY_PORTS = { first: 1024, last: 49151 };
/** Kubernetes' default for `--service-node-port-range`. */
const NODE_PORTS = { first: 30000, last: 32767 };
/** The StatefulSet controller labels pods with the set's name and eleven more characters, of 63 (kubernetes#64023). */
const MAX_STATEFUL_SET_NAME = 52;

/** Checks what the CRD and the webhooks of k0smotron check, and what they should. */
export function validateK0smotron(props: K0smotronProps): void {
  validatePorts(props);
  validateK0sConfig(props.k0sConfig);
  validateArgs('controlPlaneFlags', props.controlPlaneFlags, { config: 'Use "k0sConfig"' }, 'would keep k0s from reading the generated configuration');
  validateManifests(props.manifests ?? []);
  if (props.apiVersion === K0smotronApiVersion.V1BETA1) {
    requireV1Beta2('storage', props.storage?._type === 'nats' ? 'nats' : undefined);
    requireV1Beta2('patches', props.patches);
  }
}

/** Warns of names that k0smotron accepts and Kubernetes then does not run. */
export function warnOfLongName(scope: IConstruct, cluster: string, props: K0smotronProps): void {
  const { controlPlane, etcd } = k0smotronStatefulSetNames(cluster);
  const sets = (props.storage?._type ?? 'etcd') === 'etcd' ? [controlPlane, etcd] : [controlPlane];
  const tooLong = sets.filter(name => name.length > MAX_STATEFUL_SET_NAME);
  if (tooLong.length > 0) {
    Warnings._add(scope, `name: "${cluster}" makes k0smotron name StatefulSets ${tooLong.map(name => `"${name}"`).join(' and ')}; ` +
      `Kubernetes creates no pods for one whose name is longer than ${MAX_STATEFUL_SET_NAME} characters (kubernetes#64023). Shorten it.`);
  }
}

/** Warns of Service types that work behind a shared address but cost what it saves. */
export function warnOfServiceType(scope: IConstruct, type: K0smotronServiceType, props: K0smotronProps): void {
  if (type === K0smotronServiceType.LOAD_BALANCER) {
    Warnings._add(scope, 'serviceType: "LoadBalancer" gives every control plane an address of its own although routes lead to it, and ' +
      'k0smotron starts none before it has one. Leave it out.');
  }
  if (type === K0smotronServiceType.NODE_PORT) {
    warnOfNodePorts(scope, props);
    Warnings._add(scope, 'serviceType: "NodePort" takes the ports of one control plane from all others of the management cluster. ' +
      'Leave it out, or give each its own "apiPort" and "konnectivityPort".');
  }
}

/**
 * Warns of lists of a Cluster to which k0smotron adds items of its own (its `generateConfig`, `reconcileIngress` and
 * `reconcileEndpointConfigMap`, and `Reconcile` for the certificate of etcd's client). A list has one writer alone.
 */
export function warnOfWrittenBackLists(scope: IConstruct, exposure: Exposure, props: K0smotronProps): void {
  const { storage, certificateRefs } = props;
  const ownNames = [exposure.api.host, exposure.konnectivity?.host, ...exposure.inClusterNames];
  const lists: [field: string, path: string, written: boolean][] = [
    ['certSans', '/spec/k0sConfig/spec/api/sans', exposure.certSans.some(name => !ownNames.includes(name))],
    ['manifests', '/spec/manifests', props.manifests !== undefined && props.manifests.length > 0],
    ['certificateRefs', '/spec/certificateRefs', certificateRefs !== undefined && (storage?._type ?? 'etcd') === 'etcd'
      && !certificateRefs.some(({ type }) => type === K0smotronCertificate.ETCD_CLIENT)],
  ];
  for (const [field, path] of lists.filter(([,, written]) => written)) {
    Warnings._add(scope, `${field}: k0smotron adds items of its own to ${path} of the Cluster, so that server-side apply reports a conflict and ` +
      'client-side apply removes them each time, which k0smotron repairs. Apply with --server-side --force-conflicts, or have your delivery tool ignore ' +
      'changes of that field.');
  }
}

/** Warns of ports that the management cluster refuses, unless its range was changed. */
export function warnOfNodePorts(scope: IConstruct, props: K0smotronProps): void {
  const ports = { apiPort: props.apiPort ?? DEFAULT_API_PORT, konnectivityPort: props.konnectivityPort ?? DEFAULT_KONNECTIVITY_PORT };
  for (const [field, port] of Object.entries(ports)) {
    if (port < NODE_PORTS.first || port > NODE_PORTS.last) {
      Warnings._add(scope, `${field}: ${port} is also the node port, and lies outside of Kubernetes' range ${NODE_PORTS.first}-${NODE_PORTS.last}. ` +
        'Give one inside, unless the management cluster has another range.');
    }
  }
}

/** k0smotron's Service has two ports, and only a patch adds others: a route to one more would lead nowhere. */
export function validateRoutedPorts({ routes }: Exposure, props: K0smotronProps): void {
  const [api, ...others] = routes;
  const ports = [props.apiPort ?? DEFAULT_API_PORT, props.konnectivityPort ?? DEFAULT_KONNECTIVITY_PORT];
  const lost = others.find(route => route.serviceName === api.serviceName && !ports.includes(route.servicePort));
  if (lost && !props.patches?.some(patch => patch.kind === 'Service')) {
    throw invalidInput(`tlsServices "${lost.name}"`, lost.servicePort, `is not a port of k0smotron's Service ${api.serviceName}, which has ${ports.join(' and ')} alone`,
      'Name the Service that has it in serviceName, or add the port to k0smotron\'s by a patch of the kind Service in "patches"');
  }
}

/** sslip.io and nip.io take the first four numbers that they find. */
export function warnOfAmbiguousIpHost(scope: IConstruct, host: string): void {
  if (/(^|[.-])\d+([.-]\d+){4}\.(nip|sslip)\.io$/.test(host)) {
    Warnings._add(scope, `hostname: "${host}" has a number before the IP address, so that it resolves to another one. Put a letter between them.`);
  }
}

/** kube-apiserver needs a capability for low ports, which k0smotron then installs from the network at every start. */
export function warnOfPrivilegedPort(scope: IConstruct, props: K0smotronProps): void {
  if (props.apiPort !== undefined && props.apiPort <= 1024) {
    Warnings._add(scope, `apiPort: ${props.apiPort} makes the control plane download libcap at every start. ` +
      'Give one above 1024; the public port is that of the exposure.');
  }
}

function validatePorts(props: K0smotronProps): void {
  const apiPort = props.apiPort ?? DEFAULT_API_PORT;
  const konnectivityPort = props.konnectivityPort ?? DEFAULT_KONNECTIVITY_PORT;
  if (konnectivityPort < KONNECTIVITY_PORTS.first || konnectivityPort > KONNECTIVITY_PORTS.last) {
    throw invalidInput('konnectivityPort', konnectivityPort, 'is refused by the konnectivity server as reserved or ephemeral',
      `Give one from ${KONNECTIVITY_PORTS.first} to ${KONNECTIVITY_PORTS.last}; the public port is that of the exposure`);
  }
  if (apiPort === konnectivityPort) {
    throw invalidInput('konnectivityPort', konnectivityPort, 'is also the apiPort, and both listen in one pod', 'Give two ports');
  }
}

function validateManifests(manifests: K0smotronManifests[]): void {
  const names = new Set<string>();
  manifests.forEach((stack, i) => {
    const field = `manifests[${i}]`;
    if (stack.name === 'konnectivity') {
      throw invalidInput(`${field}.name`, stack.name, 'is the stack of k0s\' own konnectivity, which it would replace or be removed with', 'Take another name');
    }
    if (names.has(stack.name)) {
      throw invalidInput(`${field}.name`, stack.name, 'is used twice', 'Give every stack a name of its own');
    }
    names.add(stack.name);
    if ((stack.configMapName === undefined) === (stack.secretName === undefined)) {
      throw invalidInput(field, stack, 'does not say where its manifests are', 'Give either configMapName or secretName');
    }
  });
}

function requireV1Beta2(field: string, value: unknown): void {
  if (value !== undefined) {
    throw invalidInput(field, value, 'has no field in k0smotron\'s v1beta1', 'Use K0smotronApiVersion.V1BETA2');
  }
}
