import { Construct } from 'constructs';
import { CertificateUse, inClusterAddresses, SYNCED_CERTIFICATE, SyncedCertificateProps } from './certificate-use';
import { DeliveredTenant } from '../delivery/delivered-tenant';
import { Certificate, Issuer } from '../imports/cert-manager.io';
import { CERTIFICATE_KEY, certificateDuration } from '../model/cert-manager-certificate';
import { CERT_MANAGER_ISSUER, CertManagerIssuer, issuerRef } from '../model/cert-manager-issuer';
import { KeyPairSecret } from '../model/platform-secrets';
import { claimObjectName, claimObjects } from '../synthesis/object-claims';
import { invalidInput } from '../validation/invalid-input';
import { Checks, optional } from '../validation/props';

/** A certificate that cert-manager issues. */
export interface CertManagerCertificateProps extends SyncedCertificateProps {
  /**
   * The issuer, which signs with the tenant CA.
   * @default - one that is made from the Secret of the tenant CA
   */
  readonly issuer?: CertManagerIssuer;
  /**
   * How long a certificate is valid, as a Go duration of at least an hour; cert-manager renews it when a third is left.
   * @default 2160h
   */
  readonly duration?: string;
}

/** What each property of such a certificate may be. */
export const CERT_MANAGER_CERTIFICATE: Checks<CertManagerCertificateProps> = {
  ...SYNCED_CERTIFICATE,
  issuer: optional(CERT_MANAGER_ISSUER),
  duration: optional(certificateDuration(' for 90 days')),
};

/** The keys that a CA issuer reads (cert-manager's documentation of the CA issuer). */
const TLS_KEYS = { certificateKey: 'tls.crt', privateKeyKey: 'tls.key' };
/** Kamaji and Steward keep copies of these under the keys of cert-manager, for Cluster API. */
const COPIED_KEYS = ['ca.crt', 'ca.key'];

/**
 * Emits the Certificate, and the Issuer unless there is one, in the namespace of the control plane.
 *
 * @returns the Secret that cert-manager will write
 */
export function addCertManagerCertificate(tenant: DeliveredTenant, use: CertificateUse, props: CertManagerCertificateProps): KeyPairSecret {
  const { namespace, name } = use.exposure;
  const keeper = tenant.certificateKeeper();
  const duration = props.duration ?? '2160h';
  const objectName = `${name}-${use.name}`;
  const secretName = `${objectName}-tls`;
  const holder = new Construct(keeper.scope, 'certificate');
  const issuer = props.issuer ?? addIssuer(holder, tenant, { namespace, name: objectName });
  new Certificate(holder, 'certificate', {
    metadata: { namespace, name: objectName },
    spec: {
      secretName,
      issuerRef: issuerRef(issuer),
      // Not that of the CA: clients would take the certificate for a self-signed one.
      commonName: 'tcp-proxy',
      dnsNames: use.exposure.inClusterNames,
      ipAddresses: inClusterAddresses(use),
      duration,
      usages: ['digital signature', 'server auth'],
      privateKey: CERTIFICATE_KEY,
    },
  });
  claimObjects(holder, keeper.managementCluster);
  claimObjectName(holder, { kind: 'Secret', group: '', namespace, name: secretName }, keeper.managementCluster);
  return { secretName, ...TLS_KEYS };
}

function addIssuer(scope: Construct, tenant: DeliveredTenant, metadata: { namespace: string; name: string }): CertManagerIssuer {
  const { secretName, certificateKey, privateKeyKey } = tenant.clusterCa;
  for (const key of [certificateKey, privateKeyKey]) {
    if (!Object.values(TLS_KEYS).concat(COPIED_KEYS).includes(key)) {
      throw invalidInput('certificate', 'certManager()', `cannot sign with the Secret "${secretName}": an issuer of cert-manager reads the keys tls.crt and ` +
        `tls.key, and the CA is under "${key}"`, 'Give the issuer property an issuer of your own, or choose TcpProxyCertificate.issuedBySync()');
    }
  }
  new Issuer(scope, 'issuer', { metadata, spec: { ca: { secretName } } });
  return { name: metadata.name };
}
