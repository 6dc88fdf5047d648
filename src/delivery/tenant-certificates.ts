import { ApiObject, Chart } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { partSettings, settingsText, tenantAccess } from './bundle-settings';
import { claimKubeconfig } from './claim-kubeconfig';
import { CertificateKeeper, DeliveredTenant } from './delivered-tenant';
import { TENANT_CERTIFICATES_DEFAULTS } from './sync-pod';
import { SyncProgram } from './sync-program';
import type { TenantCertificatesProps } from './tenant-certificates-props';
import { labelValue, tenantName } from './tenant-name';
import { warnOfNetworkPolicy } from './warn-of-network-policy';
import { BUNDLE_LABEL_VALUE, CertificateRequest, INSTANCE_LABEL, NAME_LABEL, SETTINGS_KEY, STATUS_SUFFIX } from '../agent/contract/bundle';
import { IHostedControlPlane } from '../control-plane/hosted-control-plane';
import { configMapManifest } from '../objects/kubernetes';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimObject, claimObjectName } from '../synthesis/object-claims';
import { invalidInput, placed } from '../validation/invalid-input';
import { required } from '../validation/required';

/**
 * `sync` of the tcp-proxy image for certificates alone: it keeps the serving certificates of tcp-proxies whose objects somebody else
 * delivers, e.g. Flux. In a tenant it writes one Secret and one ConfigMap, and nothing else. There is one for a management cluster.
 *
 * `TenantCharts` makes it where a tcp-proxy needs it. Make it yourself, in a chart for the management cluster and before the tcp-proxies,
 * to set its properties, to share it between several `TenantCharts`, or for `TenantCharts` that are in a chart for another cluster.
 */
export class TenantCertificates extends Construct {
  /**
   * @internal That of a control plane's cluster. There is one from the first tcp-proxy on that needs it.
   *
   * @param holder who delivers the tenant; it gets the program where the user has not made one
   */
  public static _for(holder: Construct, controlPlane: IHostedControlPlane): TenantCertificates {
    const cluster = controlPlane.managementCluster;
    const known = certificatesOf(holder).get(cluster);
    if (known && (!implicit.has(known) || Chart.of(known) === Chart.of(holder))) {
      return known;
    }
    const { path } = controlPlane.node;
    if (known) {
      throw invalidInput('certificate', undefined, `of ${path} would need a second sync for certificates in the cluster "${cluster}", beside that of ${holderOf(known)}`,
        'Make new TenantCertificates() once, in a chart for that cluster and before the tcp-proxies');
    }
    if (ManagementCluster.of(holder).name !== cluster) {
      throw invalidInput('certificate', undefined, `of ${path} cannot be kept by ${holder.node.path}, which is in a chart for another cluster than its control plane`,
        `Make new TenantCertificates() in a chart for the cluster "${cluster}", before the tcp-proxies`);
    }
    const certificates = new TenantCertificates(holder, 'certificates');
    implicit.add(certificates);
    return certificates;
  }

  private readonly program: SyncProgram;
  private readonly managementCluster: string;
  private readonly readSecretsOf: (tenant: DeliveredTenant) => void;

  public constructor(scope: Construct, id: string, props: TenantCertificatesProps = {}) {
    super(scope, id);
    try {
      this.program = new SyncProgram(required('props', props, 'Give {} for the defaults'), {
        defaults: TENANT_CERTIFICATES_DEFAULTS,
        certificatesOnly: true,
        remedy: 'Two would keep the certificates of every tenant of the namespace: give each a namespace',
      });
      this.managementCluster = ManagementCluster.of(this).name;
      const known = certificatesOf(this).get(this.managementCluster);
      if (known) {
        throw invalidInput('scope', scope.node.path, `is in a chart for the cluster "${this.managementCluster}", which has sync for certificates already, that of ${holderOf(known)}`,
          'Make one for each management cluster, before the tcp-proxies');
      }
      certificatesOf(this).set(this.managementCluster, this);
      this.readSecretsOf = this.program.install(this, this.managementCluster);
    } catch (error) {
      throw placed(this, error);
    }
  }

  /** Everything that it emits, e.g. to patch it. */
  public get objects(): ApiObject[] {
    return this.node.findAll().filter(ApiObject.isApiObject);
  }

  /** @internal Keeps the certificate of one more tenant. */
  public _keeperFor(controlPlane: IHostedControlPlane): CertificateKeeper {
    const { managementCluster } = this;
    const scope = new Construct(this, tenantName(controlPlane.exposure));
    return { scope, managementCluster, keep: (tenant, request) => this.keep(scope, controlPlane, tenant, request) };
  }

  private keep(scope: Construct, controlPlane: IHostedControlPlane, tenant: DeliveredTenant, certificate: CertificateRequest): void {
    const { managementCluster, program: { namespace } } = this;
    claimKubeconfig(tenant);
    this.readSecretsOf(tenant);
    warnOfNetworkPolicy(controlPlane, tenant, this.program.namespace, 'sync');
    const name = tenantName(tenant.exposure);
    const [settings] = partSettings({ ...tenantAccess(tenant), certificate }, ['']);
    const configMap = new ApiObject(scope, 'bundle', configMapManifest({
      metadata: { name, namespace, labels: { [NAME_LABEL]: BUNDLE_LABEL_VALUE, [INSTANCE_LABEL]: labelValue(name) } },
      data: { [SETTINGS_KEY]: settingsText(settings) },
    }));
    claimObject(scope, configMap, managementCluster);
    // Where sync keeps what it knows of the tenant.
    claimObjectName(scope, { kind: 'ConfigMap', group: '', namespace, name: `${name}${STATUS_SUFFIX}` }, managementCluster);
  }
}

/** Those that nobody has asked for by name, which are a part of what delivers tenants. */
const implicit = new WeakSet<TenantCertificates>();

function holderOf(certificates: TenantCertificates): string {
  return (implicit.has(certificates) ? certificates.node.scope! : certificates).node.path;
}

/** Of an app, by management cluster. */
const certificatesOfApp = new WeakMap<IConstruct, Map<string, TenantCertificates>>();

function certificatesOf({ node: { root } }: IConstruct): Map<string, TenantCertificates> {
  const known = certificatesOfApp.get(root) ?? new Map<string, TenantCertificates>();
  certificatesOfApp.set(root, known);
  return known;
}
