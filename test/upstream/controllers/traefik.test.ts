import { ControllerCase } from './support/fleet';
import { listening } from './support/listening';
import { provided } from '../support/provided';
import { describeController } from './support/suite';
import { TenantRoute, THREE } from './support/tenants';
import { IngressController } from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { Cluster } from '../../e2e/support/cluster';
import { Process } from '../../e2e/support/process';

const [PROGRAM, DEFINITIONS] = provided('traefik');

/** An entry point in the values of the chart. */
interface EntryPoint {
  readonly port: number;
  readonly exposedPort?: number;
  readonly expose?: { readonly default: boolean };
  readonly asDefault?: boolean;
}

/** Those of the chart (traefik/traefik-helm-chart, `traefik/values.yaml`). */
const OF_CHART: { [name: string]: EntryPoint } = {
  web: { port: 8000, exposedPort: 80, expose: { default: true } },
  websecure: { port: 8443, exposedPort: 443, expose: { default: true } },
  traefik: { port: 8080, exposedPort: 8080, expose: { default: false } },
  metrics: { port: 9100, exposedPort: 9100, expose: { default: false } },
};

/** All entry points that the chart makes of the values of this library. */
function entryPointsOf(controller: IngressController): [name: string, entryPoint: EntryPoint][] {
  const ours: { [name: string]: Partial<EntryPoint> } = controller.helmValues().ports;
  return [...new Set([...Object.keys(OF_CHART), ...Object.keys(ours)])].map(name => [name, { ...OF_CHART[name], ...ours[name] } as EntryPoint]);
}

/** The Service that the chart makes of them. */
function serviceOf(entryPoints: [name: string, entryPoint: EntryPoint][]): object {
  const ports = entryPoints.filter(([, { expose }]) => expose?.default).map(([name, { exposedPort }]) => ({ name, port: exposedPort, targetPort: name, protocol: 'TCP' }));
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'traefik', namespace: 'default' }, spec: { ports } };
}

/** Runs Traefik with the flags that the chart makes of the values of this library. */
async function startTraefik(cluster: Cluster, controller: IngressController): Promise<Process> {
  const entryPoints = entryPointsOf(controller);
  const { ingressClass } = controller.helmValues().providers.kubernetesCRD;
  await cluster.apply([serviceOf(entryPoints)]);
  const traefik = new Process('env', [
    `KUBECONFIG=${cluster.file('admin.conf')}`,
    PROGRAM,
    ...entryPoints.flatMap(([name, { port, asDefault }]) => [`--entryPoints.${name}.address=:${port}/tcp`, ...asDefault ? [`--entryPoints.${name}.asDefault=true`] : []]),
    '--entryPoints.websecure.http.tls=true',
    '--providers.kubernetescrd', '--providers.kubernetescrd.allowEmptyServices=true',
    ...ingressClass ? [`--providers.kubernetescrd.ingressClass=${ingressClass}`] : [],
    '--providers.kubernetesingress', '--providers.kubernetesingress.allowEmptyServices=true',
    '--log.level=INFO', '--global.checkNewVersion=false', '--global.sendAnonymousUsage=false',
  ], { cwd: cluster.folder });
  for (const [, { port }] of entryPoints) await listening(traefik, port);
  return traefik;
}

function traefikCase(how: string | undefined, controller: IngressController): ControllerCase {
  return {
    system: 'Traefik',
    how,
    version: '3.7.9',
    controller: () => controller,
    definitions: [DEFINITIONS],
    start: async cluster => void await startTraefik(cluster, controller),
    listensAt: publicPort => entryPointsOf(controller).find(([, { exposedPort, expose }]) => expose?.default && exposedPort === publicPort)![1].port,
    filtersSources: true,
    shownToStrangers: 'TRAEFIK DEFAULT CERT',
    konnectivityPort: 8132,
  };
}

/** Objects of somebody else that name the host of a tenant. */
function competitorsFor({ hostname }: TenantRoute, entryPoint: string): { [name: string]: any } {
  const metadata = { name: 'of-somebody', namespace: 'team' };
  const services = [{ name: 'four', port: 6443 }];
  return {
    'an IngressRoute': {
      apiVersion: 'traefik.io/v1alpha1',
      kind: 'IngressRoute',
      metadata,
      spec: { entryPoints: [entryPoint], routes: [{ kind: 'Rule', match: `Host(\`${hostname}\`)`, services }], tls: {} },
    },
    'an IngressRouteTCP of a higher priority': {
      apiVersion: 'traefik.io/v1alpha1',
      kind: 'IngressRouteTCP',
      metadata,
      spec: { entryPoints: [entryPoint], routes: [{ match: 'HostSNI(`*`)', priority: 1001, services }], tls: { passthrough: true } },
    },
    'an Ingress': {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { ...metadata, annotations: { 'traefik.ingress.kubernetes.io/router.tls': 'true' } },
      spec: { rules: [{ host: hostname, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'four', port: { number: 6443 } } } }] } }] },
    },
  };
}

const usual = IngressController.traefik({ entryPointsByPort: { 8132: 'konnectivity' } });

describeController(traefikCase(undefined, usual), (check, fleet) => {
  for (const name of Object.keys(competitorsFor({ hostname: 'any' } as TenantRoute, ''))) {
    check(`${name} for the host takes it, which synthesis refuses`, async () => {
      const [route] = fleet().routesOf(THREE);
      const object = competitorsFor(route, 'websecure')[name];
      expect(usual._competitor(object)?.(route)).toBe(true);
      await fleet().cluster.apply([object]);
      await eventually(async () => (await fleet().ask(route, { ca: undefined })).shown !== fleet().answerOf(route).backend);
      await fleet().cluster.kubectl(['delete', '--filename=-'], { input: JSON.stringify(object) });
      await fleet().reaches(route);
    });
  }
});

// Its entry point has the public port, and the port in the pod, that one of the chart's own would have.
describeController(traefikCase(', an entry point of its own and a class', IngressController.traefik({
  entryPoint: 'tls', entryPointsByPort: { 8132: 'konnectivity' }, ingressClassName: 'edge',
})));
