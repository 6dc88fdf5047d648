import { checkCompetitors, Competitors, ingressFor } from './support/competitors';
import { ControllerCase } from './support/fleet';
import { describeController } from './support/suite';
import { PORT_RANGE, TenantRoute } from './support/tenants';
import { EntryPoints, startTraefik } from './support/traefik';
import { IngressController } from '../../../src';
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
function competitorsFor({ hostname }: TenantRoute, entryPoint: string): Competitors {
  const metadata = { name: 'of-somebody', namespace: 'team' };
  const services = [{ name: 'four', port: 6443 }];
  return {
    'an IngressRoute': {
      object: {
        apiVersion: 'traefik.io/v1alpha1',
        kind: 'IngressRoute',
        metadata,
        spec: { entryPoints: [entryPoint], routes: [{ kind: 'Rule', match: `Host(\`${hostname}\`)`, services }], tls: {} },
      },
    },
    'an IngressRouteTCP of a higher priority': {
      object: {
        apiVersion: 'traefik.io/v1alpha1',
        kind: 'IngressRouteTCP',
        metadata,
        spec: { entryPoints: [entryPoint], routes: [{ match: 'HostSNI(`*`)', priority: 1001, services }], tls: { passthrough: true } },
      },
    },
    'an Ingress': { object: ingressFor(hostname, { 'traefik.ingress.kubernetes.io/router.tls': 'true' }) },
  };
}

const usual = IngressController.traefik({ entryPointsByPort: { 8132: 'konnectivity' } });

describeController(traefikCase(undefined, usual), (check, fleet) => {
  checkCompetitors(check, fleet, route => competitorsFor(route, 'websecure'));
});

// Its entry point has the public port, and the port in the pod, that one of the chart's own would have.
describeController(traefikCase(', an entry point of its own, a class and ports of tenants', IngressController.traefik({
  entryPoint: 'tls', entryPointsByPort: { 8132: 'konnectivity' }, ingressClassName: 'edge', portRange: PORT_RANGE,
})));
