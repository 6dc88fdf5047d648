import { App, AppProps, Chart } from 'cdk8s';
import { Cell, controlPlaneOf, CONTROLLERS, TCP_PROXIES } from './matrix';
import {
  IngressController, IngressExposedControlPlane, KubernetesServiceEndpoints, KubernetesServicePath, PlatformSecrets, TcpProxyAddon,
  TcpProxyAddonProps, TcpProxyCertificate, TenantCharts, TenantDelivery,
} from '../../src';

/** A cell of the matrix with one tenant or more. */
export interface Combination extends Cell {
  /** @default 1 */
  readonly tenants?: number;
  /** How objects of tenants get to their clusters. @default - they stand in charts of their own */
  readonly delivery?: TenantDelivery;
}

/** How the app is made. */
export interface TenantsProps extends AppProps {
  /** Namespace of all charts. */
  readonly chartNamespace?: string;
  readonly disableResourceNameHashes?: boolean;
}

/** An app with one management cluster and the tenants of one combination: `tenant-01`, `tenant-02`, … */
export class Tenants {
  public readonly app: App;
  public readonly management: Chart;
  public readonly controller: IngressController;
  public readonly tenants: Chart[] = [];
  public readonly controlPlanes: IngressExposedControlPlane[] = [];
  public readonly tcpProxies: TcpProxyAddon[] = [];

  public constructor(combination: Combination, { chartNamespace, disableResourceNameHashes, ...appProps }: TenantsProps = {}) {
    this.app = new App(appProps);
    const chartProps = { namespace: chartNamespace, disableResourceNameHashes };
    this.management = new Chart(this.app, 'management', chartProps);
    const domain = combination.domain ?? 'example.com';
    const controller = this.controller = CONTROLLERS[combination.controller](this.management, domain);
    const deliveries = combination.delivery && new TenantCharts(this.management, 'tenants', { delivery: combination.delivery });
    for (let i = 1; i <= (combination.tenants ?? 1); i++) {
      const name = `tenant-0${i}`;
      const props = controlPlaneOf(combination, name);
      const controlPlane = new IngressExposedControlPlane(this.management, name, {
        // What a cell leaves out is meant so: a tenant that lacks something is no cell of its own.
        ...combination.tcpProxy ? {} : { kubernetesService: KubernetesServicePath.none({ reason: 'a cell without a tcp-proxy' }) },
        nodesReachable: props.konnectivity === undefined,
        ...props,
        controller,
      });
      this.controlPlanes.push(controlPlane);
      const { kubernetesEndpoint } = controlPlane.exposure;
      if (!combination.tcpProxy && !kubernetesEndpoint) {
        continue;
      }
      const chart = deliveries?.of(controlPlane) ?? new Chart(this.app, name, chartProps);
      this.tenants.push(chart);
      if (kubernetesEndpoint && !combination.tcpProxy) {
        new KubernetesServiceEndpoints(chart, 'kubernetes', { controlPlane });
      }
      if (combination.tcpProxy) {
        this.tcpProxies.push(new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane, ...certificateOf(combination, controlPlane.secrets), ...TCP_PROXIES[combination.tcpProxy]() }));
      }
    }
  }

  /** The manifests of all charts; throws when validations fail. */
  public manifests(): any[] {
    return [this.management, ...this.tenants].flatMap(chart => chart.toJson());
  }
}

/** Of somebody else, where nothing that delivers has it made. */
function certificateOf({ delivery, tcpProxy = '' }: Combination, { adminKubeconfig, clusterCa }: PlatformSecrets): Partial<TcpProxyAddonProps> {
  if (/^(direct|shared gateway)/.test(tcpProxy)) {
    return {};
  }
  if (tcpProxy.includes('static pod')) {
    return { certificate: TcpProxyCertificate.onNodes() };
  }
  return delivery && adminKubeconfig && clusterCa ? {} : { certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls') };
}
