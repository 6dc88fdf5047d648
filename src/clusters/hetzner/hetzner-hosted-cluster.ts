import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { ciliumValues, cloudControllerManagerValues } from './helm-values';
import { HETZNER_HOSTED_CLUSTER } from './hetzner-checks';
import { HetznerClusterSettings } from './hetzner-settings';
import { HostedControlPlane } from './hosted-control-plane';
import { resolveHetznerSettings, ResolvedHetznerSettings } from './resolve-hetzner-settings';
import { WorkerPool } from './worker-pool';
import { HetznerWorkerPoolProps } from './worker-pool-props';
import { IngressExposedControlPlane } from '../../control-plane/ingress-exposed-control-plane';
import { Cluster, ClusterV1Beta1 } from '../../imports/cluster.x-k8s.io';
import { HetznerCluster, HetznerClusterSpecControlPlaneRegions, HetznerClusterSpecHcloudNetworkNetworkZone } from '../../imports/infrastructure.cluster.x-k8s.io';
import { controlPlaneLabels } from '../../manifests/labels';
import { apiGroupOf, ClusterApiVersion, ObjectReference } from '../../model/cluster-api-version';
import { Endpoint } from '../../model/endpoint';
import { Exposure } from '../../model/exposure';
import { K0smotronApiVersion, K0smotronProps } from '../../platforms/k0smotron/k0smotron-props';
import { enumValue } from '../../platforms/tenant-control-plane/tenant-control-plane-spec';
import { ManagementCluster } from '../../synthesis/management-cluster';
import { claimObject } from '../../synthesis/object-claims';
import { invalidInput, placed, placing } from '../../validation/invalid-input';
import { validateDns1035Label, validateDns1123Label } from '../../validation/name';
import { checkProps } from '../../validation/props';
import { required } from '../../validation/required';

/** A Cluster API cluster with a hosted control plane and workers on Hetzner Cloud. */
export interface HetznerHostedClusterProps extends HetznerClusterSettings {
  /** Namespace in the management cluster; it must exist. */
  readonly namespace: string;
  /**
   * Name: a DNS-1035 label.
   * @default - the construct's id
   */
  readonly name?: string;
  /** The workers; further pools are added by `addWorkerPool`. */
  readonly workers: HetznerWorkerPoolProps;
  /**
   * The control plane.
   * @default - one replica with an etcd of its own
   */
  readonly controlPlane?: K0smotronProps;
  /**
   * Leave the infrastructure to k0smotron (`cluster.x-k8s.io/managed-by`): Hetzner's provider then ignores the
   * HetznerCluster and need not reach the API server, but makes no private network, no placement groups and no Secret
   * in the cluster. Deletion must then begin with the Cluster, or servers are left behind.
   * @default false
   */
  readonly managedByK0smotron?: boolean;
  /**
   * Version of Cluster API's own kinds.
   * @default ClusterApiVersion.V1BETA2
   */
  readonly clusterApiVersion?: ClusterApiVersion;
  /**
   * Version of the kinds of Hetzner's provider. v1beta2 is not released yet.
   * @default ClusterApiVersion.V1BETA1
   */
  readonly hetznerApiVersion?: ClusterApiVersion;
  /**
   * Labels for every object.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

/**
 * A cluster whose control plane k0smotron hosts in the management cluster and whose workers are servers of Hetzner
 * Cloud. Belongs into a chart for the management cluster.
 *
 * Its objects: Cluster, HetznerCluster, K0smotronControlPlane, and for each pool MachineDeployment,
 * HCloudMachineTemplate and K0sWorkerConfigTemplate; and routes, unless k0smotron makes them.
 *
 * @example
 * const cluster = new HetznerHostedCluster(management, 'cluster01', {
 *   namespace: 'clusters',
 *   k0sVersion: 'v1.35.6+k0s.0',
 *   access: HetznerAccess.ingress({ controller: IngressController.haproxy(), domain: 'example.com' }),
 *   region: HetznerRegion.NBG1,
 *   workers: { replicas: 2, type: 'cpx22', image: 'ubuntu-24.04' },
 *   sshKeyNames: ['ops@example'],
 * });
 * cluster.addWorkerPool('large', { type: 'cpx42' });
 */
export class HetznerHostedCluster extends Construct {
  /** The Cluster. */
  public readonly cluster: ApiObject;
  /** The HetznerCluster. */
  public readonly hetznerCluster: ApiObject;
  /** The K0smotronControlPlane. */
  public readonly controlPlaneObject: ApiObject;
  /** The control plane behind the shared address, for a TcpProxyAddon; none in the other access modes. */
  public readonly controlPlane?: IngressExposedControlPlane;
  /** Where workers reach the API server; unknown with a load balancer. */
  public readonly apiEndpoint?: Endpoint;

  private readonly pools: WorkerPool[] = [];
  private readonly settings: ResolvedHetznerSettings;
  private readonly name: string;
  private readonly labels: { [name: string]: string };

  public constructor(scope: Construct, id: string, private readonly props: HetznerHostedClusterProps) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give namespace, k0sVersion, access, region and workers'), HETZNER_HOSTED_CLUSTER);
      this.name = validateDns1035Label('name', props.name ?? id);
      this.settings = resolveHetznerSettings(props);
      this.validateManagedBy();
      this.labels = { ...controlPlaneLabels(this.name), ...props.labels };

      const hosted = new HostedControlPlane(this, 'control-plane', {
        name: this.name,
        namespace: props.namespace,
        labels: this.labels,
        access: props.access,
        region: props.region,
        settings: this.settings,
        controlPlane: props.controlPlane ?? {},
      });
      this.controlPlane = hosted.exposed;
      this.controlPlaneObject = hosted.object;
      this.apiEndpoint = hosted.endpoint;
      this.hetznerCluster = this.addHetznerCluster();
      this.cluster = this.addCluster();
      this.claim(this.cluster, this.hetznerCluster, ...hosted.exposed ? [] : [hosted.object]);
      this.addPool('worker', props.workers);
    } catch (error) {
      throw placed(this, error);
    }
  }

  /** How the control plane is reached; none where no shared address is used. */
  public get exposure(): Exposure | undefined {
    return this.controlPlane?.exposure;
  }

  /**
   * Values for Cilium's Helm chart in the tenant cluster: it reaches the API server before any Service works, and its
   * operator starts on nodes that are not ready.
   *
   * @throws when the endpoint is unknown, as it is with a load balancer
   */
  public get ciliumValues(): { [key: string]: any } {
    return ciliumValues(this.requireEndpoint());
  }

  /**
   * Values for the Helm chart of Hetzner's cloud controller manager in the tenant cluster, for the same reasons.
   *
   * @throws when the endpoint is unknown, as it is with a load balancer
   */
  public get cloudControllerManagerValues(): { [key: string]: any } {
    return cloudControllerManagerValues(this.requireEndpoint());
  }

  /**
   * Adds a pool of workers.
   *
   * @param name name of the pool: a DNS label, part of the names of its objects
   */
  public addWorkerPool(name: string, pool: HetznerWorkerPoolProps): void {
    placing(this, () => this.addPool(validateDns1123Label('pool', name), pool));
  }

  private addPool(name: string, pool: HetznerWorkerPoolProps): void {
    const { namespace, region } = this.props;
    const added = new WorkerPool(this, name, {
      name: this.name,
      namespace,
      region,
      k0sVersion: this.settings.k0sVersion,
      labels: this.labels,
      clusterApiVersion: this.clusterApiVersion,
      hetznerApiVersion: this.hetznerApiVersion,
      k0smotronApiVersion: this.props.controlPlane?.apiVersion ?? K0smotronApiVersion.V1BETA2,
      privateNetworkZone: this.settings.privateNetwork?.zone,
    }, pool);
    if (added.placementGroup !== undefined && this.props.managedByK0smotron) {
      throw invalidInput('workers.placementGroup', added.placementGroup, 'would not be made: "managedByK0smotron" keeps Hetzner\'s provider from it',
        'Leave one of them out');
    }
    this.pools.push(added);
    this.claim(added.machineDeployment, added.machineTemplate, added.workerConfigTemplate);
  }

  private get clusterApiVersion(): ClusterApiVersion {
    return this.props.clusterApiVersion ?? ClusterApiVersion.V1BETA2;
  }

  private get hetznerApiVersion(): ClusterApiVersion {
    return this.props.hetznerApiVersion ?? ClusterApiVersion.V1BETA1;
  }

  private addHetznerCluster(): ApiObject {
    return new ApiObject(this, 'HetznerCluster', {
      apiVersion: `infrastructure.cluster.x-k8s.io/${this.hetznerApiVersion}`,
      kind: HetznerCluster.GVK.kind,
      metadata: { ...this.metadata, annotations: this.hetznerClusterAnnotations() },
      // The placement groups are those of all pools.
      spec: Lazy.any({ produce: () => this.hetznerClusterSpec() }),
    });
  }

  private hetznerClusterSpec(): any {
    const { sshKeyNames, tokenSecret, privateNetwork } = this.settings;
    const groups = [...new Set(this.pools.flatMap(pool => pool.placementGroup ?? []))];
    return HetznerCluster.manifest({
      spec: {
        controlPlaneRegions: [enumValue<HetznerClusterSpecControlPlaneRegions>(this.props.region)],
        controlPlaneEndpoint: this.apiEndpoint && { host: this.apiEndpoint.host, port: this.apiEndpoint.port },
        // Hetzner's provider would pay for one, in front of servers that do not exist.
        controlPlaneLoadBalancer: { enabled: false },
        hetznerSecretRef: { name: tokenSecret.name, key: { hcloudToken: tokenSecret.key } },
        // Required, even without keys.
        sshKeys: { hcloud: sshKeyNames.map(name => ({ name })) },
        hcloudNetwork: privateNetwork && {
          enabled: true,
          cidrBlock: privateNetwork.cidr,
          subnetCidrBlock: privateNetwork.subnetCidr,
          networkZone: enumValue<HetznerClusterSpecHcloudNetworkNetworkZone>(privateNetwork.zone),
        },
        hcloudPlacementGroups: groups.length > 0 ? groups.map(name => ({ name })) : undefined,
      },
    }).spec;
  }

  private hetznerClusterAnnotations(): { [name: string]: string } | undefined {
    const annotations = {
      ...this.props.managedByK0smotron ? { 'cluster.x-k8s.io/managed-by': 'k0smotron', 'helm.sh/resource-policy': 'keep' } : {},
      // k0smotron fills the endpoint in when the load balancer has an address.
      ...this.apiEndpoint ? {} : { 'capi.syself.com/allow-empty-control-plane-address': 'true' },
    };
    return Object.keys(annotations).length > 0 ? annotations : undefined;
  }

  private addCluster(): ApiObject {
    const { network } = this.settings;
    const common = {
      clusterNetwork: {
        pods: { cidrBlocks: network.podCidrs },
        services: { cidrBlocks: network.serviceCidrs },
        serviceDomain: network.clusterDomain ?? 'cluster.local',
      },
      controlPlaneEndpoint: this.apiEndpoint && { host: this.apiEndpoint.host, port: this.apiEndpoint.port },
    };
    const [infrastructureRef, controlPlaneRef]: ObjectReference[] = [this.hetznerCluster, this.controlPlaneObject]
      .map(({ apiVersion, kind, name }) => ({ apiVersion, kind, name }));
    const { spec } = this.clusterApiVersion === ClusterApiVersion.V1BETA1
      ? ClusterV1Beta1.manifest({ spec: { ...common, infrastructureRef, controlPlaneRef } })
      : Cluster.manifest({ spec: { ...common, infrastructureRef: apiGroupOf(infrastructureRef), controlPlaneRef: apiGroupOf(controlPlaneRef) } });
    return new ApiObject(this, 'Cluster', {
      apiVersion: `cluster.x-k8s.io/${this.clusterApiVersion}`,
      kind: Cluster.GVK.kind,
      // What ClusterResourceSets select a cluster by.
      metadata: { ...this.metadata, labels: { ...this.labels, 'cluster.x-k8s.io/cluster-name': this.name } },
      spec,
    });
  }

  private get metadata() {
    return { name: this.name, namespace: this.props.namespace, labels: this.labels };
  }

  private claim(...objects: ApiObject[]): void {
    for (const object of objects) {
      claimObject(this, object, ManagementCluster.of(this).name);
    }
  }

  private requireEndpoint(): Endpoint {
    if (!this.apiEndpoint) {
      throw placed(this, invalidInput('access', 'loadBalancer()', 'has an address that is not known before it exists',
        'Read it from the Cluster\'s spec.controlPlaneEndpoint, or choose HetznerAccess.ingress() or nodePort()'));
    }
    return this.apiEndpoint;
  }

  private validateManagedBy(): void {
    if (this.props.managedByK0smotron && this.settings.privateNetwork) {
      throw invalidInput('privateNetwork', this.settings.privateNetwork.cidr, 'would not be made: "managedByK0smotron" keeps Hetzner\'s provider from it',
        'Leave one of them out');
    }
  }
}
