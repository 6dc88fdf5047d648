import { ControlPlane } from './control-plane';
import { hostOf, Host } from './host';
import { operatorRoute } from './operator-routes';
import { Source } from '../documents';
import { pickList, pickText } from '../fields';

/** A HostedCluster. Its operator derives SANs and flags from the hosts, and makes Routes. */
export function readHypershift(source: Source): ControlPlane {
  const api = routeHost(source, 'APIServer');
  const konnectivity = routeHost(source, 'Konnectivity');
  return {
    source,
    system: 'HyperShift',
    exposure: api ? 'ingress' : 'none',
    api,
    konnectivity: { enabled: konnectivity !== undefined, host: konnectivity },
    apiServerArgs: { value: [], path: 'spec' },
    operatorOwnsEndpoints: true,
    operatorRoutes: [api, konnectivity].flatMap(host => (host ? [operatorRoute(source, host, "HyperShift's Routes")] : [])),
  };
}

function routeHost(source: Source, service: string): Host | undefined {
  const services = pickList(source.object, 'spec.services');
  const i = services.findIndex(item => pickText(item, 'service') === service);
  const hostname = pickText(services[i], 'servicePublishingStrategy.route.hostname');
  return hostname === undefined ? undefined : hostOf(hostname, `spec.services[${i}].servicePublishingStrategy.route.hostname`);
}
