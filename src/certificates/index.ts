export type { CertManagerCertificateProps } from './cert-manager';
export type { SyncedCertificateProps } from './certificate-use';
export { TunnelCertificate } from './tunnel-certificate';
export type { CertManagerTunnelCertificateProps } from './tunnel-certificate';
export { TcpProxyCertificate } from './tcp-proxy-certificate';
