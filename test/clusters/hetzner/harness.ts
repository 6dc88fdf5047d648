import { App, Chart } from 'cdk8s';
import {
  ClusterApiVersion, HetznerAccess, HetznerHostedCluster, HetznerHostedClusterProps, HetznerRegion, IngressController, K0smotronApiVersion, Warnings,
} from '../../../src';
import { expectValid } from '../../support/schemas';

/** The cluster of the page that describes hosted control planes on Hetzner. */
export const PAGE_CLUSTER = {
  k0sVersion: 'v1.34.3+k0s.0',
  access: HetznerAccess.ingress({
    controller: IngressController.haproxy(),
    hostname: 'api.cluster01.k0s.example.com',
    konnectivityHostname: 'konnectivity.cluster01.k0s.example.com',
  }),
  region: HetznerRegion.NBG1,
  workers: { replicas: 2, type: 'cpx22', image: 'ubuntu-24.04' },
  sshKeyNames: ['ops@example'],
  tokenSecret: { name: 'hcloud-cluster-provisioning-token', key: 'HCLOUD_TOKEN' },
  privateNetwork: { cidr: '10.0.0.0/16', subnetCidr: '10.0.0.0/24' },
};

/** Both versions of every API. */
export const ALL_V1BETA1 = { clusterApiVersion: ClusterApiVersion.V1BETA1, controlPlane: { apiVersion: K0smotronApiVersion.V1BETA1 } };
export const ALL_V1BETA2 = { clusterApiVersion: ClusterApiVersion.V1BETA2, hetznerApiVersion: ClusterApiVersion.V1BETA2 };

/** One cluster on Hetzner, in a chart of its own. */
export class HetznerTenant {
  public readonly app = new App();
  public readonly chart = new Chart(this.app, 'management');
  public readonly cluster: HetznerHostedCluster;

  public constructor(props: Partial<HetznerHostedClusterProps> = {}, id = 'cluster01') {
    this.cluster = new HetznerHostedCluster(this.chart, id, { namespace: 'kcm-system', ...PAGE_CLUSTER, ...props });
  }

  /** The manifests, as `cdk8s synth` would write them; the upstream CRDs accept each. */
  public synth(): any[] {
    this.app.synthYaml();
    const manifests = this.chart.toJson();
    manifests.forEach(expectValid);
    return manifests;
  }

  /** The one manifest of a kind. */
  public one(kind: string): any {
    const found = this.synth().filter(manifest => manifest.kind === kind);
    expect(found).toHaveLength(1);
    return found[0];
  }

  public warnings(): string[] {
    return Warnings.of(this.chart);
  }
}
