import { Construct } from 'constructs';
import { tenantClusterOf } from '../control-plane/tenant-cluster';
import { DeliveredTenant } from '../delivery/delivered-tenant';
import { Certificate } from '../imports/cert-manager.io';
import { CERTIFICATE_KEY } from '../model/cert-manager-certificate';
import { CERT_MANAGER_ISSUER, CertManagerIssuer, issuerRef } from '../model/cert-manager-issuer';
import { Exposure } from '../model/exposure';
import { tunnelName } from '../model/tunnel-name';
import { claimObjectName, claimObjects } from '../synthesis/object-claims';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { validateObjectName } from '../validation/object-name';
import { Checks, optional, struct } from '../validation/props';

/** A client certificate that cert-manager issues. */
export interface CertManagerTunnelCertificateProps {
  /**
   * The issuer.
   * @default - that of the gateway's tunnel
   */
  readonly issuer?: CertManagerIssuer;
  /**
   * Name of the Secret beside the pods of the proxy.
   * @default - `<name of the proxy>-tunnel`
   */
  readonly secretName?: string;
}

const CERT_MANAGER: Checks<CertManagerTunnelCertificateProps> = { issuer: optional(CERT_MANAGER_ISSUER), secretName: optional(validateObjectName) };

/** A tcp-proxy that shows a client certificate in a tunnel. */
export interface TunnelCertificateUse {
  readonly tcpProxy: Construct;
  /** Name of the proxy's objects. */
  readonly name: string;
  /** Namespace of the proxy in the tenant cluster. */
  readonly namespace: string;
  readonly exposure: Exposure;
  /** The issuer that the gateway names. */
  readonly issuer?: CertManagerIssuer;
}

/** The objects beside the proxy that its pods mount. */
export interface TunnelCertificateObjects {
  /** Secret with `tls.crt` and `tls.key`. */
  readonly secretName: string;
  /** ConfigMap with the authorities of the gateway under `ca.crt`; undefined where the Secret has them. */
  readonly caConfigMapName?: string;
}

/** Where the client certificate comes from that says at the end of a tunnel who the tenant is. Nothing else of value is in the tenant. */
export class TunnelCertificate {
  /**
   * cert-manager in the management cluster issues and renews it, and `sync` copies it into the tenant cluster, with the authority that
   * the gateway's certificate is of. Needs `TenantDelivery.sync()`, where it is the default if the gateway names an issuer.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static certManager(props: CertManagerTunnelCertificateProps = {}): TunnelCertificate {
    struct(CERT_MANAGER)('certificate', props);
    return new TunnelCertificate(use => issueByCertManager(use, props));
  }

  /**
   * A Secret beside the pods of the proxy that someone else keeps: `tls.crt` and `tls.key` with the tenant's name in the tunnel as common
   * name, and in `ca.crt` the authorities that the gateway's certificate is verified with. A change of it is taken up without a restart.
   *
   * @throws when the name cannot be that of a Secret
   */
  public static existingSecret(name: string): TunnelCertificate {
    const secretName = validateObjectName('certificate.secretName', name);
    return new TunnelCertificate(() => ({ secretName }));
  }

  /** @internal What a proxy gets when the user does not choose. */
  public static _default({ tcpProxy, name, issuer }: TunnelCertificateUse): TunnelCertificate {
    return issuer && DeliveredTenant.of(tcpProxy)?.syncs ? TunnelCertificate.certManager() : TunnelCertificate.existingSecret(`${name}-tunnel`);
  }

  private constructor(
    /** @internal Has the certificate made for a proxy; throws when it cannot be. */
    public readonly _bind: (use: TunnelCertificateUse) => TunnelCertificateObjects,
  ) {}
}

nameFactories(TunnelCertificate);

function issueByCertManager(use: TunnelCertificateUse, props: CertManagerTunnelCertificateProps): TunnelCertificateObjects {
  const { tcpProxy, name, namespace, exposure } = use;
  const issuer = props.issuer ?? use.issuer;
  const tenant = DeliveredTenant.of(tcpProxy);
  if (!tenant?.syncs) {
    throw invalidInput('upstream.certificate', 'certManager()', 'is kept by sync, which does not deliver this chart',
      'Take the chart from TenantCharts.of() with TenantDelivery.sync(), or name a Secret with TunnelCertificate.existingSecret()');
  }
  if (!issuer) {
    throw invalidInput('upstream.certificate.issuer', undefined, 'is not given, and the gateway names none', 'Give one, e.g. { name: "tunnel", kind: "ClusterIssuer" }');
  }
  const secretName = props.secretName ?? `${name}-tunnel`;
  const caConfigMapName = `${secretName}-ca`;
  const source = addCertificate(tenant, use, issuer);
  tenant.requestCertificate(tcpProxy, {
    kind: 'copy',
    purpose: 'client',
    namespace,
    secretName,
    caConfigMapName,
    source: { secretName: source, certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
    // cert-manager puts the issuer's own certificate there.
    ca: { secretName: source, certificateKey: 'ca.crt' },
  });
  const cluster = tenantClusterOf(exposure);
  claimObjectName(tcpProxy, { kind: 'Secret', group: '', namespace, name: secretName }, cluster);
  claimObjectName(tcpProxy, { kind: 'ConfigMap', group: '', namespace, name: caConfigMapName }, cluster);
  return { secretName, caConfigMapName };
}

/** @returns the Secret that cert-manager will write */
function addCertificate(tenant: DeliveredTenant, { name, exposure }: TunnelCertificateUse, issuer: CertManagerIssuer): string {
  const { namespace } = exposure;
  const objectName = `${exposure.name}-${name}-tunnel`;
  const secretName = `${objectName}-tls`;
  const holder = new Construct(tenant.managementScope, 'tunnel-certificate');
  new Certificate(holder, 'certificate', {
    metadata: { namespace, name: objectName },
    spec: {
      secretName,
      issuerRef: issuerRef(issuer),
      commonName: tunnelName(exposure),
      usages: ['digital signature', 'client auth'],
      privateKey: CERTIFICATE_KEY,
    },
  });
  claimObjects(holder, tenant.managementCluster);
  claimObjectName(holder, { kind: 'Secret', group: '', namespace, name: secretName }, tenant.managementCluster);
  return secretName;
}
