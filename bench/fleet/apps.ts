import { App, Chart } from 'cdk8s';
import { clusterIdOf, clusterName, CLUSTERS, domainOf, hostOf, konnectivityHostOf, Place, shardsOf, tenantName } from './names';
import { Exposure, FleetRoutes, ManagementCluster, SharedIngressGateway } from '../../src';

/** A chart for a cluster. */
function chartFor(app: App, cluster: string): Chart {
  const chart = new Chart(app, cluster);
  ManagementCluster.assign(chart, cluster);
  return chart;
}

/** The gateway of a cluster with its share of so many tenants. Each has an API server, konnectivity and a cluster ID; all Services have the port. */
export function addCluster(app: App, cluster: number, tenants: number, servicePort: number, { port }: Place): SharedIngressGateway {
  const gateway = new SharedIngressGateway(chartFor(app, clusterName(cluster)), 'gateway', {
    namespace: 'shared-ingress', edge: { trustedCidrs: ['127.0.0.1/32'], port },
  });
  for (let i = cluster; i < tenants; i += CLUSTERS) {
    gateway.register(new Exposure({
      name: tenantName(i),
      namespace: tenantName(i),
      hostname: hostOf(i),
      konnectivity: { hostname: konnectivityHostOf(i) },
      clusterId: clusterIdOf(i),
      backend: { serviceName: 'kube-apiserver', apiPort: servicePort },
    }));
  }
  return gateway;
}

/** The edge. @param routes of each cluster; undefined for none, so that each has a line for its domain */
export function addEdge(app: App, tenants: number, places: Place[], routes?: FleetRoutes[]): SharedIngressGateway {
  return new SharedIngressGateway(chartFor(app, 'edge'), 'edge', {
    namespace: 'shared-ingress',
    routeShards: shardsOf(routes ? tenants : 0),
    clusters: places.map((place, cluster) => ({ name: clusterName(cluster), ...place, domains: [domainOf(cluster)], routes: routes?.[cluster] })),
  });
}

