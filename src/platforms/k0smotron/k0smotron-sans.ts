import { NAMES_OF_K0S } from '../../manifests/k0smotron-facts';
import { Exposure } from '../../model/exposure';
import { tcpProxyOf } from '../../model/tcp-proxy-facts';

/**
 * The names for the API server's certificate that neither k0smotron nor k0s adds by itself. k0smotron adds the hosts of
 * its ingress (its `genSANs`); k0s before 1.35.6 and 1.36.2 lacks the in-cluster name with the cluster's domain.
 *
 * k0smotron writes what it adds back into this list of a Cluster, and a list has one writer alone: server-side apply
 * then reports a conflict, and client-side apply takes the names out again, for ever. So the name with the domain is in
 * it only where pods see this certificate, which is behind a tcp-proxy that leaves TLS closed.
 */
export function furtherCertSans(exposure: Exposure): string[] {
  const upstream = tcpProxyOf(exposure)?.upstream;
  const podsSeeIt = upstream !== undefined && upstream !== 'sni';
  const added = new Set([exposure.api.host, exposure.konnectivity?.host, ...podsSeeIt ? NAMES_OF_K0S : exposure.inClusterNames]);
  return exposure.certSans.filter(name => !added.has(name));
}
