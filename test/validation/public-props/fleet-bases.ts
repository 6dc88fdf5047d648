import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Chart } from 'cdk8s';
import { Bases } from './base';
import { FleetRoutes, ManagementCluster, SharedIngressGateway } from '../../../src';

const EDGE = { trustedCidrs: ['203.0.113.0/28'], port: 7444 };
const RANGE = { first: 30000, last: 30085 };

const file = join(mkdtempSync(join(tmpdir(), 'fleet-bases-')), 'eu.json');
writeFileSync(file, JSON.stringify({
  kind: 'FleetRoutes',
  version: 1,
  cluster: 'eu',
  gateway: { address: '192.0.2.1', port: 7444 },
  tenants: [{ namespace: 'tenants', name: 'a', routes: [{ service: 'kube-apiserver', host: 'a.eu.example.com', port: 443, foundBy: 'host' }] }],
}));

/** The gateway of another cluster of the app. */
function inner(management: Chart): SharedIngressGateway {
  const chart = new Chart(management.node.root as any, 'eu');
  ManagementCluster.assign(chart, 'eu');
  return new SharedIngressGateway(chart, 'inner', { namespace: 'edge', edge: EDGE });
}

function cluster(routes?: FleetRoutes) {
  return {
    name: 'eu',
    address: '192.0.2.1',
    port: 7444,
    domains: ['eu.example.com'],
    portRange: { first: 30000, last: 30009 },
    ports: [30020],
    standbyTenants: ['tenants/b'],
    routes,
    everyHost: true,
  };
}

/** Fleets: their edges, and what is behind them. */
export const FLEET_BASES: Bases = {
  'new SharedIngressGateway': [
    { args: () => [{ namespace: 'edge', portRange: RANGE, clusters: [cluster(FleetRoutes.fromFile(file))] }] },
    { args: () => [{ namespace: 'edge', edge: EDGE }] },
  ],
  'new FleetExport': [{ args: management => [{ gateway: inner(management), cluster: 'eu', address: '192.0.2.1', folder: 'fleet', fileName: 'eu' }] }],
  'FleetRoutes.fromFile': [{
    args: () => [file],
    use: (routes, management) => void new SharedIngressGateway(management, 'edge', { namespace: 'edge', portRange: RANGE, clusters: [cluster(routes)] }),
  }],
  'FleetRoutes.ofGateway': [{
    args: management => [inner(management)],
    use: (routes, management) => void new SharedIngressGateway(management, 'edge', { namespace: 'edge', portRange: RANGE, clusters: [cluster(routes)] }),
  }],
};
