import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority, and a certificate of it. */
export interface ServingCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Issues a fresh authority and a serving certificate for a name and, optionally, an address, with openssl. */
export function issueCertificate(name: string, address?: string): ServingCertificate {
  const dir = mkdtempSync(join(tmpdir(), 'endpoints-pki-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  try {
    openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=test CA');
    openssl('req', ...newKey, '-keyout', 'tls.key', '-out', 'tls.csr', '-subj', `/CN=${name}`);
    writeFileSync(join(dir, 'san'), `subjectAltName=DNS:${name}${address ? `,IP:${address}` : ''}\n`);
    openssl('x509', '-req', '-in', 'tls.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'tls.crt', '-days', '2', '-extfile', 'san');
    const read = (file: string) => readFileSync(join(dir, file), 'utf8');
    return { ca: read('ca.crt'), cert: read('tls.crt'), key: read('tls.key') };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
