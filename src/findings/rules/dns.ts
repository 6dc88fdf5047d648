import { Rule } from './rule';
import { pickList, pickRecord, pickText } from '../../manifests/fields';
import { takes } from '../../manifests/host';
import { Platform } from '../../manifests/platform';

const HOSTNAME_ANNOTATION = 'external-dns.alpha.kubernetes.io/hostname';

export const missingRecord: Rule = {
  code: 'HCP801',
  severity: 'error',
  title: 'a host has no DNS record beside those of the manifests',
  check: platform => {
    if (!platform.sources.some(({ kind }) => kind === 'DNSEndpoint')) return [];
    const names = recordNames(platform);
    return platform.controlPlanes.filter(({ exposure }) => exposure !== 'none').flatMap(({ source, api, konnectivity }) =>
      [api, konnectivity.enabled ? konnectivity.host : undefined].flatMap(host =>
        host === undefined || names.some(name => takes(name, host.host)) ? [] : [{
          source,
          field: host.path,
          message: `${host.host} is in no DNSEndpoint, while other hosts are`,
          remedy: `Add a record for ${host.host}, or a wildcard for its parent`,
        }]));
  },
};

export const recordWithoutTarget: Rule = {
  code: 'HCP802',
  severity: 'error',
  title: 'a DNS record leads nowhere',
  check: platform => platform.sources.filter(({ kind }) => kind === 'DNSEndpoint').flatMap(source => pickList(source.object, 'spec.endpoints')
    .flatMap((endpoint, i) => pickList(endpoint, 'targets').length > 0 ? [] : [{
      source,
      field: `spec.endpoints[${i}].targets`,
      message: `${pickText(endpoint, 'dnsName') ?? 'a record'} has no target`,
      remedy: 'Add the shared address',
    }])),
};

function recordNames({ sources }: Platform): string[] {
  return sources.flatMap(({ kind, object }) => {
    const annotation = pickRecord(object, 'metadata.annotations')[HOSTNAME_ANNOTATION];
    return [
      ...(kind === 'DNSEndpoint' ? pickList(object, 'spec.endpoints').map(endpoint => pickText(endpoint, 'dnsName') ?? '') : []),
      ...(typeof annotation === 'string' ? annotation.split(',') : []),
    ].map(name => name.trim().toLowerCase().replace(/\.$/, ''));
  });
}
