export type { HostDomain } from './host-domain';
export * from './host-ownership-policy';
