export type { SecretData, SecretReader, TenantObject, TenantObjects } from './clusters';
export { certificateObjects } from './objects';
export type { ObjectReference } from './objects';
export { reconcileCertificate } from './reconcile';
export type { CertificateReconciliation, CertificateResult } from './reconcile';
