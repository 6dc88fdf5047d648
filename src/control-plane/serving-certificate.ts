import { Construct } from 'constructs';
import { Certificate } from '../imports/cert-manager.io';
import { CERTIFICATE_KEY, certificateDuration } from '../model/cert-manager-certificate';
import { CERT_MANAGER_ISSUER, CertManagerIssuer, issuerRef } from '../model/cert-manager-issuer';
import { claimObjectName } from '../synthesis/object-claims';
import { nameFactories } from '../validation/factories';
import { validateObjectName } from '../validation/object-name';
import { Check, instance, optional, struct } from '../validation/props';

/** A certificate for a host that cert-manager issues in the management cluster. */
export interface ServingCertificateProps {
  /** The issuer, e.g. one of ACME; an `Issuer` is in the namespace of the control plane. */
  readonly issuer: CertManagerIssuer;
  /**
   * How long a certificate is valid, as a Go duration of at least an hour; cert-manager renews it when a third is left.
   * @default - the issuer's, or cert-manager's 90 days
   */
  readonly duration?: string;
}

/** What a certificate is for. */
export interface ServingCertificateUse {
  readonly namespace: string;
  readonly controlPlane: string;
  readonly entry: string;
  readonly host: string;
  readonly labels: { [name: string]: string };
  readonly managementCluster: string;
}

/**
 * A certificate of its own for one host of a control plane, which the API server serves to clients that ask for the host by SNI.
 *
 * The Secret is mounted into the pods of the API server. It must exist before they start; a renewal of it is taken up within about
 * two minutes without a restart.
 */
export class ServingCertificate {
  /**
   * cert-manager in the management cluster issues and renews it.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static certManager(props: ServingCertificateProps): ServingCertificate {
    struct<ServingCertificateProps>({ issuer: CERT_MANAGER_ISSUER, duration: optional(certificateDuration()) })('certificate', props);
    return new ServingCertificate(`certManager(), ${props.issuer.kind ?? 'Issuer'} ${props.issuer.name}`, (scope, use) => addCertificate(scope, use, props));
  }

  /**
   * A Secret of type `kubernetes.io/tls` beside the control plane, which someone else keeps. Several entries may share one that is for all
   * their hosts.
   *
   * @throws when the name cannot be that of a Secret
   */
  public static existingSecret(name: string): ServingCertificate {
    const secretName = validateObjectName('certificate.secretName', name);
    return new ServingCertificate(`existingSecret("${name}")`, () => secretName);
  }

  private constructor(
    /** @internal In a few words, as users write it. */
    public readonly _source: string,
    /** @internal Emits what keeps the Secret, and names it. */
    public readonly _bind: (scope: Construct, use: ServingCertificateUse) => string,
  ) {}
}

nameFactories(ServingCertificate);

export const A_SERVING_CERTIFICATE: Check<ServingCertificate> =
  instance<ServingCertificate>('Give one, e.g. ServingCertificate.existingSecret("tenant-01-public")', '_bind', '_source');

function addCertificate(scope: Construct, use: ServingCertificateUse, { issuer, duration }: ServingCertificateProps): string {
  const { namespace, controlPlane, entry, host, labels, managementCluster } = use;
  // Ends with the entry, as the routes do.
  const name = `${controlPlane}-serving-${entry}`;
  new Certificate(scope, 'certificate', {
    metadata: { name, namespace, labels },
    spec: {
      secretName: name,
      issuerRef: issuerRef(issuer),
      dnsNames: [host],
      duration,
      usages: ['digital signature', 'server auth'],
      privateKey: CERTIFICATE_KEY,
    },
  });
  // The control plane claims the names of its objects.
  claimObjectName(scope, { kind: 'Secret', group: '', namespace, name }, managementCluster);
  return name;
}
