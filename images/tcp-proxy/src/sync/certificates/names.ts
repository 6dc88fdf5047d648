import { X509Certificate } from 'crypto';
import { isIP, SocketAddress } from 'net';

/** What a serving certificate is for. */
export interface CertificateNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** One form for one address: RFC 5952 for IPv6. */
export function canonicalAddress(address: string): string {
  return new SocketAddress({ address, family: isIP(address) === 6 ? 'ipv6' : 'ipv4' }).address;
}

/** Whether the certificate is for these names and addresses and for no others, in whatever order. */
export function carriesExactly(certificate: X509Certificate, { dnsNames, ipAddresses }: CertificateNames): boolean {
  const wanted = new Set([...dnsNames.map(name => `DNS:${name}`), ...ipAddresses.map(address => `IP Address:${canonicalAddress(address)}`)]);
  const carried = new Set((certificate.subjectAltName ?? '').split(', ').filter(entry => entry !== '').map(canonicalEntry));
  return wanted.size === carried.size && [...wanted].every(entry => carried.has(entry));
}

/** Node.js prints IPv6 addresses in upper case and without `::`. */
function canonicalEntry(entry: string): string {
  const address = /^IP Address:(.*)$/.exec(entry)?.[1];
  return address !== undefined && isIP(address) !== 0 ? `IP Address:${canonicalAddress(address)}` : entry;
}
