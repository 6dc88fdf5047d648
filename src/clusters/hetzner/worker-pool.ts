import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { HETZNER_WORKER_POOL } from './hetzner-checks';
import { HetznerNetworkZone, HetznerRegion, ZONE_OF_REGION } from './hetzner-region';
import { validateSshKeyNames } from './hetzner-ssh-keys';
import { ResolvedHetznerServers, resolveServers } from './resolve-hetzner-settings';
import { workerConfigSpec } from './worker-config';
import { HetznerWorkerPoolProps } from './worker-pool-props';
import { K0sWorkerConfigTemplate } from '../../imports/bootstrap.cluster.x-k8s.io';
import { MachineDeployment, MachineDeploymentV1Beta1 } from '../../imports/cluster.x-k8s.io';
import { HCloudMachineTemplate } from '../../imports/infrastructure.cluster.x-k8s.io';
import { apiGroupOf, ClusterApiVersion, ObjectReference } from '../../model/cluster-api-version';
import { childName, contentHash } from '../../model/content-hash';
import { K0sVersion } from '../../platforms/k0smotron/k0s-version';
import { K0smotronApiVersion } from '../../platforms/k0smotron/k0smotron-props';
import { invalidInput, placed } from '../../validation/invalid-input';
import { checkProps } from '../../validation/props';
import { required } from '../../validation/required';

/** What a pool takes over from its cluster. */
export interface WorkerPoolCluster {
  readonly name: string;
  readonly namespace: string;
  readonly region: HetznerRegion;
  readonly k0sVersion: K0sVersion;
  readonly labels: { [name: string]: string };
  readonly clusterApiVersion: ClusterApiVersion;
  readonly hetznerApiVersion: ClusterApiVersion;
  readonly k0smotronApiVersion: K0smotronApiVersion;
  /** The zone of the private network that servers are in. */
  readonly privateNetworkZone?: HetznerNetworkZone;
}

/** The objects of one pool of workers. */
export class WorkerPool extends Construct {
  /** The MachineDeployment. */
  public readonly machineDeployment: ApiObject;
  /** The HCloudMachineTemplate. */
  public readonly machineTemplate: ApiObject;
  /** The K0sWorkerConfigTemplate. */
  public readonly workerConfigTemplate: ApiObject;
  /** The placement group that the servers are in. */
  public readonly placementGroup?: string;

  public constructor(scope: Construct, id: string, private readonly cluster: WorkerPoolCluster, props: HetznerWorkerPoolProps) {
    super(scope, id);
    try {
      const servers = resolveServers(checkProps('workers', required('workers', props, 'Give the pool, e.g. { type: "cx23", image: "ubuntu-24.04", replicas: 2 }'), HETZNER_WORKER_POOL));
      const k0sVersion = props.k0sVersion === undefined ? cluster.k0sVersion : K0sVersion.parse('workers.k0sVersion', props.k0sVersion);
      if (k0sVersion.isNewerThan(cluster.k0sVersion)) {
        throw invalidInput('workers.k0sVersion', k0sVersion.toString(), `is newer than the control plane's, ${cluster.k0sVersion}`,
          'Upgrade the control plane first');
      }
      validateSshKeyNames('workers.sshKeyNames', props.sshKeyNames ?? []);
      validateNetworks(cluster, props);
      this.placementGroup = servers.placementGroup;
      const name = childName(cluster.name, id);

      // Templates are not changed but replaced: that is what makes Cluster API replace machines. Another version of an
      // API must not, so the hash is that of the same content in one version.
      const machine = this.machineSpec(servers, props);
      this.machineTemplate = new ApiObject(this, 'MachineTemplate', {
        apiVersion: `infrastructure.cluster.x-k8s.io/${cluster.hetznerApiVersion}`,
        kind: HCloudMachineTemplate.GVK.kind,
        metadata: this.metadata(`${name}-${contentHash(machine)}`),
        spec: machine,
      });
      this.workerConfigTemplate = new ApiObject(this, 'WorkerConfigTemplate', {
        apiVersion: `bootstrap.cluster.x-k8s.io/${cluster.k0smotronApiVersion}`,
        kind: K0sWorkerConfigTemplate.GVK.kind,
        metadata: this.metadata(`${name}-${contentHash(workerConfigSpec(props, k0sVersion, K0smotronApiVersion.V1BETA2))}`),
        spec: workerConfigSpec(props, k0sVersion, cluster.k0smotronApiVersion),
      });
      this.machineDeployment = this.deployment(name, servers.replicas, props.region ?? cluster.region, k0sVersion);
    } catch (error) {
      throw placed(this, error);
    }
  }

  private metadata(name: string): ApiObjectMetadata {
    return { name, namespace: this.cluster.namespace, labels: this.cluster.labels };
  }

  private machineSpec(servers: ResolvedHetznerServers, props: HetznerWorkerPoolProps): any {
    const { publicIpv4, publicIpv6 } = props;
    const spec = {
      type: servers.type,
      imageName: servers.image,
      placementGroupName: servers.placementGroup,
      sshKeys: props.sshKeyNames?.map(key => ({ name: key })),
      publicNetwork: publicIpv4 === undefined && publicIpv6 === undefined ? undefined : { enableIPv4: publicIpv4, enableIPv6: publicIpv6 },
    };
    return HCloudMachineTemplate.manifest({ spec: { template: { spec } } }).spec;
  }

  private deployment(name: string, replicas: number, region: HetznerRegion, k0sVersion: K0sVersion): ApiObject {
    const { cluster } = this;
    const matchLabels = { 'cluster.x-k8s.io/cluster-name': cluster.name, 'cluster.x-k8s.io/deployment-name': name };
    const common = { clusterName: cluster.name, replicas, selector: { matchLabels } };
    // Without a failure domain CAPH creates no server; the suffix of k0s is not a version of Kubernetes.
    const machine = { clusterName: cluster.name, version: k0sVersion.kubernetes, failureDomain: region };
    const infrastructure = reference(this.machineTemplate);
    const bootstrap = reference(this.workerConfigTemplate);
    const { spec } = cluster.clusterApiVersion === ClusterApiVersion.V1BETA1
      ? MachineDeploymentV1Beta1.manifest({
        spec: {
          ...common,
          template: {
            metadata: { labels: matchLabels },
            spec: { ...machine, bootstrap: { configRef: bootstrap }, infrastructureRef: infrastructure },
          },
        },
      })
      : MachineDeployment.manifest({
        spec: {
          ...common,
          template: {
            metadata: { labels: matchLabels },
            spec: { ...machine, bootstrap: { configRef: apiGroupOf(bootstrap) }, infrastructureRef: apiGroupOf(infrastructure) },
          },
        },
      });
    return new ApiObject(this, 'MachineDeployment', {
      apiVersion: `cluster.x-k8s.io/${cluster.clusterApiVersion}`,
      kind: MachineDeployment.GVK.kind,
      metadata: this.metadata(name),
      spec,
    });
  }
}

/** Checks that servers have a network: Hetzner makes none without any. */
function validateNetworks({ privateNetworkZone, ...cluster }: WorkerPoolCluster, { region, publicIpv4, publicIpv6 }: HetznerWorkerPoolProps): void {
  if (publicIpv4 === false && publicIpv6 === false && privateNetworkZone === undefined) {
    throw invalidInput('workers.publicIpv6', publicIpv6, 'leaves the servers without any network, as "publicIpv4" is false too and the cluster has no private network',
      'Leave one of them on, or give the cluster "privateNetwork"');
  }
  const zone = ZONE_OF_REGION[region ?? cluster.region];
  if (privateNetworkZone !== undefined && zone !== privateNetworkZone) {
    throw invalidInput('workers.region', region, `lies in ${zone}, which the private network of the cluster in ${privateNetworkZone} does not reach`,
      'Give a region of that zone, or leave out "privateNetwork"');
  }
}

function reference({ apiVersion, kind, name }: ApiObject): ObjectReference {
  return { apiVersion, kind, name };
}
