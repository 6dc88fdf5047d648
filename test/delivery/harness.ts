import { ApiObject, App, AppProps, Chart, Testing } from 'cdk8s';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, KubernetesServicePath, ManagementCluster,
  TcpProxyAddon, TenantChartOptions, TenantCharts, TenantChartsProps, TenantDelivery,
} from '../../src';

/** What a test varies. */
export interface ManagementOptions {
  readonly app?: AppProps;
  readonly charts?: Partial<TenantChartsProps>;
  /** @default - the management cluster that need not be named */
  readonly cluster?: string;
}

/** A management cluster with the charts of its tenants. */
export class Management {
  public readonly app: App;
  public readonly chart: Chart;
  public readonly tenants: TenantCharts;

  public constructor(delivery: TenantDelivery | undefined, options: ManagementOptions = {}) {
    this.app = options.app ? new App(options.app) : Testing.app();
    this.chart = new Chart(this.app, 'management');
    if (options.cluster !== undefined) {
      ManagementCluster.assign(this.chart, options.cluster);
    }
    this.tenants = new TenantCharts(this.chart, 'tenants', { delivery, ...options.charts });
  }

  /** A chart for another management cluster. */
  public chartFor(cluster: string): Chart {
    const chart = new Chart(this.app, cluster);
    ManagementCluster.assign(chart, cluster);
    return chart;
  }

  /** A control plane in the management chart. */
  public controlPlane(name = 'tenant-01', props: Partial<IngressExposedControlPlaneProps> = {}, scope: Chart = this.chart): IngressExposedControlPlane {
    return new IngressExposedControlPlane(scope, `${props.namespace ?? 'tenants'}.${name}`, {
      name,
      namespace: 'tenants',
      kubernetesVersion: '1.31.0',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji(),
      controller: IngressController.haproxy({ ingressClassName: 'haproxy' }),
      ...props,
    });
  }

  /** A tenant with a ConfigMap in its cluster. */
  public tenant(name = 'tenant-01', props: Partial<IngressExposedControlPlaneProps> = {}, options: TenantChartOptions = {}): Chart {
    const kubernetesService = KubernetesServicePath.none({ reason: 'a tenant with a ConfigMap alone' });
    const chart = this.tenants.of(this.controlPlane(name, { kubernetesService, ...props }), options);
    addConfigMap(chart, 'greeting', { hello: name });
    return chart;
  }

  /** A tenant with a tcp-proxy. */
  public tenantWithProxy(name = 'tenant-01', props: Partial<IngressExposedControlPlaneProps> = {}): Chart {
    const controlPlane = this.controlPlane(name, props);
    const chart = this.tenants.of(controlPlane);
    new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane });
    return chart;
  }

  /** The manifests of the management cluster. */
  public manifests(): any[] {
    return Testing.synth(this.chart);
  }

  /** The objects of the management cluster of one kind, or the one of the name. */
  public all(kind: string): any[] {
    return this.manifests().filter(manifest => manifest.kind === kind);
  }

  public one(kind: string, name: string): any {
    return this.all(kind).find(({ metadata }) => metadata.name === name);
  }

  /** The errors that synthesis gives, in one text. */
  public errors(): string {
    try {
      this.app.synth();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('synthesis found nothing wrong');
  }
}

/** Adds an object to a tenant's chart. */
export function addConfigMap(chart: Chart, name: string, data: any = {}, namespace = 'default'): ApiObject {
  return addObject(chart, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
}

/** Adds an object to a tenant's chart. */
export function addObject(chart: Chart, id: string, manifest: any): ApiObject {
  return new ApiObject(chart, id, manifest);
}

/** Names of objects as `kind namespace/name`. */
export function titles(manifests: any[]): string[] {
  return manifests.map(({ kind, metadata: { namespace, name } }) => `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`);
}
