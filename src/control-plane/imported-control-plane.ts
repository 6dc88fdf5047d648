import { Construct } from 'constructs';
import { HOSTED_CONTROL_PLANE } from './control-plane-checks';
import { exposureOf } from './exposure-of';
import { tellGaps } from './gaps';
import { IHostedControlPlane } from './hosted-control-plane';
import type { HostedControlPlaneAttributes } from './hosted-control-plane-attributes';
import { parseVersion } from './kubernetes-version';
import { recordReportedFacts } from './reported-facts';
import { TenantSide, TenantSideAttachment } from './tenant-side';
import { Exposure } from '../model/exposure';
import { PlatformSecrets } from '../model/platform-secrets';
import { ControlPlanePlatform, PlatformDefaults } from '../platforms/control-plane-platform';
import { ManagementCluster } from '../synthesis/management-cluster';
import { InvalidInputError, invalidInput, placed } from '../validation/invalid-input';
import { checkProps } from '../validation/props';
import { required } from '../validation/required';

/** A control plane that this app does not make. */
export class ImportedControlPlane extends Construct implements IHostedControlPlane {
  public readonly exposure: Exposure;
  public readonly managementCluster: string;
  public readonly platform?: ControlPlanePlatform;
  public readonly secrets: PlatformSecrets;
  public readonly clusterApiCluster?: string;
  private readonly version?: string;

  public constructor(scope: Construct, id: string, attributes: HostedControlPlaneAttributes) {
    super(scope, id);
    try {
      checkProps('', required('attributes', attributes, 'Give namespace, and hostname or domain'), HOSTED_CONTROL_PLANE);
      const name = attributes.name ?? id;
      const { platform } = attributes;
      const defaults: Partial<PlatformDefaults> = platform?.defaults(name, attributes.namespace) ?? {};
      this.platform = platform;
      const cluster = ManagementCluster.of(this);
      this.exposure = exposureOf(name, attributes, defaults, { cluster });
      this.version = attributes.kubernetesVersion === undefined ? undefined : parseVersion(attributes.kubernetesVersion);
      recordReportedFacts(this.exposure, { platform: platform?.displayName, kubernetesVersion: this.version });
      this.managementCluster = cluster.name;
      this.secrets = {
        adminKubeconfig: attributes.adminKubeconfig ?? defaults.adminKubeconfig,
        clusterCa: attributes.clusterCa ?? defaults.clusterCa,
        apiServerCertificate: attributes.apiServerCertificate ?? defaults.apiServerCertificate,
      };
      this.clusterApiCluster = attributes.clusterApiCluster ?? defaults.clusterApiCluster;
      tellGaps(this, { exposure: this.exposure, platform, nodesReachable: attributes.nodesReachable });
      new TenantSide(this, platform, this.exposure, cluster, asked => this.requireAsRunning(asked, attributes));
    } catch (error) {
      throw placed(this, error);
    }
  }

  public get kubernetesVersion(): string {
    if (this.version === undefined) {
      throw this.unknown('kubernetesVersion', 'is needed here', 'e.g. "1.34.3"');
    }
    return this.version;
  }

  /** The API server runs already, so nothing of the tenant can change its flags. */
  private requireAsRunning(
    { endpointsOwnedByTcpProxy, advertiseAddress }: TenantSideAttachment,
    running: Pick<HostedControlPlaneAttributes, 'endpointsOwnedByTcpProxy' | 'advertiseAddress'>,
  ): void {
    if (endpointsOwnedByTcpProxy && running.endpointsOwnedByTcpProxy === undefined) {
      throw this.unknown('endpointsOwnedByTcpProxy', 'must be true where its tenant\'s side owns default/kubernetes', 'once the API server runs with --endpoint-reconciler-type=none');
    }
    if (endpointsOwnedByTcpProxy !== (running.endpointsOwnedByTcpProxy ?? false)) {
      throw invalidInput('endpointsOwnedByTcpProxy', running.endpointsOwnedByTcpProxy, `of ${this.node.path} is not what its tenant's side needs: ` +
        (endpointsOwnedByTcpProxy ? 'it owns default/kubernetes, and the API server would too' : 'nobody would keep default/kubernetes'),
      endpointsOwnedByTcpProxy
        ? 'Run the API server with --endpoint-reconciler-type=none, or choose TcpProxyEndpoints.fixedAddress()'
        : 'Run the API server with its own endpoint reconciler, or choose TcpProxyEndpoints.owned()');
    }
    if (advertiseAddress !== undefined && running.advertiseAddress === undefined) {
      throw this.unknown('advertiseAddress', 'must be that of the tcp-proxy', `once the API server runs with --advertise-address=${advertiseAddress}`);
    }
    if (advertiseAddress !== undefined && advertiseAddress !== running.advertiseAddress) {
      throw invalidInput('advertiseAddress', running.advertiseAddress, `of ${this.node.path} is not the address of its tcp-proxy, ${advertiseAddress}`,
        'Give both the same address');
    }
  }

  private unknown(attribute: string, reason: string, how: string): InvalidInputError {
    return invalidInput(attribute, undefined, `is not known for ${this.node.path}: it ${reason}`, `Give it to fromAttributes(), ${how}`);
  }
}
