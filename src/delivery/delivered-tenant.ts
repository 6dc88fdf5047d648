import { Construct, IConstruct } from 'constructs';
import type { CertificateRequest, CopyRequest, IssueRequest, TenantRecord } from '../agent/contract/bundle';
import { Exposure } from '../model/exposure';
import { AdminKubeconfigSecret, KeyPairSecret, PlatformSecrets } from '../model/platform-secrets';
import { InvalidInputError, invalidInput } from '../validation/invalid-input';

/** Has `sync` keep a certificate in the tenant; which CA it is of is known from the tenant. */
export type CertificateWish = Omit<IssueRequest, 'ca'> | Omit<CopyRequest, 'ca' | 'purpose'> | ClientCertificateWish;
/** One for another place than the tenant, whose authorities are given. */
export type ClientCertificateWish = CopyRequest & { readonly purpose: 'client' };

/** `sync` of a management cluster, which keeps certificates in tenants. */
export interface CertificateKeeper {
  /** Where the objects of the tenant's certificate in the management cluster go; objects that are added must be claimed. */
  readonly scope: Construct;
  /** The management cluster's name for `claimObjects`. */
  readonly managementCluster: string;
  /** Has it keep what was asked for. */
  keep(tenant: DeliveredTenant, request: CertificateRequest): void;
}

/** What a tenant's delivery is made of. */
export interface DeliveredTenantOptions {
  /** How the control plane is reached. */
  readonly exposure: Exposure;
  /** Whether `sync` delivers the tenant's objects. */
  readonly syncs: boolean;
  /** Who keeps the tenant's certificates; asked once, for the first, and throws where nobody can. */
  readonly certificateKeeper: () => CertificateKeeper;
  /** What must be said where Endpoints and EndpointSlices are among the objects; undefined for nothing. */
  readonly endpointsCaveat?: string;
  /** Where the tenant's objects in the management cluster go; objects that are added must be claimed. */
  readonly managementScope: Construct;
  /** The management cluster's name for `claimObjects`. */
  readonly managementCluster: string;
  /** The Secrets of the control plane, as the platform or the user names them. */
  readonly secrets: PlatformSecrets;
}

/**
 * The tenant that a construct's objects are delivered to: how the constructs of a tenant's chart reach what delivers it.
 *
 * Charts that the user makes by hand are delivered by the user and have none.
 */
export class DeliveredTenant implements DeliveredTenantOptions {
  /** The tenant that the construct belongs to; undefined outside of the charts of `TenantCharts`. */
  public static of(scope: IConstruct): DeliveredTenant | undefined {
    return tenantOfApp.get(scope.node.root);
  }

  public readonly exposure: Exposure;
  public readonly syncs: boolean;
  public readonly certificateKeeper: () => CertificateKeeper;
  public readonly endpointsCaveat?: string;
  public readonly managementScope: Construct;
  public readonly managementCluster: string;
  public readonly secrets: PlatformSecrets;
  private request?: { readonly certificate: CertificateWish; readonly holder: IConstruct };
  private endpointsWriter?: TenantRecord['kubernetesEndpoints'];

  public constructor(tenantApp: IConstruct, options: DeliveredTenantOptions) {
    this.exposure = options.exposure;
    this.syncs = options.syncs;
    let keeper: CertificateKeeper | undefined;
    this.certificateKeeper = () => keeper ??= options.certificateKeeper();
    this.endpointsCaveat = options.endpointsCaveat;
    this.managementScope = options.managementScope;
    this.managementCluster = options.managementCluster;
    this.secrets = options.secrets;
    tenantOfApp.set(tenantApp, this);
  }

  /** The Secret of the administrator's kubeconfig; throws when nobody has said which it is. */
  public get adminKubeconfig(): AdminKubeconfigSecret {
    const { adminKubeconfig } = this.secrets;
    if (!adminKubeconfig) {
      throw invalidInput('adminKubeconfig', undefined, `is not known for ${this.title}: its platform does not say which Secret has the administrator's kubeconfig`,
        'Name it, e.g. of(controlPlane, { adminKubeconfig: { secretName: "tenant-01-kubeconfig", keys: ["value"] } })');
    }
    return adminKubeconfig;
  }

  /** The Secret of the tenant CA; throws when nobody has said which it is. */
  public get clusterCa(): KeyPairSecret {
    const { clusterCa } = this.secrets;
    if (!clusterCa) {
      throw invalidInput('clusterCa', undefined, `is not known for ${this.title}: its platform does not say which Secret has the certificate authority`,
        'Name it, e.g. of(controlPlane, { clusterCa: { secretName: "tenant-01-ca", certificateKey: "tls.crt", privateKeyKey: "tls.key" } }), ' +
        'or give the tcp-proxy a certificate with TcpProxyCertificate.existingSecret()');
    }
    return clusterCa;
  }

  /**
   * Has `sync` keep the certificate of a tcp-proxy; there is one in a tenant.
   *
   * @throws when the tenant has another already, or its CA is not known
   */
  public requestCertificate(holder: IConstruct, certificate: CertificateWish): void {
    if (this.request) {
      throw invalidInput('certificate', holder.node.path, `can have none from sync, as ${this.title} already has that of ${this.request.holder.node.path}`,
        'Give one of them a certificate with TcpProxyCertificate.existingSecret()');
    }
    if (!isForOthers(certificate)) {
      void this.clusterCa;
    }
    this.request = { certificate, holder };
    this.certificateKeeper().keep(this, this.certificate!);
  }

  /** Why `sync` can keep no certificate in this tenant; undefined where it can. */
  public whyNoCertificate(): InvalidInputError | undefined {
    try {
      void this.adminKubeconfig;
      void this.clusterCa;
      this.certificateKeeper();
      return undefined;
    } catch (error) {
      // TenantCharts outside of a chart are a mistake of the program, which a certificate of elsewhere would only hide.
      if (error instanceof InvalidInputError && error.field !== 'scope') {
        return error;
      }
      throw error;
    }
  }

  /** Says that a tcp-proxy owns `default/kubernetes`: what delivers the tenant hands it back once the proxy is gone. */
  public ownKubernetesEndpoints(): void {
    this.endpointsWriter = 'owned';
  }

  /** Says that endpoints of `default/kubernetes` are among the objects: what delivers the tenant keeps them, and hands them back in the end. */
  public keepKubernetesEndpoints(): void {
    this.endpointsWriter = 'kept';
  }

  /** The certificate that was requested, with the tenant CA, whose key is named only where it is to be used. */
  public get certificate(): CertificateRequest | undefined {
    const certificate = this.request?.certificate;
    if (!certificate || isForOthers(certificate)) {
      return certificate;
    }
    const { secretName, certificateKey, privateKeyKey } = this.clusterCa;
    return certificate.kind === 'issue'
      ? { ...certificate, ca: { secretName, certificateKey, privateKeyKey } }
      : { ...certificate, ca: { secretName, certificateKey } };
  }

  /** The objects that `sync` keeps for the certificate, by their titles: nobody else may deliver them. */
  public get keptObjects(): string[] {
    const { certificate } = this;
    return certificate ? [`Secret ${certificate.namespace}/${certificate.secretName}`, `ConfigMap ${certificate.namespace}/${certificate.caConfigMapName}`] : [];
  }

  /** Who writes `default/kubernetes` instead of the API server. */
  public get kubernetesEndpoints(): TenantRecord['kubernetesEndpoints'] {
    return this.endpointsWriter;
  }

  private get title(): string {
    return `${this.exposure.namespace}/${this.exposure.name}`;
  }
}

/** The error of a tenant's chart with an object that `sync` keeps: each would overwrite the other's, again and again. */
export function keptBySync(tenant: string, title: string): InvalidInputError {
  return invalidInput(tenant, title, 'is kept by sync itself', 'Leave it out of the chart, or rename it; a certificate of your own is TcpProxyCertificate.existingSecret()');
}

function isForOthers(wish: CertificateWish): wish is ClientCertificateWish {
  return 'purpose' in wish;
}

const tenantOfApp = new WeakMap<IConstruct, DeliveredTenant>();
