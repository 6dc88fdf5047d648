import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, PassthroughRoute, SharedIngressGateway, TcpProxyAddon, TcpProxyCertificate,
  TcpProxyUpstream,
} from '../src';

/** Where the parts of the demonstration listen, all on loopback. */
export interface Ports {
  readonly ingress: number;
  readonly gatewaySni: number;
  readonly gatewayClusterId: number;
}

/** A tenant as it runs here. */
export interface TenantPorts {
  readonly apiServer: number;
}

/** What was synthesized, as far as it runs here. */
export interface Platform {
  readonly controlPlanes: IngressExposedControlPlane[];
  /** Where the ingress leads each host. */
  readonly routes: PassthroughRoute[];
  /** Configuration of the tcp-proxy that re-originates TLS with SNI, of the first tenant. */
  readonly sniProxy: string;
  /** Configuration of the tcp-proxy that sends the cluster ID, of the second tenant. */
  readonly clusterIdProxy: string;
  readonly gateway: string;
  /** The gateway's tables, by file name. */
  readonly gatewayTables: { [file: string]: string };
  readonly manifests: number;
  /** Where they were written. */
  readonly folder: string;
}

export const NAMES = ['tenant-01', 'tenant-02'];
export const NAMESPACE = 'tenants';
export const DOMAIN = 'example.com';
const CLUSTER_IDS = ['0f6c1fd0-6f0b-4f0e-9d25-6f2f0d8a3a01', '0f6c1fd0-6f0b-4f0e-9d25-6f2f0d8a3a02'];

/** The platform definition of the demonstration: what a user writes. */
export function synthesize(ports: Ports, tenants: TenantPorts[], folder: string): Platform {
  const app = new App({ outdir: folder });
  const management = new Chart(app, 'management');
  const gateway = new SharedIngressGateway(management, 'shared-ingress', {
    namespace: 'shared-ingress',
    sniPort: ports.gatewaySni,
    clusterIdPort: ports.gatewayClusterId,
    // Small enough for a workstation.
    maxConnections: 1000,
    routeShards: 1,
    ipv6: false,
  });
  const controlPlanes = NAMES.map((name, i) => new IngressExposedControlPlane(management, name, {
    namespace: NAMESPACE,
    kubernetesVersion: '1.32.0',
    hostname: `${name}.k8s.${DOMAIN}`,
    port: ports.ingress,
    clusterId: CLUSTER_IDS[i],
    platform: ControlPlanePlatform.kamaji({ apiPort: tenants[i].apiServer }),
    controller: IngressController.haproxy({ port: ports.ingress }),
    // There are no nodes to reach.
    nodesReachable: true,
  }));
  const [first, second] = controlPlanes;
  gateway.register(second.exposure);
  const sniProxy = new TcpProxyAddon(new Chart(app, NAMES[0]), 'tcp-proxy', {
    controlPlane: first, certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls'),
  });
  const clusterIdProxy = new TcpProxyAddon(new Chart(app, NAMES[1]), 'tcp-proxy', {
    controlPlane: second, upstream: TcpProxyUpstream.sharedGateway(gateway),
  });

  app.synth();
  const manifests: any[] = app.charts.flatMap(chart => chart.toJson());
  const files = Object.assign({}, ...manifests.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.namespace === 'shared-ingress').map(({ data }) => data));
  const { 'haproxy.cfg': gatewayConfig, ...gatewayTables } = files;
  return {
    controlPlanes,
    routes: controlPlanes.flatMap(({ routes }) => routes),
    sniProxy: sniProxy.haproxyConfig,
    clusterIdProxy: clusterIdProxy.haproxyConfig,
    gateway: gatewayConfig,
    gatewayTables,
    manifests: manifests.length,
    folder,
  };
}
