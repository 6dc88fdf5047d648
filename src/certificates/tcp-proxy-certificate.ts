import { IConstruct } from 'constructs';
import { addCertManagerCertificate, CERT_MANAGER_CERTIFICATE, CertManagerCertificateProps } from './cert-manager';
import { CertificateObjects, CertificateUse, CLUSTER_CA_CONFIG_MAP, inClusterAddresses, SYNCED_CERTIFICATE, SyncedCertificateProps } from './certificate-use';
import { tenantClusterOf } from '../control-plane/tenant-cluster';
import { CertificateWish, DeliveredTenant } from '../delivery/delivered-tenant';
import { KeyPairSecret } from '../model/platform-secrets';
import { claimObjectName } from '../synthesis/object-claims';
import { Warnings } from '../synthesis/warnings';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { validateObjectName } from '../validation/object-name';
import { struct } from '../validation/props';

type DistributiveOmit<Type, Keys extends PropertyKey> = Type extends unknown ? Omit<Type, Keys> : never;
/** What differs between the ways of sync. */
type RequestDetails = DistributiveOmit<CertificateWish, 'namespace' | 'secretName' | 'caConfigMapName'>;

/**
 * Where the serving certificate of a tcp-proxy comes from.
 *
 * It is for the names and addresses that pods know the API server by, and signed by the tenant CA, which they trust. Only a
 * proxy that opens TLS needs one.
 *
 * @example
 * new TcpProxyAddon(tenant, 'tcp-proxy', {
 *   controlPlane,
 *   certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls'),
 * });
 */
export class TcpProxyCertificate {
  /**
   * `sync` issues it from the tenant CA, with a key of its own, and renews it: ECDSA P-256, for 90 days. The key of the CA
   * does not leave the management cluster.
   *
   * It is the default in every chart of `TenantCharts`: where somebody else than `sync` delivers the tenant, `TenantCertificates`
   * keeps it. Needs the Secrets with the tenant's kubeconfig and CA to be known.
   */
  public static issuedBySync(props: SyncedCertificateProps = {}): TcpProxyCertificate {
    return TcpProxyCertificate.synced('issuedBySync()', props, (_, use) => ({
      kind: 'issue', dnsNames: use.exposure.inClusterNames, ipAddresses: inClusterAddresses(use),
    }));
  }

  /**
   * cert-manager in the management cluster issues it, and `sync` copies it into the tenant cluster.
   *
   * Needs a chart of `TenantCharts`. cert-manager does not issue again when the tenant CA changes: that takes `cmctl renew`.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static certManager(props: CertManagerCertificateProps = {}): TcpProxyCertificate {
    struct(CERT_MANAGER_CERTIFICATE)('certificate', props);
    return TcpProxyCertificate.synced('certManager()', props, (tenant, use) => ({ kind: 'copy', source: addCertManagerCertificate(tenant, use, props) }));
  }

  /**
   * `sync` copies the API server's own certificate, as Steward does. With it goes its private key: who reads the Secret in
   * the tenant cluster can pose as the API server, so this gives a warning.
   *
   * Needs a chart of `TenantCharts`.
   */
  public static copyApiServerCertificate(props: SyncedCertificateProps = {}): TcpProxyCertificate {
    return TcpProxyCertificate.synced('copyApiServerCertificate()', props, (tenant, use) => ({ kind: 'copy', source: apiServerCertificate(tenant, use) }));
  }

  /**
   * A Secret beside the pods of the proxy that someone else keeps, of type `kubernetes.io/tls`. A change of it is taken up
   * without a restart.
   *
   * @throws when the name cannot be that of a Secret
   */
  public static existingSecret(name: string): TcpProxyCertificate {
    const secretName = validateObjectName('certificate.secretName', name);
    return new TcpProxyCertificate(`existingSecret("${name}")`, () => ({ secretName, caConfigMapName: CLUSTER_CA_CONFIG_MAP }));
  }

  /**
   * Files of the nodes, for a static pod alone, which cannot refer to a Secret: whoever provisions the nodes puts `tls.crt` and `tls.key` into
   * the folder `tls` beside the configuration, and renews them.
   */
  public static onNodes(): TcpProxyCertificate {
    return new TcpProxyCertificate(ON_NODES, ({ namespace }) => {
      throw invalidInput('certificate', ON_NODES, `is for static pods, and pods in the namespace "${namespace}" mount a Secret`, 'Leave it out, or choose TcpProxyPlacement.staticPod()');
    });
  }

  /** @internal What a proxy gets when the user does not choose. */
  public static _default({ tcpProxy, name, namespace }: CertificateUse): TcpProxyCertificate {
    const tenant = DeliveredTenant.of(tcpProxy);
    const obstacle = tenant ? tenant.whyNoCertificate() : NOT_IN_TENANT_CHARTS;
    if (tenant?.syncs || !obstacle) {
      return TcpProxyCertificate.issuedBySync();
    }
    const secretName = `${name}-tls`;
    Warnings._add(tcpProxy, `certificate: nothing of this app makes the Secret ${namespace}/${secretName}, without which the pods of the tcp-proxy do not start: ` +
      `${obstacle.field} ${obstacle.reason}. ${obstacle.remedy}; or keep the Secret yourself and say so with TcpProxyCertificate.existingSecret("${secretName}").`);
    return new TcpProxyCertificate('', TcpProxyCertificate.existingSecret(secretName)._bind, true);
  }

  /** @internal What a static pod gets when the user does not choose. */
  public static _defaultOnNodes(tcpProxy: IConstruct, folder: string): TcpProxyCertificate {
    Warnings._add(tcpProxy, `certificate: nothing of this app makes ${folder}/tls/tls.crt and tls.key on the nodes, without which the tcp-proxy is not ready. Have node ` +
      'provisioning put them there and renew them, and say so with TcpProxyCertificate.onNodes(); or choose TcpProxyPlacement.everyNode().');
    return new TcpProxyCertificate('', TcpProxyCertificate.onNodes()._bind, true);
  }

  private static synced(
    title: string, props: SyncedCertificateProps, detailsOf: (tenant: DeliveredTenant, use: CertificateUse) => RequestDetails,
  ): TcpProxyCertificate {
    struct(SYNCED_CERTIFICATE)('certificate', props);
    return new TcpProxyCertificate(title, use => {
      const { tcpProxy, name, namespace, exposure } = use;
      const tenant = DeliveredTenant.of(tcpProxy);
      if (!tenant) {
        throw invalidInput('certificate', title, 'is kept by sync, which does not know the tenant of this chart',
          'Take the chart from TenantCharts.of(), or name a Secret with TcpProxyCertificate.existingSecret()');
      }
      const objects = { secretName: props.secretName ?? `${name}-tls`, caConfigMapName: `${name}-ca` };
      tenant.requestCertificate(tcpProxy, { ...detailsOf(tenant, use), ...objects, namespace });
      const cluster = tenantClusterOf(exposure);
      claimObjectName(tcpProxy, { kind: 'Secret', group: '', namespace, name: objects.secretName }, cluster);
      claimObjectName(tcpProxy, { kind: 'ConfigMap', group: '', namespace, name: objects.caConfigMapName }, cluster);
      return objects;
    });
  }

  private constructor(
    /** @internal As the user wrote it, for errors. */
    public readonly _title: string,
    /** @internal Has the certificate made for a proxy; throws when it cannot be. */
    public readonly _bind: (use: CertificateUse) => CertificateObjects,
    /** @internal Whether nobody makes it, and nobody has said that that is meant. */
    public readonly _isMissing = false,
  ) {}

  /** @internal Whether it is for static pods. */
  public get _isOnNodes(): boolean {
    return this._title === ON_NODES;
  }
}

const ON_NODES = 'onNodes()';

nameFactories(TcpProxyCertificate);

/** Why there is nobody for the certificate of a proxy in a chart that the user made. */
const NOT_IN_TENANT_CHARTS = {
  field: 'the chart', reason: 'is none of TenantCharts, so that nobody knows how to reach the tenant', remedy: 'Take it from TenantCharts.of(), for any delivery',
};

function apiServerCertificate(tenant: DeliveredTenant, use: CertificateUse): KeyPairSecret {
  const { tcpProxy, namespace, exposure, advertiseAddresses, apiServerAdvertises } = use;
  const { apiServerCertificate: source } = tenant.secrets;
  const title = `${exposure.namespace}/${exposure.name}`;
  if (!source) {
    throw invalidInput('certificate', 'copyApiServerCertificate()', `has nothing to copy: the platform of ${title} does not say which Secret has the API server's certificate`,
      'Choose TcpProxyCertificate.issuedBySync(), or name it, e.g. of(controlPlane, { apiServerCertificate: { secretName: "tenant-01-apiserver", ' +
      'certificateKey: "tls.crt", privateKeyKey: "tls.key" } })');
  }
  const missing = apiServerAdvertises ? undefined : advertiseAddresses.find(address => !exposure.certSans.includes(address));
  if (missing !== undefined) {
    throw invalidInput('certSans', missing, 'is missing, while nodes know the API server by that address too, and the certificate that is copied must carry it',
      'Add it to certSans of the control plane, or choose TcpProxyCertificate.issuedBySync()');
  }
  Warnings._add(tcpProxy, 'certificate: the private key of the API server is copied into the tenant cluster, where whoever reads ' +
    `Secrets of the namespace "${namespace}" can pose as the API server. TcpProxyCertificate.issuedBySync() gives the proxy a key of its own.`);
  return source;
}
