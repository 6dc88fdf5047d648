import { X509Certificate } from 'crypto';
import { isIP } from 'net';

/** Extended key usages (RFC 5280, 4.2.1.12) with which a certificate may serve, or say who a client is. */
const ANY_USAGE = '2.5.29.37.0';
const USAGES = { server: ['1.3.6.1.5.5.7.3.1', ANY_USAGE], client: ['1.3.6.1.5.5.7.3.2', ANY_USAGE] };
type Certificates = readonly X509Certificate[];

/** Longer chains than this are no chains. */
const LONGEST_CHAIN = 8;

/**
 * Why clients that trust these authorities would not take this certificate for a server of these names; undefined when
 * they would.
 *
 * @param chain the leaf and its intermediates, in any order after the leaf
 */
export function whyNotTrusted(chain: Certificates, authorities: Certificates, names: readonly string[]): string | undefined {
  const [leaf, ...intermediates] = chain;
  const unusable = whyNotUsable(leaf, 'server');
  if (unusable) return unusable;
  const missing = names.filter(name => (isIP(name) ? leaf.checkIP(name) : leaf.checkHost(name)) === undefined);
  if (missing.length > 0) return `lacks ${missing.join(', ')}`;
  if (!leadsTo(leaf, intermediates, authorities, LONGEST_CHAIN)) return 'is issued by no valid CA of ca.crt';
  return undefined;
}

/** Why a certificate is of no use to anybody now; undefined when it is. */
export function whyNotUsable(leaf: X509Certificate, purpose: keyof typeof USAGES): string | undefined {
  if (isExpired(leaf)) return `expired at ${new Date(leaf.validTo).toISOString()}`;
  if (Date.parse(leaf.validFrom) > Date.now()) return `is not valid before ${new Date(leaf.validFrom).toISOString()}`;
  if (leaf.keyUsage && !leaf.keyUsage.some(usage => USAGES[purpose].includes(usage))) return `is not for ${purpose}s (extended key usage)`;
  return undefined;
}

/** An intermediate that was tried is not tried again. */
function leadsTo(certificate: X509Certificate, intermediates: Certificates, authorities: Certificates, steps: number): boolean {
  if (steps === 0) return false;
  const issued = (issuer: X509Certificate) => !isExpired(issuer) && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  if (authorities.some(authority => authority.raw.equals(certificate.raw) || issued(authority))) return true;
  const others = (issuer: X509Certificate) => intermediates.filter(other => other !== issuer);
  return intermediates.some(issuer => issuer.ca && issued(issuer) && leadsTo(issuer, others(issuer), authorities, steps - 1));
}

function isExpired(certificate: X509Certificate): boolean {
  return Date.parse(certificate.validTo) <= Date.now();
}
