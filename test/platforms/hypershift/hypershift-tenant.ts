import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, HypershiftProps, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, SharedIngressGateway,
  SharedIngressGatewayProps, Warnings,
} from '../../../src';
import { expectValid } from '../../support/schemas';

/** What a hosted cluster is made with, where it differs from one that works. */
export interface HypershiftTenantProps {
  readonly platform?: Partial<HypershiftProps>;
  readonly controlPlane?: Partial<IngressExposedControlPlaneProps>;
  readonly gateway?: Partial<SharedIngressGatewayProps>;
  /** @default - none */
  readonly chartNamespace?: string;
  /** @default - the gateway */
  readonly controller?: IngressController;
}

/** A hosted cluster in a management cluster with a gateway that has ports. */
export class HypershiftTenant {
  public readonly app = new App();
  public readonly chart: Chart;
  public readonly gateway: SharedIngressGateway;
  public readonly controlPlane: IngressExposedControlPlane;

  public constructor(private readonly props: HypershiftTenantProps = {}) {
    this.chart = new Chart(this.app, 'management', { namespace: props.chartNamespace });
    this.gateway = new SharedIngressGateway(this.chart, 'edge', {
      namespace: 'shared-ingress', portRange: { first: 30000, last: 30085 }, ...props.gateway,
    });
    this.controlPlane = this.add('tenant-01', { port: 30001, ...props.controlPlane });
  }

  public add(name: string, controlPlane: Partial<IngressExposedControlPlaneProps>): IngressExposedControlPlane {
    return new IngressExposedControlPlane(this.chart, name, {
      namespace: 'tenants',
      kubernetesVersion: '1.33.0',
      platform: ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret', ...this.props.platform }),
      controller: this.props.controller ?? this.gateway.asController(),
      konnectivity: {},
      ...(controlPlane.hostname === undefined && { domain: 'example.com' }),
      ...controlPlane,
    });
  }

  /** The manifests, which the upstream schemas accept; validations of the app included. */
  public manifests(): any[] {
    this.app.synthYaml();
    const manifests: any[] = this.chart.toJson();
    manifests.forEach(expectValid);
    return manifests;
  }

  public object(kind: string, name: string): any {
    return this.manifests().find(manifest => manifest.kind === kind && manifest.metadata.name === name);
  }

  public get spec(): any {
    return this.object('HostedCluster', 'tenant-01').spec;
  }

  /** Each service with its type and what HyperShift is told of it. */
  public published(): unknown[] {
    return this.spec.services.map(({ service, servicePublishingStrategy: { type, ...details } }: any) =>
      [service, type, ...Object.values(details).flatMap((detail: any) => Object.values(detail))]);
  }

  /** Lines of a table of the gateway. */
  public lines(table: string): string[] {
    return this.manifests()
      .flatMap(({ kind, data }) => kind === 'ConfigMap' && data[`${table}.map`] ? data[`${table}.map`].trim().split('\n') : []).sort();
  }

  /** Objects in the namespace of the hosted control plane, and that namespace. */
  public inHostedNamespace(): string[] {
    return this.manifests().filter(({ metadata }) => [metadata.namespace, metadata.name].includes('tenants-tenant-01')).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  }

  public warnings(): string[] {
    return Warnings.of(this.controlPlane);
  }
}
