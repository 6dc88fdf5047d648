import { Bundle } from './bundle';
import { SyncError } from './errors';
import { writtenFor } from './written-objects';
import { TenantRecord } from '../../../../src/agent/contract/bundle';

/** Whoever may write bundles for a program that keeps certificates has it write nothing else. */
export function requireCertificateAlone({ certificate, kubernetesEndpoints, parts }: Bundle): void {
  if (certificate && kubernetesEndpoints === undefined && parts === 1) return;
  throw new SyncError('bundle', 'this sync keeps certificates alone (--certificates-only), and the bundle asks for something else; apply the manifests of the library again');
}

/**
 * What is recorded of a tenant of whose bundle the certificate alone is kept.
 *
 * @param before the record so far, whose objects may still be in the tenant
 */
export function recordOfCertificate(bundle: Bundle, before: TenantRecord | undefined): TenantRecord {
  return bundle.certificate ? { ...bundle, written: writtenFor(bundle.certificate, before?.written) } : bundle;
}
