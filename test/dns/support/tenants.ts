import { DnsTarget, Exposure, ExposureProps, TenantDns, TenantDnsProps } from '../../../src';

/** Zones of the hosts that the exposures below have. */
export const ZONES = ['k8s.example.com', 'konnectivity.example.com'];

/** An exposure with an API host and a konnectivity host in the zones above. */
export function exposure(name: string, props: Partial<ExposureProps> = {}): Exposure {
  return new Exposure({ name, namespace: 'tenants', domain: 'example.com', konnectivity: {}, ...props });
}

/** The names of two tenants at two addresses of each family. */
export function tenantDns(props: Partial<TenantDnsProps> = {}): TenantDns {
  return new TenantDns({
    exposures: [exposure('tenant-01'), exposure('tenant-02')],
    target: DnsTarget.addresses(['10.0.0.50', '10.0.0.51', 'fd00::50', 'fd00::51']),
    zones: ZONES,
    ...props,
  });
}
