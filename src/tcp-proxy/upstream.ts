import { TcpProxyUpstreamConfig } from './haproxy-config';
import type { TunnelCertificate } from '../certificates/tunnel-certificate';
import type { CertManagerIssuer } from '../model/cert-manager-issuer';
import { validateClusterId } from '../model/cluster-id';
import { Exposure } from '../model/exposure';
import type { ISharedGateway } from '../shared-gateway/shared-gateway';
import { validateAddressOrName } from '../validation/address';
import { nameFactories } from '../validation/factories';
import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { validatePort } from '../validation/name';
import { Checks, instance, optional, struct } from '../validation/props';
import { required } from '../validation/required';

/** An address of the API server that the tenant's nodes reach directly. */
export interface DirectUpstreamProps {
  /** IP address or DNS name, e.g. of a node of the management cluster or of an internal load balancer. */
  readonly host: string;
  /**
   * Port, e.g. a NodePort.
   * @default 6443
   */
  readonly port?: number;
}

/** The way through a tunnel. */
export interface TunnelUpstreamProps {
  /**
   * The gateway at which it ends.
   * @default - `host` is required
   */
  readonly gateway?: ISharedGateway;
  /**
   * DNS name of the tunnel, of a gateway that this app does not know.
   * @default - that of the gateway
   */
  readonly host?: string;
  /**
   * Public port of the ingress controller, for `host`.
   * @default 443
   */
  readonly port?: number;
  /**
   * Where the client certificate of the tenant comes from.
   * @default - TunnelCertificate.certManager() with TenantDelivery.sync() and an issuer at the gateway, else TunnelCertificate.existingSecret('<name>-tunnel')
   */
  readonly certificate?: TunnelCertificate;
}

/** What a proxy in a tunnel needs beside its configuration. */
export interface TunnelUse {
  readonly certificate?: TunnelCertificate;
  readonly issuer?: CertManagerIssuer;
}

/**
 * How the tcp-proxy reaches the API server.
 *
 * @example
 * new TcpProxyAddon(tenant, 'tcp-proxy', {
 *   controlPlane,
 *   upstream: TcpProxyUpstream.direct({ host: '10.0.0.10', port: 6443 }),
 * });
 */
export class TcpProxyUpstream {
  /**
   * Through the shared address by SNI: the proxy opens TLS and starts a new TLS connection.
   *
   * Works with every ingress controller. Client certificates are lost on the way, so in-cluster clients
   * authenticate with tokens, as service accounts do.
   */
  public static sni(): TcpProxyUpstream {
    return new TcpProxyUpstream(exposure => ({
      host: exposure.api.host,
      port: exposure.api.port,
      mode: 'tls',
      serverName: exposure.api.host,
    }));
  }

  /**
   * Raw TCP to an address that the nodes reach without the shared ingress. TLS stays closed, so client
   * certificates work and the proxy needs no certificate.
   */
  public static direct(props: DirectUpstreamProps): TcpProxyUpstream {
    required('upstream', props, 'Give host, e.g. { host: "10.0.0.10" }');
    const host = validateAddressOrName('upstream.host', props.host);
    const port = validatePort('upstream.port', props.port ?? 6443);
    // Whatever the address is called, the API server's certificate carries the in-cluster names.
    return new TcpProxyUpstream(() => ({ host, port, mode: 'tcp', serverName: 'kubernetes' }));
  }

  /**
   * Raw TCP to a shared gateway, with the tenant's cluster ID in a PROXY v2 header in front. TLS stays closed, so client
   * certificates work and the proxy needs no certificate. The control plane must have a `clusterId`.
   */
  public static sharedGateway(gateway: ISharedGateway): TcpProxyUpstream {
    instance<ISharedGateway>('Give a SharedIngressGateway, or SharedIngressGateway.fromAttributes()', 'expect', 'tlvType')('gateway', gateway);
    return new TcpProxyUpstream(exposure => {
      const { clusterIdPort, tlvType, host } = gateway;
      if (clusterIdPort === undefined) {
        throw invalidInput('upstream', 'shared gateway', 'has no port for cluster IDs', 'Leave out clusterIdRouting: false at the gateway');
      }
      if (exposure.clusterId === undefined) {
        throw invalidInput('clusterId', undefined, `of ${exposure.namespace}/${exposure.name} is not set, and the shared gateway tells tenants apart by it`,
          'Give the control plane a clusterId, e.g. a UUID');
      }
      const clusterId = validateClusterId('clusterId', exposure.clusterId);
      gateway.expect(exposure);
      // The API server's certificate carries the in-cluster names.
      return { host: host ?? exposure.api.host, port: clusterIdPort, mode: 'tcp', serverName: 'kubernetes', proxyProtocol: { tlvType, clusterId } };
    });
  }

  /**
   * Raw TCP inside a TLS connection of the proxy's own, which goes through any ingress controller to a shared gateway. The TLS of pods
   * stays closed, so client certificates work, and no key in the tenant can be the API server: the proxy shows a client certificate,
   * which says nothing but which tenant it is of.
   *
   * A connection costs as much CPU time as with `sni()`, and one round trip more. The control plane must be at the gateway.
   */
  public static tunnel(props: TunnelUpstreamProps): TcpProxyUpstream {
    struct(TUNNEL)('upstream', required('upstream', props, 'Give gateway, or host'));
    const { gateway, host, port, certificate } = props;
    if ((gateway === undefined) === (host === undefined)) {
      throw invalidInput('upstream', host, 'must have exactly one of gateway and host', 'Give the SharedIngressGateway, or the DNS name of the tunnel to one of another app');
    }
    if (gateway && port !== undefined) {
      throw invalidInput('upstream.port', port, 'is that of the gateway', 'Leave it out, or set it in tunnel of the gateway');
    }
    return new TcpProxyUpstream(exposure => {
      const tunnel = gateway ? gateway.tunnel : { host: host!, port: port ?? 443 };
      if (!tunnel) {
        throw invalidInput('upstream', 'gateway', 'takes no tunnels', 'Give the gateway the property tunnel');
      }
      if (exposure.routes.some(({ hostname }) => hostname === tunnel.host)) {
        throw invalidInput('upstream.host', tunnel.host, 'is a host of the control plane itself', 'Give the tunnel a name of its own, one for all control planes');
      }
      gateway?.expect(exposure);
      return { host: tunnel.host, port: tunnel.port, mode: 'tcp', serverName: 'kubernetes', tunnel: { serverName: tunnel.host } };
    }, { certificate, issuer: gateway?.tunnel?.issuer });
  }

  private constructor(
    private readonly configure: (exposure: Exposure) => TcpProxyUpstreamConfig,
    /** @internal */
    public readonly _tunnel?: TunnelUse,
  ) {}

  /** @internal */
  public _bind(exposure: Exposure): TcpProxyUpstreamConfig {
    return this.configure(exposure);
  }
}

nameFactories(TcpProxyUpstream);

const TUNNEL: Checks<TunnelUpstreamProps> = {
  gateway: optional(instance<ISharedGateway>('Give a SharedIngressGateway, or SharedIngressGateway.fromAttributes()', 'expect', 'tlvType')),
  host: optional(validateDnsName),
  port: optional(validatePort),
  certificate: optional(instance<TunnelCertificate>('Give one, e.g. TunnelCertificate.existingSecret("tcp-proxy-tunnel")', '_bind')),
};
