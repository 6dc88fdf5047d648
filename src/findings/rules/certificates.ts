import { Rule } from './rule';
import { takes } from '../../manifests/host';

export const apiSan: Rule = {
  code: 'HCP501',
  severity: 'error',
  title: 'the API host is no SAN',
  check: platform => platform.controlPlanes.flatMap(({ source, exposure, api, sans }) => {
    if (exposure === 'none' || api === undefined || sans === undefined || covered(sans.value, api.host)) return [];
    return [{
      source,
      field: sans.path,
      message: `${api.host} is missing: the certificate has it at first, but is not issued anew when the host changes, as only this list is compared`,
      remedy: `Add ${api.host}`,
    }];
  }),
};

export const konnectivitySan: Rule = {
  code: 'HCP502',
  severity: 'error',
  title: 'the konnectivity host is no SAN',
  check: platform => platform.controlPlanes.flatMap(({ source, system, konnectivity: { enabled, host, derived }, sans }) => {
    // Steward adds the host that it derives to the certificate of its konnectivity server.
    if (!enabled || host === undefined || sans === undefined || (derived && system === 'Steward') || covered(sans.value, host.host)) return [];
    return [{
      source,
      field: sans.path,
      message: `${host.host} is missing: the konnectivity server shows the API server's certificate, and agents refuse it`,
      remedy: `Add ${host.host}`,
    }];
  }),
};

function covered(sans: string[], host: string): boolean {
  return sans.some(san => takes(san.toLowerCase().replace(/:\d+$/, ''), host));
}
