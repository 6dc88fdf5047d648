/** The SNI hosts that a manifest of any kind of route claims; empty for other kinds. */
export function routeHosts({ apiVersion, kind, spec, data }: any): string[] {
  switch (`${apiVersion.split('/')[0]} ${kind}`) {
    case 'traefik.io IngressRouteTCP':
      return spec.routes.flatMap((route: any) => [...route.match.matchAll(/HostSNI\(`([^`]*)`\)/g)].map(match => match[1]));
    case 'networking.k8s.io Ingress': return spec.rules.map((rule: any) => rule.host);
    case 'k8s.nginx.org TransportServer': return [spec.host];
    case 'gateway.networking.k8s.io TLSRoute': return spec.hostnames;
    case 'projectcontour.io HTTPProxy': return [spec.virtualhost.fqdn];
    case 'networking.istio.io VirtualService': return spec.tls.flatMap((tls: any) => tls.match.flatMap((match: any) => match.sniHosts));
    case 'route.openshift.io Route': return [spec.host];
    // The controller of test/support/plain.ts, and the tables of a SharedIngressGateway.
    case 'v1 ConfigMap': return [
      ...data.host ? [data.host] : [],
      ...[...(data['hosts.map'] ?? '').matchAll(/^([^#\s]\S*) /gm)].map(match => match[1]),
    ];
    default: return [];
  }
}

/** The ports of the shared address that a manifest leads to one tenant each: those of a SharedIngressGateway. */
export function routePorts({ kind, data }: any): number[] {
  return kind === 'ConfigMap' ? [...(data['ports.map'] ?? '').matchAll(/^(\d+) /gm)].map(match => Number(match[1])) : [];
}

/**
 * The SNI hosts that the operator of a TenantControlPlane, KamajiControlPlane or of k0smotron claims because of the manifest:
 * with an Ingress of a class that somebody handles, the API host; with a Gateway, that and konnectivity's.
 */
export function operatorHosts({ spec }: any, unhandledIngressClass: string): string[] {
  if (spec?.ingress?.deploy) {
    return [spec.ingress.apiHost, spec.ingress.konnectivityHost];
  }
  const { ingress, gateway } = spec?.controlPlane ?? spec?.network ?? {};
  if (gateway) {
    const konnectivity = spec.addons?.konnectivity ? [konnectivityHost(spec, gateway.hostname)] : [];
    return [gateway.hostname, ...konnectivity];
  }
  return ingress && (ingress.ingressClassName ?? ingress.className) !== unhandledIngressClass ? [ingress.hostname.split(':')[0]] : [];
}

/** Steward replaces a part of the API host; Kamaji takes it as it is. */
function konnectivityHost(spec: any, apiHost: string): string {
  const isSteward = !spec.controlPlane?.gateway?.parentRefs?.[0].sectionName && spec.controlPlane;
  return isSteward ? apiHost.replace('.k8s.', '.konnectivity.') : apiHost;
}
