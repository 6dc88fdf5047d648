import { createHash } from 'crypto';
import { k8s } from 'cdk8s-plus-30';
import { TcpProxyEndpoints } from './endpoints';
import { TcpProxyPaths } from './haproxy-config';
import { TcpProxyPlacement } from './placement';
import { CONTAINER_SECURITY_CONTEXT, healthProbe, POD_SECURITY_CONTEXT } from '../agent/agent-pod';
import { CertificateObjects, CLUSTER_CA_CONFIG_MAP } from '../certificates/certificate-use';
import { Exposure } from '../model/exposure';

const HAPROXY_FOLDER = '/etc/haproxy';

/** Paths inside the container. */
export const CONTAINER_PATHS: TcpProxyPaths = {
  run: '/run/tcp-proxy',
  tls: '/etc/tcp-proxy/tls',
  ca: '/etc/tcp-proxy/ca/ca.crt',
};

/** Everything that the pod of a tcp-proxy depends on. */
export interface PodOptions {
  readonly name: string;
  readonly exposure: Exposure;
  readonly endpoints: TcpProxyEndpoints;
  readonly placement: TcpProxyPlacement;
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly imagePullSecrets?: string[];
  readonly resources: k8s.ResourceRequirements;
  readonly tolerations: k8s.Toleration[];
  readonly nodeSelector: { [name: string]: string };
  readonly affinity?: k8s.Affinity;
  readonly hostAliases?: k8s.HostAlias[];
  readonly priorityClassName: string;
  readonly podAnnotations?: { [name: string]: string };
  readonly podLabels: { [name: string]: string };
  readonly selectorLabels: { [name: string]: string };
  readonly listenPort: number;
  readonly healthPort: number;
  /** Whether the proxy opens TLS, and so needs a certificate. */
  readonly opensTls: boolean;
  /** What is mounted for that; with a static pod files of the node are instead. */
  readonly certificate?: CertificateObjects;
  readonly propagationDelaySeconds: number;
  readonly gracePeriodSeconds: number;
  readonly logLevel: string;
  readonly haproxyConfig: string;
}

/** The annotations of the pod: those of the user and a checksum, so that a changed configuration rolls the pods. */
export function podAnnotations(options: PodOptions): { [name: string]: string } {
  const checksum = createHash('sha256').update(options.haproxyConfig).digest('hex');
  // Sorted, as a static pod's file is written outside of cdk8s, which sorts otherwise.
  return Object.fromEntries(Object.entries({ ...options.podAnnotations, 'checksum/haproxy-config': checksum }).sort(([a], [b]) => a < b ? -1 : 1));
}

/** The pod of a tcp-proxy, the same in a Deployment, a DaemonSet and a static pod. */
export function podSpec(options: PodOptions): k8s.PodSpec {
  const { placement, endpoints, propagationDelaySeconds, gracePeriodSeconds } = options;
  const ownsEndpoints = endpoints._kind === 'owned';
  return {
    // The proxy must run before the CNI does, and its addresses must be those of nodes.
    hostNetwork: true,
    // Cluster DNS needs the API server, which needs this pod.
    dnsPolicy: 'Default',
    hostAliases: options.hostAliases,
    priorityClassName: options.priorityClassName,
    nodeSelector: options.nodeSelector,
    affinity: options.affinity,
    tolerations: options.tolerations,
    topologySpreadConstraints: placement._kind !== 'replicas' ? undefined : [{
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: options.selectorLabels },
    }],
    imagePullSecrets: options.imagePullSecrets?.map(name => ({ name })),
    serviceAccountName: placement._kind === 'static-pod' ? undefined : options.name,
    automountServiceAccountToken: ownsEndpoints,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: propagationDelaySeconds + gracePeriodSeconds + 10,
    securityContext: POD_SECURITY_CONTEXT,
    initContainers: endpoints._advertise && [addressContainer(options)],
    containers: [proxyContainer(options)],
    volumes: volumes(options),
  };
}

function proxyContainer(options: PodOptions): k8s.Container {
  const { exposure, healthPort, listenPort } = options;
  return {
    name: 'tcp-proxy',
    image: options.image,
    imagePullPolicy: options.imagePullPolicy,
    args: [
      'serve',
      `--haproxy-config=${HAPROXY_FOLDER}/haproxy.cfg`,
      `--run-dir=${CONTAINER_PATHS.run}`,
      ...(options.opensTls ? servingArgs(exposure) : []),
      `--ca-file=${CONTAINER_PATHS.ca}`,
      `--health-address=${exposure.kubernetesServiceIps.some(ip => ip.includes(':')) ? '[::]' : '0.0.0.0'}:${healthPort}`,
      ...endpointArgs(options),
      `--propagation-delay=${options.propagationDelaySeconds}s`,
      `--grace-period=${options.gracePeriodSeconds}s`,
      `--log-level=${options.logLevel}`,
    ],
    env: options.endpoints._kind !== 'owned' ? undefined : [
      { name: 'TCP_PROXY_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'TCP_PROXY_POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'TCP_PROXY_HOST_IPS', valueFrom: { fieldRef: { fieldPath: 'status.hostIPs' } } },
    ],
    ports: [
      { name: 'api', containerPort: listenPort, hostPort: listenPort, protocol: 'TCP' },
      { name: 'health', containerPort: healthPort, hostPort: healthPort, protocol: 'TCP' },
    ],
    livenessProbe: healthProbe('/healthz', 10, 3),
    readinessProbe: healthProbe('/readyz', 5, 2),
    resources: options.resources,
    securityContext: CONTAINER_SECURITY_CONTEXT,
    volumeMounts: [
      { name: 'haproxy-config', mountPath: HAPROXY_FOLDER, readOnly: true },
      { name: 'run', mountPath: CONTAINER_PATHS.run },
      ...(options.opensTls ? [{ name: 'tls', mountPath: CONTAINER_PATHS.tls, readOnly: true }] : []),
      options.placement._kind === 'static-pod'
        ? { name: 'ca', mountPath: CONTAINER_PATHS.ca, readOnly: true }
        : { name: 'ca', mountPath: CONTAINER_PATHS.ca.replace(/\/[^/]*$/, ''), readOnly: true },
    ],
  };
}

/** The agent serves no pair that pods would refuse by these names. */
function servingArgs({ inClusterNames, kubernetesServiceIps }: Exposure): string[] {
  return [`--tls-dir=${CONTAINER_PATHS.tls}`, ...[...inClusterNames, kubernetesServiceIps[0]].map(name => `--serving-name=${name}`)];
}

function endpointArgs(options: PodOptions): string[] {
  const { endpoints, exposure, listenPort, selectorLabels } = options;
  if (endpoints._kind !== 'owned') {
    return ['--endpoints=none'];
  }
  return [
    '--endpoints=owned',
    `--endpoint-port=${listenPort}`,
    ...(endpoints._advertise?.addresses ?? []).map(address => `--advertise-address=${address}`),
    `--pod-selector=${Object.entries(selectorLabels).map(([key, value]) => `${key}=${value}`).join(',')}`,
    `--api-server=${exposure.kubeconfigServer}`,
  ];
}

/**
 * Adds the advertise address to the node and keeps it there: an init container that goes on running
 * (Kubernetes 1.29 and newer). Changing addresses needs root and NET_ADMIN.
 */
function addressContainer(options: PodOptions): k8s.Container {
  const { addresses, device } = options.endpoints._advertise!;
  return {
    name: 'advertise-address',
    image: options.image,
    imagePullPolicy: options.imagePullPolicy,
    restartPolicy: 'Always',
    args: ['address', ...addresses.map(address => `--advertise-address=${address}`), `--device=${device ?? 'tcp-proxy0'}`],
    resources: options.resources,
    securityContext: {
      ...CONTAINER_SECURITY_CONTEXT,
      runAsNonRoot: false,
      runAsUser: 0,
      capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] },
    },
  };
}

function volumes(options: PodOptions): k8s.Volume[] {
  const run: k8s.Volume = { name: 'run', emptyDir: { medium: 'Memory', sizeLimit: k8s.Quantity.fromString('1Mi') } };
  const { name, certificate } = options;
  const folders = options.placement._nodeFolders;
  if (folders) {
    return [
      { name: 'haproxy-config', hostPath: { path: folders.configFolder, type: 'Directory' } },
      run,
      ...(options.opensTls ? [{ name: 'tls', hostPath: { path: `${folders.configFolder}/tls`, type: 'Directory' } }] : []),
      { name: 'ca', hostPath: { path: folders.caFile, type: 'File' } },
    ];
  }
  return [
    { name: 'haproxy-config', configMap: { name: `${name}-haproxy` } },
    run,
    ...(certificate ? [{ name: 'tls', secret: { secretName: certificate.secretName, defaultMode: 0o440 } }] : []),
    { name: 'ca', configMap: { name: certificate?.caConfigMapName ?? CLUSTER_CA_CONFIG_MAP, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  ];
}
