import type { SyncProgramProps } from './sync-props';

/** `sync` of the tcp-proxy image for the certificates of tcp-proxies alone. */
export interface TenantCertificatesProps extends SyncProgramProps {
  /**
   * Namespace of `sync` and of the ConfigMaps that say what it keeps. Whoever may write ConfigMaps there has certificates of tenants
   * issued, so it belongs to `sync` alone.
   * @default tenant-certificates
   */
  readonly namespace?: string;
  /**
   * Name of the objects.
   * @default tenant-certificates
   */
  readonly name?: string;
}
