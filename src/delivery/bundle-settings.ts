import { createHash } from 'crypto';
import { DeliveredTenant } from './delivered-tenant';
import { BUNDLE_VERSION, BundleSettings } from '../agent/contract/bundle';

/** What `sync` is told of a tenant, in the order in which it is written. */
export type TenantSettings = Omit<BundleSettings, 'version' | 'part' | 'parts' | 'checksum'>;

/** How to reach a tenant. */
export function tenantAccess({ exposure: { name, namespace }, adminKubeconfig: { secretName, keys } }: DeliveredTenant): TenantSettings {
  return { tenant: { namespace, name }, kubeconfig: { secretName, keys } };
}

/** What the checksum of a bundle is of. */
export function bundleText(settings: TenantSettings, parts: string[]): string {
  return JSON.stringify([settings, parts]);
}

/** The settings in each part of a bundle. */
export function partSettings(settings: TenantSettings, parts: string[]): BundleSettings[] {
  const checksum = createHash('sha256').update(bundleText(settings, parts)).digest('hex');
  return parts.map((_, i) => ({ version: BUNDLE_VERSION, ...settings, part: i + 1, parts: parts.length, checksum }));
}

/** As it is in the ConfigMap. */
export function settingsText(settings: BundleSettings): string {
  return JSON.stringify(settings, null, 2);
}
