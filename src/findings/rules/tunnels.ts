import { Rule, someOf } from './rule';
import { pick, pickText, pickTexts } from '../../manifests/fields';
import { takes } from '../../manifests/host';
import { endsTunnels } from '../../manifests/read-shared-gateway';
import { groupAndKind, Source } from '../../manifests/source';

export const tunnelWithoutRoute: Rule = {
  code: 'HCP661',
  severity: 'error',
  title: "no route leads to the host of a tcp-proxy's tunnel",
  check: platform => platform.proxies.filter(({ mode }) => mode === 'tunnel').flatMap(({ source, upstream }) => {
    // Without an end of tunnels these are not the manifests of the management cluster.
    if (!platform.sources.some(endsTunnels) || platform.routes.some(({ host }) => host !== undefined && takes(host.host, upstream.host))) return [];
    return [{
      source,
      field: upstream.path,
      message: `sends pods through a tunnel to ${upstream.host}, which no route of these manifests leads anywhere`,
      remedy: "Give the gateway's tunnel its ingress controller, or pass the host through to the Service of the tunnel",
    }];
  }),
};

export const unknownTunnelTenant: Rule = {
  code: 'HCP662',
  severity: 'error',
  title: 'a client certificate leads nowhere in the tunnel',
  check: platform => {
    const known = new Set(platform.tunnelRoutes.map(({ commonName }) => commonName));
    if (!platform.sources.some(endsTunnels)) return [];
    const certificates = platform.sources.filter(source => groupAndKind(source) === 'cert-manager.io Certificate');
    const issuers = new Set(certificates.filter(isOfGateway(platform.sources)).map(issuerOf));
    return certificates.filter(source => usagesOf(source).includes('client auth') && issuers.has(issuerOf(source))).flatMap(source => {
      const commonName = pickText(source.object, 'spec.commonName') ?? '';
      return known.has(commonName) ? [] : [{
        source,
        field: 'spec.commonName',
        message: `is for ${commonName || 'nobody'}, while tunnel.map of these manifests has ${someOf([...known])}`,
        remedy: 'Register the tenant with the gateway, or write <namespace>.<name> of its control plane',
      }];
    });
  },
};

/** The certificate of the end of a tunnel is beside the gateway. */
function isOfGateway(sources: Source[]): (certificate: Source) => boolean {
  const namespaces = new Set(sources.filter(endsTunnels).map(({ namespace }) => namespace));
  return certificate => namespaces.has(certificate.namespace) && usagesOf(certificate).includes('server auth');
}

function usagesOf({ object }: Source): string[] {
  return pickTexts(object, 'spec.usages');
}

function issuerOf({ object, namespace }: Source): string {
  const { name, kind } = { name: pickText(object, 'spec.issuerRef.name'), kind: pickText(object, 'spec.issuerRef.kind') ?? 'Issuer' };
  return JSON.stringify([pick(object, 'spec.issuerRef.group') ?? 'cert-manager.io', kind, name, kind === 'Issuer' ? namespace : '']);
}
