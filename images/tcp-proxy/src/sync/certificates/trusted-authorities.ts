import type { AuthorityCertificate } from './authority';

/** What counts of the certificate of an authority. */
export type Certificate = Pick<AuthorityCertificate, 'id' | 'fingerprint' | 'notAfter'>;

/** The certificates that the proxies trust, by fingerprint, with the time since when nothing needs them any more. */
export type TrustRecord = ReadonlyMap<string, Date | undefined>;

export interface TrustInput<Authority extends Certificate> {
  /** What the Secret of the tenant CA holds. */
  readonly current: readonly Authority[];
  /** What the proxies trust so far. */
  readonly trusted: readonly Authority[];
  /** What was recorded with it; a certificate that is not recorded was put there by someone else. */
  readonly record: TrustRecord;
  /** `id`s of the authorities that something in the tenant still relies on, though they left the Secret. */
  readonly needed: ReadonlySet<string>;
  readonly now: Date;
  /** How long an authority stays trusted that nothing needs, in milliseconds. */
  readonly overlapMs: number;
}

/** The certificates that the proxies are to trust. */
export interface Trust<Authority> {
  /** Those of the Secret first. */
  readonly certificates: Authority[];
  readonly record: TrustRecord;
  /** When one of them has to go. */
  readonly again?: Date;
}

/**
 * The tenant CA and the ones before it, which the API server's certificate may still be of: they stay until nothing
 * needs them and the overlap is over, or until they expire.
 */
export function trustedAuthorities<Authority extends Certificate>(input: TrustInput<Authority>): Trust<Authority> {
  const { current, trusted, record, needed, now, overlapMs } = input;
  const currentAuthorities = new Set(current.map(({ id }) => id));
  const certificates = [...current];
  const kept = new Map<string, Date | undefined>(current.map(({ fingerprint }) => [fingerprint, undefined]));
  const ends: number[] = [];
  for (const certificate of trusted) {
    const { id, fingerprint, notAfter } = certificate;
    // One that was renewed with its key is in no need of the certificate of before.
    if (currentAuthorities.has(id) || !record.has(fingerprint)) continue;
    const idleSince = needed.has(id) ? undefined : record.get(fingerprint) ?? now;
    const end = Math.min(notAfter.getTime(), idleSince ? idleSince.getTime() + overlapMs : Infinity);
    if (end <= now.getTime()) continue;
    certificates.push(certificate);
    kept.set(fingerprint, idleSince);
    ends.push(end);
  }
  return { certificates, record: kept, ...ends.length > 0 && { again: new Date(Math.min(...ends)) } };
}
