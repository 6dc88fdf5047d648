import { Rule } from './rule';
import { KeysOf, lookUp } from '../../manifests/lookup';
import { clustersOf, isBehindEdge } from '../../manifests/read-shared-gateway';
import { Route } from '../../manifests/route';

export const unknownInCluster: Rule = {
  code: 'HCP650',
  severity: 'error',
  title: 'the edge of a fleet leads to a cluster what no gateway behind it knows',
  check: platform => {
    const clusters = new Set(platform.sources.flatMap(clustersOf));
    // What is not among the manifests may know everything else.
    if (platform.sources.filter(isBehindEdge).length < clusters.size) return [];
    const ids = new Set(platform.clusterIds.map(({ clusterId }) => clusterId));
    const ports = new Set(platform.portRoutes.map(({ port }) => String(port)));
    const knows = {
      'host': (host: string) => lookUp(platform.routes, byHost, host).length > 0,
      'cluster ID': (id: string) => ids.has(id),
      'port': (port: string) => ports.has(port),
    };
    return platform.clusterRoutes.filter(({ what, key }) => !knows[what](key)).map(({ source, what, key, cluster, path }) => ({
      source,
      field: path,
      message: `the ${what} ${key} leads to cluster ${cluster}, and no gateway behind the edge knows it: the connections are closed there`,
      remedy: 'Synthesize the app of the edge with what that of the cluster has written last, or look for the tenant in the gateway of the cluster',
    }));
  },
};

const byHost: KeysOf<Route> = ({ host }) => (host === undefined ? [] : [host.host]);
