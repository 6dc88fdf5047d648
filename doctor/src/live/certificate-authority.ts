import { X509Certificate } from 'crypto';
import { readFileSync } from 'fs';
import { ConfigurationError } from '../../../cli/configuration';

/** Reads a CA. @throws ConfigurationError when the file has no certificate */
export function readCa(flag: string, path: string): string {
  return checkCa(`${flag} ${JSON.stringify(path)}`, readText(flag, path));
}

/** Returns PEM text that has certificates, and only such. */
export function checkCa(where: string, pem: string): string {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    blocks.forEach(block => new X509Certificate(block));
  } catch (error) {
    throw new ConfigurationError(`${where}: holds a broken certificate (${(error as Error).message}); give the tenant's ca.crt in PEM`);
  }
  if (blocks.length === 0) throw new ConfigurationError(`${where}: holds no certificate; give the tenant's ca.crt in PEM`);
  return blocks.join('\n');
}

/** @throws ConfigurationError when the file cannot be read */
export function readText(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigurationError(`${flag} ${JSON.stringify(path)}: cannot be read (${(error as NodeJS.ErrnoException).code}); name a file that you may read`);
  }
}
