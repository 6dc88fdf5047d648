import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { CONTAINER } from './gateway-pod';
import { TunnelEndpoint } from './shared-gateway';
import type { AgentMount, AgentWorkload } from '../agent/agent-workload';
import { CA_FILE, TLS_FILES, TUNNEL_MOUNT } from '../agent/contract/paths';
import { LONGEST_COMMON_NAME } from '../agent/contract/route-limits';
import type { IngressController } from '../controllers/ingress-controller';
import { Certificate } from '../imports/cert-manager.io';
import { CERTIFICATE_KEY } from '../model/cert-manager-certificate';
import { CERT_MANAGER_ISSUER, CertManagerIssuer, issuerRef } from '../model/cert-manager-issuer';
import { Exposure } from '../model/exposure';
import { serviceManifest } from '../objects/kubernetes';
import { claimHost } from '../synthesis/host-claims';
import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { validateTrustedNetwork } from '../validation/ip-network';
import { validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, instance, optional, someOf } from '../validation/props';

/**
 * A TLS tunnel from the tcp-proxies of tenants through any ingress controller to the gateway. It passes the TLS of pods on
 * untouched, so that client certificates arrive and no tenant holds a key that can be the API server.
 *
 * A tenant is who its client certificate says: the common name is `<namespace>.<name>` of its control plane, or a hash where that
 * is longer than 64 characters. So the authority of the clients must be one that signs for this gateway alone.
 */
export interface GatewayTunnel {
  /** DNS name of the tunnel: one for all tenants, which leads to the ingress controller. */
  readonly host: string;
  /**
   * Public port of the ingress controller.
   * @default 443
   */
  readonly port?: number;
  /**
   * The ingress controller that leads the host to the gateway.
   * @default - somebody else has it passed through to port 443 of the Service `<name>-tunnel`
   */
  readonly controller?: IngressController;
  /**
   * The issuer of cert-manager that makes the gateway's certificate and those of the tenants, with an authority of its own; a `ClusterIssuer`, or
   * one of the same name in each namespace.
   * @default - none: somebody else keeps the Secret
   */
  readonly issuer?: CertManagerIssuer;
  /**
   * Secret in the gateway's namespace with `tls.crt` and `tls.key` for the host, and the authorities of the clients in `ca.crt`.
   * @default - `<name>-tunnel-tls`
   */
  readonly secretName?: string;
  /**
   * ConfigMap in the gateway's namespace whose `ca.crt` has the authorities of the clients, e.g. the old and the new one while
   * they change.
   * @default - `ca.crt` of the Secret
   */
  readonly clientCaConfigMap?: string;
  /**
   * Networks of the ingress controller, in CIDR notation, where it sends the source of connections in the PROXY protocol. Without it
   * every source is the ingress controller, and no tenant can have `allowedCidrs`.
   * @default - it sends none
   */
  readonly proxyProtocolCidrs?: string[];
}

export const TUNNEL: Checks<GatewayTunnel> = {
  host: validateDnsName,
  port: optional(validatePort),
  controller: optional(instance<IngressController>('Give one, e.g. IngressController.traefik()', 'bind', 'validateRoutes')),
  issuer: optional(CERT_MANAGER_ISSUER),
  secretName: optional(validateObjectName),
  clientCaConfigMap: optional(validateObjectName),
  proxyProtocolCidrs: optional(someOf(validateTrustedNetwork)),
};

/** Port of the Service `<name>-tunnel`. */
const SERVICE_PORT = 443;

/** Where proxies find the tunnel. */
export function tunnelEndpoint({ host, port = 443, issuer }: GatewayTunnel): TunnelEndpoint {
  return { host: validateDnsName('tunnel.host', host), port, issuer };
}

/** The tunnel's public name, as that of something behind the shared address. */
export function tunnelExposure({ host, port }: GatewayTunnel, { name, namespace }: AgentWorkload['metadata']): Exposure {
  return new Exposure({
    name, namespace, hostname: host, port, backend: { serviceName: serviceName(name), apiPort: SERVICE_PORT, apiPodPort: CONTAINER.tunnelPort },
  });
}

/** Emits what leads to the end of the tunnel: its Service, the route of the ingress controller, and the request for its certificate. */
export function addTunnel(scope: Construct, tunnel: GatewayTunnel, exposure: Exposure, { metadata, selectorLabels }: AgentWorkload): void {
  const { controller, issuer, host } = tunnel;
  const { name, namespace, labels } = metadata;
  new ApiObject(scope, 'tunnel-service', serviceManifest({
    metadata: { ...metadata, name: serviceName(name) },
    spec: {
      selector: selectorLabels,
      ports: [{ name: 'tunnel', port: SERVICE_PORT, targetPort: 'tunnel', protocol: 'TCP' }],
    },
  }));
  claimHost(scope, exposure.api.host, exposure.api.port, controller?.separatesPorts ?? false);
  if (controller) {
    if (controller._gateway) {
      throw invalidInput('tunnel.controller', controller.displayName, 'is a gateway of this library, which its tenants reach without a tunnel',
        'Choose TcpProxyUpstream.sharedGateway() for them, or the ingress controller in front of the gateway');
    }
    const routes = exposure.routes.map(route => ({ ...route, name: 'tunnel' }));
    controller.validateRoutes({ exposure, routes, operatorRoutes: [] });
    controller.bind(new Construct(scope, 'tunnel-route'), { exposure, routes, labels: labels as { [name: string]: string } });
  }
  if (issuer) {
    new Certificate(scope, 'tunnel-certificate', {
      metadata: { name: serviceName(name), namespace, labels },
      spec: {
        secretName: secretNameOf(tunnel, name),
        issuerRef: issuerRef(issuer),
        commonName: host.length <= LONGEST_COMMON_NAME ? host : undefined,
        dnsNames: [host],
        usages: ['digital signature', 'server auth'],
        privateKey: CERTIFICATE_KEY,
      },
    });
  }
}

/** The pair and the authorities of the clients, in one folder. */
export function tunnelMount(tunnel: GatewayTunnel, name: string): AgentMount {
  const { clientCaConfigMap } = tunnel;
  const same = (key: string) => ({ key, path: key });
  const pair = [TLS_FILES.certificate, TLS_FILES.key].map(same);
  const secret = { name: secretNameOf(tunnel, name), items: clientCaConfigMap === undefined ? [...pair, same(CA_FILE)] : pair };
  const sources = [{ secret }, ...clientCaConfigMap === undefined ? [] : [{ configMap: { name: clientCaConfigMap, items: [same(CA_FILE)] } }]];
  return { volume: { name: 'tunnel', projected: { sources, defaultMode: 0o440 } }, mountPath: TUNNEL_MOUNT };
}

function secretNameOf({ secretName }: GatewayTunnel, name: string): string {
  return secretName ?? `${name}-tunnel-tls`;
}

function serviceName(name: string): string {
  return `${name}-tunnel`;
}
