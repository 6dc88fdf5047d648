import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { HetznerAccess, HetznerAccessMode } from './hetzner-access';
import { HetznerRegion } from './hetzner-region';
import { ResolvedHetznerSettings } from './resolve-hetzner-settings';
import { IngressExposedControlPlane } from '../../control-plane/ingress-exposed-control-plane';
import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT } from '../../manifests/k0smotron-facts';
import { childName } from '../../model/content-hash';
import { Endpoint } from '../../model/endpoint';
import { ControlPlanePlatform } from '../../platforms/control-plane-platform';
import { K0smotronDirectControlPlane } from '../../platforms/k0smotron/k0smotron-direct';
import { k0smotronObjects } from '../../platforms/k0smotron/k0smotron-objects';
import { K0smotronProps, K0smotronServiceType } from '../../platforms/k0smotron/k0smotron-props';
import { ManagementCluster } from '../../synthesis/management-cluster';
import { claimNodePorts } from '../../synthesis/node-port-claims';
import { claimOperatorObjects } from '../../synthesis/object-claims';
import { invalidInput, placed } from '../../validation/invalid-input';

/** A control plane of a cluster on Hetzner. */
export interface HostedControlPlaneProps {
  readonly name: string;
  readonly namespace: string;
  readonly labels: { [name: string]: string };
  readonly access: HetznerAccess;
  readonly region: HetznerRegion;
  readonly settings: ResolvedHetznerSettings;
  readonly controlPlane: K0smotronProps;
}

/** The K0smotronControlPlane of a cluster on Hetzner, in each access mode. */
export class HostedControlPlane extends Construct {
  public readonly object: ApiObject;
  public readonly exposed?: IngressExposedControlPlane;
  public readonly endpoint?: Endpoint;

  public constructor(scope: Construct, id: string, private readonly props: HostedControlPlaneProps) {
    super(scope, id);
    try {
      const access = props.access._mode;
      switch (access.mode) {
        case 'ingress':
          this.exposed = this.exposedBy(access);
          this.object = this.exposed.platformObject;
          this.endpoint = this.exposed.apiEndpoint;
          break;
        case 'load-balancer':
          this.object = this.direct({ apiPort: 6443, konnectivityPort: 8132, ...this.controlPlane }, K0smotronServiceType.LOAD_BALANCER, {
            serviceAnnotations: { 'load-balancer.hetzner.cloud/location': access.location ?? props.region },
          });
          break;
        case 'node-port':
          claimNodePorts(this, nodePortsOf(props.controlPlane), ManagementCluster.of(this).name, 'Give each control plane its own apiPort and konnectivityPort');
          this.object = this.direct(this.controlPlane, K0smotronServiceType.NODE_PORT, { externalAddress: access.host });
          this.endpoint = new Endpoint(access.host, props.controlPlane.apiPort ?? DEFAULT_API_PORT);
          break;
      }
    } catch (error) {
      throw placed(this, error);
    }
  }

  private exposedBy(access: HetznerAccessMode & { mode: 'ingress' }): IngressExposedControlPlane {
    const { name, namespace, settings, labels } = this.props;
    return new IngressExposedControlPlane(this, 'exposed', {
      name,
      namespace,
      kubernetesVersion: settings.k0sVersion.toString(),
      platform: ControlPlanePlatform.k0smotronControlPlane({ ...this.controlPlane, controlPlaneName: this.controlPlaneName }),
      controller: access.controller,
      hostname: access.hostname,
      domain: access.domain,
      hostnamePattern: access.hostnamePattern,
      port: access.port,
      konnectivity: { hostname: access.konnectivityHostname },
      allowedCidrs: access.allowedCidrs,
      certSans: access.certSans,
      network: settings.network,
      labels,
    });
  }

  /** A control plane that workers reach without a shared address. */
  private direct(
    props: K0smotronProps,
    serviceType: K0smotronServiceType,
    reach: { externalAddress?: string; serviceAnnotations?: { [name: string]: string } },
  ): ApiObject {
    const { name, namespace, settings, labels } = this.props;
    const { network } = settings;
    claimOperatorObjects(this, k0smotronObjects(name, props, { serviceType, ingress: false, deploysIngress: false, standalone: false })
      .map(object => ({ namespace, ...object })), ManagementCluster.of(this).name);
    return new K0smotronDirectControlPlane(this, 'direct', {
      ...reach,
      cluster: name,
      metadata: { name: this.controlPlaneName, namespace, labels },
      k0sVersion: settings.k0sVersion,
      network: { ...network, clusterDomain: network.clusterDomain ?? 'cluster.local', dnsServiceIps: network.dnsServiceIps ?? [] },
      serviceType,
      controlPlane: props,
    }).object;
  }

  private get controlPlaneName(): string {
    return childName(this.props.name, 'cp');
  }

  /** The user's settings with the network provider among the configuration of k0s. */
  private get controlPlane(): K0smotronProps {
    const { controlPlane, settings } = this.props;
    const network = controlPlane.k0sConfig?.network;
    if (network?.provider !== undefined) {
      throw invalidInput('controlPlane.k0sConfig.network.provider', network.provider, 'is set a second time', 'Use "networkProvider"');
    }
    return { ...controlPlane, k0sConfig: { ...controlPlane.k0sConfig, network: { ...network, provider: settings.networkProvider } } };
  }
}

function nodePortsOf({ apiPort, konnectivityPort }: K0smotronProps): number[] {
  return [apiPort ?? DEFAULT_API_PORT, konnectivityPort ?? DEFAULT_KONNECTIVITY_PORT];
}
