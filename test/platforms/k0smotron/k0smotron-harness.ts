import { App, Chart } from 'cdk8s';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, Warnings } from '../../../src';
import { expectValid } from '../../support/schemas';

export const HOSTS = { hostname: 'kube-api.example.com', konnectivity: { hostname: 'konnectivity.example.com' } };

/** One tenant of k0smotron behind HAProxy, in a chart of its own. */
export class K0smotronTenant {
  public readonly app = new App();
  public readonly chart = new Chart(this.app, 'management');
  public readonly controlPlane: IngressExposedControlPlane;

  public constructor(platform: ControlPlanePlatform, props: Partial<IngressExposedControlPlaneProps> = {}) {
    this.controlPlane = new IngressExposedControlPlane(this.chart, props.name ?? 'tenant-01', {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      controller: IngressController.haproxy(),
      ...HOSTS,
      ...props,
      platform,
    });
  }

  /** The custom resource, as `cdk8s synth` would write it; validations of the app included. */
  public resource(): any {
    this.app.synthYaml();
    const resource = this.controlPlane.platformObject.toJson();
    expectValid(resource);
    return resource;
  }

  public spec(): any {
    return this.resource().spec;
  }

  public warnings(): string[] {
    return Warnings.of(this.controlPlane);
  }
}
