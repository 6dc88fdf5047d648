import { createHash } from 'crypto';
import type { k8s } from 'cdk8s-plus-30';
import { TcpProxyEndpoints } from './endpoints';
import { TcpProxyPaths } from './haproxy-config';
import { TcpProxyPlacement } from './placement';
import type { TcpProxySettings } from './settings';
import { addressContainer } from '../agent/address-container';
import { AgentMount, AgentPod, AgentWorkload, memoryMount, podField, Texts } from '../agent/agent-workload';
import { ADDRESS_DEFAULTS, SERVE } from '../agent/contract/commands';
import { agentArgs, FlagValues, inSeconds } from '../agent/contract/flags';
import { ALL_ADDRESSES } from '../agent/contract/health';
import { CA_FILE, CA_FOLDER, CONFIG_FILE, CONFIG_FOLDER, RUN_FOLDER, TLS_FILES, TLS_FOLDER, TUNNEL_MOUNT } from '../agent/contract/paths';
import { CertificateObjects, CLUSTER_CA_CONFIG_MAP } from '../certificates/certificate-use';
import { TunnelCertificateObjects } from '../certificates/tunnel-certificate';
import { Exposure } from '../model/exposure';
import { Plain } from '../objects/plain';

/** Paths inside the container. */
export const CONTAINER_PATHS: TcpProxyPaths = { run: RUN_FOLDER, tls: TLS_FOLDER, ca: `${CA_FOLDER}/${CA_FILE}` };

/** Everything that the pod of a tcp-proxy depends on. */
export interface PodOptions {
  readonly workload: AgentWorkload;
  readonly settings: TcpProxySettings;
  readonly exposure: Exposure;
  readonly endpoints: TcpProxyEndpoints;
  readonly placement: TcpProxyPlacement;
  readonly hostAliases?: Plain<k8s.HostAlias>[];
  readonly podAnnotations?: Texts;
  /** Whether the proxy opens TLS, and so needs a certificate. */
  readonly opensTls: boolean;
  /** What is mounted for that; with a static pod files of the node are instead. */
  readonly certificate?: CertificateObjects;
  /** Whether it shows a client certificate in a tunnel. */
  readonly tunnels: boolean;
  /** What is mounted for that; with a static pod files of the node are instead. */
  readonly tunnelCertificate?: TunnelCertificateObjects;
  readonly haproxyConfig: string;
}

/** The pods of a tcp-proxy, the same in a Deployment, a DaemonSet and a static pod. */
export function podTemplate(options: PodOptions): Plain<k8s.PodTemplateSpec> {
  const checksum = createHash('sha256').update(options.haproxyConfig).digest('hex');
  return options.workload.podTemplate(proxyPod(options), { ...options.podAnnotations, 'checksum/haproxy-config': checksum });
}

function proxyPod(options: PodOptions): AgentPod {
  const { workload, endpoints, placement, settings } = options;
  const { healthPort, haproxy: { listenPort } } = settings;
  const ownsEndpoints = endpoints._kind === 'owned';
  return {
    container: 'tcp-proxy',
    args: serveArgs(options),
    env: ownsEndpoints ? [
      podField(SERVE, 'namespace', 'metadata.namespace'), podField(SERVE, 'podName', 'metadata.name'), podField(SERVE, 'hostIps', 'status.hostIPs'),
    ] : undefined,
    ports: [{ name: 'api', containerPort: listenPort, hostPort: listenPort, protocol: 'TCP' }],
    healthPort,
    mounts: mounts(options),
    asksApi: ownsEndpoints,
    stop: settings,
    spreadOver: placement._kind === 'replicas' ? ['kubernetes.io/hostname'] : [],
    pod: {
      // The proxy must run before the CNI does, and its addresses must be those of nodes.
      hostNetwork: true,
      // Cluster DNS needs the API server, which needs this pod.
      dnsPolicy: 'Default',
      hostAliases: options.hostAliases,
      serviceAccountName: placement._kind === 'static-pod' ? undefined : workload.metadata.name,
      initContainers: endpoints._advertise && [addressContainer(workload, 'advertise-address', {
        advertiseAddress: endpoints._advertise.addresses, device: endpoints._advertise.device ?? ADDRESS_DEFAULTS.device,
      })],
    },
  };
}

function serveArgs(options: PodOptions): string[] {
  const { exposure, opensTls, tunnels, workload, settings: { healthPort, propagationDelaySeconds, gracePeriodSeconds } } = options;
  const address = exposure.kubernetesServiceIps.some(ip => ip.includes(':')) ? ALL_ADDRESSES : '0.0.0.0';
  return agentArgs(SERVE, {
    haproxyConfig: `${CONFIG_FOLDER}/${CONFIG_FILE}`,
    runDir: RUN_FOLDER,
    tlsDir: opensTls ? TLS_FOLDER : undefined,
    // The agent serves no pair that pods would refuse by these names.
    servingName: opensTls ? [...exposure.inClusterNames, exposure.kubernetesServiceIps[0]] : undefined,
    tunnelDir: tunnels ? TUNNEL_MOUNT : undefined,
    caFile: CONTAINER_PATHS.ca,
    healthAddress: [`${address}:${healthPort}`],
    ...endpointsFlags(options),
    propagationDelay: inSeconds(propagationDelaySeconds),
    gracePeriod: inSeconds(gracePeriodSeconds),
    logLevel: workload.logLevel,
  });
}

function endpointsFlags({ endpoints, exposure, settings, workload }: PodOptions): FlagValues<typeof SERVE.flags> {
  return endpoints._kind !== 'owned' ? { endpoints: 'none' } : {
    endpoints: 'owned',
    endpointPort: settings.haproxy.listenPort,
    advertiseAddress: endpoints._advertise?.addresses,
    podSelector: Object.entries(workload.selectorLabels).map(([key, value]) => `${key}=${value}`).join(','),
    apiServer: exposure.kubeconfigServer,
  };
}


function mounts({ workload, placement, opensTls, certificate, tunnels, tunnelCertificate }: PodOptions): AgentMount[] {
  const run = memoryMount('run', RUN_FOLDER, '1Mi');
  const folders = placement._nodeFolders;
  if (folders) {
    return [
      { volume: { name: 'haproxy-config', hostPath: { path: folders.configFolder, type: 'Directory' } }, mountPath: CONFIG_FOLDER },
      run,
      ...opensTls ? [{ volume: { name: 'tls', hostPath: { path: `${folders.configFolder}/tls`, type: 'Directory' } }, mountPath: TLS_FOLDER }] : [],
      ...tunnels ? [{ volume: { name: 'tunnel', hostPath: { path: `${folders.configFolder}/tunnel`, type: 'Directory' } }, mountPath: TUNNEL_MOUNT }] : [],
      { volume: { name: 'ca', hostPath: { path: folders.caFile, type: 'File' } }, mountPath: CONTAINER_PATHS.ca },
    ];
  }
  return [
    { volume: { name: 'haproxy-config', configMap: { name: `${workload.metadata.name}-haproxy` } }, mountPath: CONFIG_FOLDER },
    run,
    ...certificate ? [{ volume: { name: 'tls', secret: { secretName: certificate.secretName, defaultMode: 0o440 } }, mountPath: TLS_FOLDER }] : [],
    ...tunnelCertificate ? [tunnelMount(tunnelCertificate)] : [],
    {
      volume: { name: 'ca', configMap: { name: certificate?.caConfigMapName ?? CLUSTER_CA_CONFIG_MAP, items: [{ key: CA_FILE, path: CA_FILE }] } },
      mountPath: CA_FOLDER,
    },
  ];
}

/** The pair and the authorities of the gateway, in one folder. */
function tunnelMount({ secretName, caConfigMapName }: TunnelCertificateObjects): AgentMount {
  const keys = (...names: string[]) => names.map(key => ({ key, path: key }));
  const pair = [TLS_FILES.certificate, TLS_FILES.key];
  const sources = caConfigMapName === undefined
    ? [{ secret: { name: secretName, items: keys(...pair, CA_FILE) } }]
    : [{ secret: { name: secretName, items: keys(...pair) } }, { configMap: { name: caConfigMapName, items: keys(CA_FILE) } }];
  return { volume: { name: 'tunnel', projected: { sources, defaultMode: 0o440 } }, mountPath: TUNNEL_MOUNT };
}
