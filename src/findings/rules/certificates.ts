import { Rule } from './rule';
import { ControlPlane } from '../../manifests/control-plane';
import { flagValues } from '../../manifests/flags';
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

export const ownCertificateOfMainHost: Rule = {
  code: 'HCP503',
  severity: 'error',
  title: 'a host that nodes and proxies verify with the tenant\'s CA has another certificate',
  check: platform => platform.controlPlanes.flatMap(controlPlane => sniCertificates(controlPlane).flatMap(({ hosts, field }) => {
    const { source, api } = controlPlane;
    const main = hosts.find(host => host === api?.host || IN_CLUSTER_NAME.test(host));
    return main === undefined ? [] : [{
      source,
      field,
      message: `--tls-sni-cert-key has a certificate for ${main}, by which kubelets and tcp-proxies know the API server: they refuse one that is not of the tenant's CA`,
      remedy: 'Give that certificate a host of its own beside the main one',
    }];
  })),
};

export const ownCertificateWithoutHosts: Rule = {
  code: 'HCP504',
  severity: 'warning',
  title: 'a further certificate of the API server is for whatever hosts it names itself',
  check: platform => platform.controlPlanes.flatMap(controlPlane => sniCertificates(controlPlane)
    .filter(({ hosts }) => hosts.length === 0)
    .map(({ value, field }) => ({
      source: controlPlane.source,
      field,
      message: `--tls-sni-cert-key=${value} names no hosts, so that the API server takes those of the certificate, the main host among them if it is there`,
      remedy: 'Name its hosts: <certificate>,<key>:<host>',
    }))),
};

const IN_CLUSTER_NAME = /^kubernetes(\.default(\.svc(\..+)?)?)?$/;

/** The certificates of further hosts, as flags of the API server give them. */
function sniCertificates({ apiServerArgs }: ControlPlane): { readonly value: string; readonly hosts: string[]; readonly field: string }[] {
  return flagValues(apiServerArgs?.value ?? [], '--tls-sni-cert-key').map(value => {
    const [, hosts = ''] = value.split(':');
    return { value, hosts: hosts.toLowerCase().split(',').filter(host => host !== ''), field: apiServerArgs!.path };
  });
}

function covered(sans: string[], host: string): boolean {
  return sans.some(san => takes(san.toLowerCase().replace(/:\d+$/, ''), host));
}
