import { execFileSync } from 'child_process';
import { mkdirSync, writeFileSync } from 'fs';
import { join } from 'path';
import { startEnvoy } from './envoy';
import { listening } from './listening';
import { eventually } from '../../../data-path/support/eventually';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';
import { freePorts } from '../../../support/ports';

const NAMESPACE = 'envoy-gateway-system';
/** Where Envoys ask it for their configuration. */
const XDS_PORT = 18_000;
/** By this name. */
const XDS_HOST = `envoy-gateway.${NAMESPACE}.svc.cluster.local.`;

/** Where an Envoy of it listens for a port of a Gateway: ports of the system are moved up. */
export function containerPort(port: number): number {
  return port < 1_024 ? port + 10_000 : port;
}

/**
 * Runs Envoy Gateway as its chart does, and the Envoy of the one Gateway with what its Deployment says.
 *
 * @param until a port of the Gateway
 */
export async function startEnvoyGateway(program: string, envoy: string, cluster: Cluster, until: number): Promise<void> {
  await cluster.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: 'eg' },
      spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
    },
  ]);
  const env = { ...process.env, ENVOY_GATEWAY_NAMESPACE: NAMESPACE, ENVOY_POD_NAMESPACE: NAMESPACE };
  execFileSync(program, ['certgen', '--disable-topology-injector'], { env: { ...env, KUBECONFIG: cluster.file('admin.conf') }, stdio: 'pipe' });
  await listening(await startController(program, cluster, env), XDS_PORT);
  await listening(await startProxy(envoy, cluster), containerPort(until));
}

/** In a root of its own, as it wants its certificate in /certs. */
async function startController(program: string, cluster: Cluster, env: NodeJS.ProcessEnv): Promise<Process> {
  const root = cluster.file('envoy-gateway');
  await writeVolume(cluster, { secret: { secretName: 'envoy-gateway' } }, join(root, 'certs'));
  execFileSync('cp', [program, join(root, 'envoy-gateway')]);
  const kubeconfig = await cluster.kubectl(['config', 'view', '--raw', '--flatten']);
  writeFileSync(join(root, 'kubeconfig'), kubeconfig);
  const [admin] = await freePorts(1);
  // Beside its Envoy, which has the same ports in a pod of its own.
  writeFileSync(join(root, 'envoy-gateway.yaml'), JSON.stringify({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyGateway',
    gateway: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
    admin: { address: { host: '127.0.0.1', port: admin } },
    telemetry: { metrics: { prometheus: { disable: true } } },
    provider: { type: 'Kubernetes', kubernetes: { leaderElection: { disable: true }, proxyTopologyInjector: { disabled: true } } },
  }));
  return new Process('chroot', [root, '/envoy-gateway', 'server', '--config-path=/envoy-gateway.yaml'], { env: { ...env, KUBECONFIG: '/kubeconfig' } });
}

/** Plays the kubelet for the pod of the Gateway. */
async function startProxy(program: string, cluster: Cluster): Promise<Process> {
  const { volumes, containers } = await eventually(async () => {
    const { items } = JSON.parse(await cluster.kubectl(['get', 'deployments', '--namespace', NAMESPACE, '--output', 'json']));
    return items[0]?.spec.template.spec;
  }, 60_000);
  const { args, volumeMounts } = containers.find(({ name }: any) => name === 'envoy');
  const folders = new Map<string, string>(volumeMounts.map(({ mountPath }: any) => [mountPath, cluster.file(`envoy${mountPath.replaceAll('/', '-')}`)]));
  const here = (text: string) => [...folders].reduce((changed, [path, folder]) => changed.replaceAll(`${path}/`, `${folder}/`), text)
    .replaceAll(XDS_HOST, '127.0.0.1')
    .replaceAll('$(ENVOY_POD_NAME)', 'envoy')
    .replaceAll('$(ENVOY_SERVICE_ZONE)', '');
  for (const { name, mountPath } of volumeMounts) {
    await writeVolume(cluster, volumes.find((volume: any) => volume.name === name), folders.get(mountPath)!, here);
  }
  return startEnvoy(program, cluster, [...args.map(here), '--concurrency', '1'], { ...process.env, ENVOY_POD_NAMESPACE: NAMESPACE, ENVOY_POD_NAME: 'envoy' });
}

/** Writes the files of a Secret or ConfigMap of the namespace. */
async function writeVolume(cluster: Cluster, { secret, configMap }: any, folder: string, changed = (text: string) => text): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { data } = secret ? await cluster.get('secret', NAMESPACE, secret.secretName) : await cluster.get('configmap', NAMESPACE, configMap.name);
  for (const [name, value] of Object.entries<string>(data)) {
    writeFileSync(join(folder, name), secret ? Buffer.from(value, 'base64') : changed(value));
  }
}
