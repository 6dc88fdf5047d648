import { contentHash } from '../model/content-hash';
import { invalidInput } from '../validation/invalid-input';

/** A certificate that the API server serves to clients that ask for certain hosts by SNI; all others get its own. */
export interface ApiServerCertificate {
  /** Secret of type `kubernetes.io/tls` in the namespace of the control plane. */
  readonly secretName: string;
  /** The hosts. */
  readonly hosts: string[];
}

/** kube-apiserver's flag for them. It reads the files again by itself once they change (`DynamicFileSNIContent`). */
export const SNI_CERTIFICATE_FLAG = 'tls-sni-cert-key';

const MOUNTS = '/etc/serving-certificates';

/** Name of the volume with a Secret. Secrets have longer names than volumes. */
export function certificateVolume({ secretName }: ApiServerCertificate): string {
  return `serving-certificate-${contentHash(secretName)}`;
}

/** A volume and its mount for each certificate: the whole folder, as the kubelet never renews a file that is mounted alone. */
export function certificateMounts(certificates: ApiServerCertificate[]): { volumes: object[]; mounts: object[] } {
  return {
    volumes: certificates.map(certificate => ({ name: certificateVolume(certificate), secret: { secretName: certificate.secretName } })),
    mounts: certificates.map(certificate => ({ name: certificateVolume(certificate), mountPath: `${MOUNTS}/${certificateVolume(certificate)}`, readOnly: true })),
  };
}

/** The flags for certificates that are mounted so. */
export function certificateArgs(certificates: ApiServerCertificate[]): string[] {
  return certificates.map(certificate => `--${SNI_CERTIFICATE_FLAG}=${certificateFlagValue(`${MOUNTS}/${certificateVolume(certificate)}`, certificate.hosts)}`);
}

/**
 * The hosts are named: without them the API server would take those of the certificate, and a wildcard could be over the main entry's, which tcp-proxies
 * verify with the tenant's CA. A name that neither has is shown the first certificate that covers it, and the API server's own is the first.
 */
export function certificateFlagValue(folder: string, hosts: string[]): string {
  return `${folder}/tls.crt,${folder}/tls.key:${hosts.join(',')}`;
}

/** For platforms that hand on each flag once. */
export function requireOneCertificate(platform: string, certificates: ApiServerCertificate[]): void {
  if (certificates.length > 1) {
    throw invalidInput('furtherEntries', certificates.map(({ secretName }) => secretName), `have Secrets of ${certificates.length} certificates, and ${platform} hands one --${SNI_CERTIFICATE_FLAG} on to the API server`,
      'Put all hosts into one certificate, and give its Secret to each entry with ServingCertificate.existingSecret()');
  }
}
