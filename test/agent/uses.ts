import { App, Chart } from 'cdk8s';
import {
  AgentWorkloadProps, Exposure, SharedIngressGateway, TcpProxyAddon, TcpProxyAddonProps, TcpProxyEndpoints, TcpProxyPlacement, TenantCharts,
  TenantDelivery,
} from '../../src';

/** A construct that runs the image. */
export interface Use {
  readonly name: string;
  /** The manifests of an app with the construct and these props. */
  readonly manifests: (props: AgentWorkloadProps & { readonly [name: string]: unknown }) => any[];
}

const exposure = () => new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com' });

function tcpProxy(more: Partial<TcpProxyAddonProps> = {}): Use['manifests'] {
  return props => {
    const chart = new Chart(new App(), 'tenant');
    new TcpProxyAddon(chart, 'tcp-proxy', { exposure: exposure(), ...more, ...props });
    return chart.toJson();
  };
}

/** Each of those whose props are those of the workload, as its user sees it. */
export const USES: readonly Use[] = [
  { name: 'tcp-proxy', manifests: tcpProxy() },
  {
    name: 'gateway',
    manifests: props => {
      const chart = new Chart(new App(), 'management');
      new SharedIngressGateway(chart, 'edge', { namespace: 'shared-ingress', ...props });
      return chart.toJson();
    },
  },
  {
    name: 'sync',
    manifests: props => {
      const chart = new Chart(new App(), 'management');
      new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.sync(props) });
      return chart.toJson();
    },
  },
];

const ADDRESS = { addresses: ['100.64.30.10', 'fd00:64::1'] };
const DUAL_STACK = new Exposure({
  name: 'tenant-01',
  namespace: 'tenants',
  hostname: 'tenant-01.k8s.example.com',
  network: { serviceCidrs: ['10.96.0.0/16', 'fd00:10:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'] },
});

/** The tcp-proxies whose pods differ. */
export const TCP_PROXIES: readonly Use[] = [
  { name: 'tcp-proxy with an address on every node', manifests: tcpProxy({ exposure: DUAL_STACK, placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.ownedAdvertiseAddress(ADDRESS) }) },
  { name: 'tcp-proxy behind the Service kubernetes', manifests: tcpProxy({ namespace: 'default', endpoints: TcpProxyEndpoints.kubernetesService() }) },
];

/** Registration of tenants, whose props are below those of a delivery. */
export const REGISTRATION: Use = {
  name: 'registration',
  manifests: props => {
    const chart = new Chart(new App(), 'management');
    new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/tenants.git', registration: props }) });
    return chart.toJson();
  },
};
