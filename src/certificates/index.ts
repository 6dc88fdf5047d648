export type { CertManagerCertificateProps, CertManagerIssuer } from './cert-manager';
export type { SyncedCertificateProps } from './certificate-use';
export { TcpProxyCertificate } from './tcp-proxy-certificate';
