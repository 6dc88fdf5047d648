import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, KubernetesServicePath, Warnings,
} from '../../src';
import { TenantSide } from '../../src/control-plane/tenant-side';
import { expectValid } from '../support/schemas';

export const GATEWAY = { name: 'shared', namespace: 'ingress' };

/** One tenant of a platform, in a chart of its own. */
export class Tenant {
  public readonly app = new App();
  public readonly chart = new Chart(this.app, 'management');
  public readonly controlPlane: IngressExposedControlPlane;

  public constructor(platform: ControlPlanePlatform, props: Partial<IngressExposedControlPlaneProps> = {}) {
    const hosts = props.hostname || props.domain ? {} : { domain: 'example.com' };
    this.controlPlane = new IngressExposedControlPlane(this.chart, props.name ?? 'tenant-01', {
      namespace: 'tenants',
      kubernetesVersion: '1.31.0',
      controller: IngressController.traefik(),
      // No tenant is made here, so none of what one may lack is a fault.
      kubernetesService: KubernetesServicePath.none({ reason: 'a test of the platform' }),
      nodesReachable: props.konnectivity === undefined,
      ...hosts,
      ...props,
      platform,
    });
  }

  /** The manifests, as `cdk8s synth` would write them; validations of the app included. */
  public synth(): any[] {
    this.app.synthYaml();
    return this.chart.toJson();
  }

  /** The custom resource of the platform, which the upstream CRD accepts. */
  public resource(): any {
    const resource = this.synth().find(manifest => /ControlPlane$/.test(manifest.kind));
    expectValid(resource);
    return resource;
  }

  public spec(): any {
    return this.resource().spec;
  }

  /** The hosts that this library's own route objects name, in order. */
  public ownRoutes(): string[] {
    return this.controlPlane.routeObjects.map(object => object.name);
  }

  /** What a tcp-proxy that is added later does. */
  public attachTcpProxy(attachment: { endpointsOwnedByTcpProxy: boolean; advertiseAddress?: string }): this {
    TenantSide.of(this.controlPlane.exposure)!.attach(new Chart(this.app, 'tenant'), attachment);
    return this;
  }

  public warnings(): string[] {
    return Warnings.of(this.controlPlane);
  }
}
