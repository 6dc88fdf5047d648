import type { TcpProxyEndpoints } from './endpoints';
import type { TcpProxyPlacement } from './placement';
import type { TcpProxyAddonProps } from './tcp-proxy-addon-props';
import type { TcpProxyUpstream } from './upstream';
import type { TcpProxyCertificate } from '../certificates/tcp-proxy-certificate';
import { A_CONTROL_PLANE } from '../control-plane/control-plane-checks';
import { SHARES } from '../haproxy/share-checks';
import { AN_EXPOSURE } from '../model/exposure-checks';
import { validateHostAlias } from '../validation/host-alias';
import { Checks, flag, instance, listOf, optional, orHolder, struct } from '../validation/props';

/** What is a tcp-proxy's own, beside its pods. */
type TcpProxyOwnProps = Pick<TcpProxyAddonProps,
'controlPlane' | 'exposure' | 'upstream' | 'placement' | 'endpoints' | 'certificate' | 'shares' | 'http2' | 'hostAliases' | 'networkPolicy'>;

/** What each of these properties may be by itself. */
export const TCP_PROXY_CHECKS: Checks<TcpProxyOwnProps> = {
  controlPlane: optional(A_CONTROL_PLANE),
  exposure: optional(AN_EXPOSURE),
  upstream: optional(orHolder(instance<TcpProxyUpstream>('Give one, e.g. TcpProxyUpstream.sni()', '_bind'), { asController: 'Give TcpProxyUpstream.sharedGateway(gateway)' })),
  placement: optional(instance<TcpProxyPlacement>('Give one, e.g. TcpProxyPlacement.replicas()', '_kind')),
  endpoints: optional(instance<TcpProxyEndpoints>('Give one, e.g. TcpProxyEndpoints.owned()', '_kind')),
  certificate: optional(instance<TcpProxyCertificate>('Give one, e.g. TcpProxyCertificate.existingSecret("tcp-proxy-tls")', '_bind')),
  shares: optional(struct(SHARES)),
  http2: optional(flag),
  hostAliases: optional(listOf(validateHostAlias)),
  networkPolicy: optional(flag),
};
