import { CertificateSpecPrivateKey, CertificateSpecPrivateKeyAlgorithm, CertificateSpecPrivateKeyRotationPolicy } from '../imports/cert-manager.io';
import { requireDuration, secondsOf } from '../validation/duration';
import { invalidInput } from '../validation/invalid-input';

/** The key of every certificate that this library asks cert-manager for: another one with each renewal. */
export const CERTIFICATE_KEY: CertificateSpecPrivateKey = {
  algorithm: CertificateSpecPrivateKeyAlgorithm.ECDSA,
  size: 256,
  rotationPolicy: CertificateSpecPrivateKeyRotationPolicy.ALWAYS,
};

/**
 * How long a certificate may be valid, as cert-manager's webhook says (`MinimumCertificateDuration`).
 *
 * @param withoutIt how a remedy ends that says to leave it out
 */
export function certificateDuration(withoutIt = ''): (field: string, duration: string) => string {
  return (field, duration) => {
    if (secondsOf(requireDuration(field, duration)) < 3600) {
      throw invalidInput(field, duration, 'is less than an hour, which cert-manager refuses', `Give "1h" or more, or leave it out${withoutIt}`);
    }
    return duration;
  };
}
