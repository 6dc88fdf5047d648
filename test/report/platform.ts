import { App, Chart, Testing } from 'cdk8s';
import {
  ControlPlanePlatform, ExposureReport, ExposureReportProps, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps,
  TcpProxyAddon, TcpProxyAddonProps, TcpProxyCertificate,
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
    return new TcpProxyAddon(new Chart(Testing.app(), 'tenant'), 'tcp-proxy', { controlPlane, ...bringsCertificate(props), ...props });
  }

  public report(props: ExposureReportProps = {}): ExposureReport {
    return new ExposureReport(this.app, 'report', props);
  }
}

/** Of somebody else, where the proxy has one. */
function bringsCertificate({ upstream, placement }: Partial<TcpProxyAddonProps>): Partial<TcpProxyAddonProps> {
  return upstream ? {} : { certificate: placement?._nodeFolders ? TcpProxyCertificate.onNodes() : TcpProxyCertificate.existingSecret('tcp-proxy-tls') };
}
