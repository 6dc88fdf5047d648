import { ControllerCase } from './support/fleet';
import { describeController } from './support/suite';
import { PORT_RANGE, TenantRoute, THREE } from './support/tenants';
import { EntryPoints, startTraefik } from './support/traefik';
import { IngressController } from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { provided } from '../support/provided';

const [PROGRAM, DEFINITIONS] = provided('traefik');

/** Traefik with the values of this library for its chart. */
function traefikCase(how: string | undefined, controller: IngressController): ControllerCase {
  const { ports, providers: { kubernetesCRD: { ingressClass } } } = controller.helmValues();
  const entryPoints = new EntryPoints(ports);
  return {
    system: 'Traefik',
    version: '3.7.9',
    how,
    controller: () => controller,
    definitions: [DEFINITIONS],
    start: cluster => startTraefik(PROGRAM, cluster, entryPoints, [
      '--providers.kubernetescrd', '--providers.kubernetescrd.allowEmptyServices=true',
      ...ingressClass ? [`--providers.kubernetescrd.ingressClass=${ingressClass}`] : [],
      '--providers.kubernetesingress', '--providers.kubernetesingress.allowEmptyServices=true',
    ]),
    listensAt: port => entryPoints.portOf(port),
    filtersSources: true,
    shownToStrangers: 'TRAEFIK DEFAULT CERT',
    servesPorts: controller.servesPorts,
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
describeController(traefikCase(', an entry point of its own, a class and ports of tenants', IngressController.traefik({
  entryPoint: 'tls', entryPointsByPort: { 8132: 'konnectivity' }, ingressClassName: 'edge', portRange: PORT_RANGE,
})));
