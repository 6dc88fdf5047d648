import { App, Chart, Testing } from 'cdk8s';
import {
  ControlPlanePlatform, ExposureReport, ExposureReportProps, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps,
  TcpProxyAddon, TcpProxyAddonProps,
} from '../../src';

/** A platform with tenants, for reports on it. */
export class ReportedPlatform {
  public readonly app: App = Testing.app();
  public readonly management = new Chart(this.app, 'management');

  /** A control plane behind Traefik. */
  public tenant(name: string, props: Partial<IngressExposedControlPlaneProps> = {}): IngressExposedControlPlane {
    return new IngressExposedControlPlane(this.management, name, {
      namespace: 'tenants',
      kubernetesVersion: '1.31.0',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.steward(),
      controller: IngressController.traefik(),
      ...props,
    });
  }

  /** The tcp-proxy of a tenant, in a chart of an app of its own. */
  public tcpProxy(controlPlane: IngressExposedControlPlane, props: Partial<TcpProxyAddonProps> = {}): TcpProxyAddon {
    return new TcpProxyAddon(new Chart(Testing.app(), 'tenant'), 'tcp-proxy', { controlPlane, ...props });
  }

  public report(props: ExposureReportProps = {}): ExposureReport {
    return new ExposureReport(this.app, 'report', props);
  }
}
