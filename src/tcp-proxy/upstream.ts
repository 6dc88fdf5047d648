import { TcpProxyUpstreamConfig } from './haproxy-config';
import { validateClusterId } from '../model/cluster-id';
import { Exposure } from '../model/exposure';
import type { ISharedGateway } from '../shared-gateway/shared-gateway';
import { validateAddressOrName } from '../validation/address';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { validatePort } from '../validation/name';
import { instance } from '../validation/props';
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

/** How the tcp-proxy reaches the API server. */
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

  private constructor(private readonly configure: (exposure: Exposure) => TcpProxyUpstreamConfig) {}

  /** @internal */
  public _bind(exposure: Exposure): TcpProxyUpstreamConfig {
    return this.configure(exposure);
  }
}

nameFactories(TcpProxyUpstream);
