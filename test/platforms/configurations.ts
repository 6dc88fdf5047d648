import { Chart } from 'cdk8s';
import { Protocol } from 'cdk8s-plus-30';
import { GATEWAY, Tenant } from './harness';
import { Spec } from './operator-rules';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlaneProps, KubernetesServicePath, OperatorRoutes, TcpProxyAddon, TcpProxyEndpoints,
  TcpProxyPlacement, TenantControlPlaneProps,
} from '../../src';

const ADDRESS = { addresses: ['100.64.30.10'] };

/** What a tenant may be, part by part. */
export interface Configuration {
  readonly platform?: TenantControlPlaneProps & { operatorRoutes?: OperatorRoutes; tcpProxy?: object };
  readonly tenant?: Partial<IngressExposedControlPlaneProps>;
  readonly endpoints?: TcpProxyEndpoints;
}

export const CONFIGURATIONS: { [name: string]: Configuration } = {
  'nothing but the control plane': {},
  'a tcp-proxy that owns the endpoints': { endpoints: TcpProxyEndpoints.owned() },
  'a tcp-proxy at an address that the API server advertises': { endpoints: TcpProxyEndpoints.fixedAddress(ADDRESS) },
  'a tcp-proxy that owns an advertised address': { endpoints: TcpProxyEndpoints.ownedAdvertiseAddress(ADDRESS) },
  'konnectivity': { tenant: { konnectivity: {} } },
  'konnectivity with agents and server of its own': {
    tenant: { konnectivity: {} }, platform: { konnectivityAgent: { hostNetwork: true }, konnectivityServer: { port: 9132 } },
  },
  'an allow list': { tenant: { allowedCidrs: ['198.51.100.0/24'] } },
  'replicas': { platform: { replicas: 3 } },
  'addons': { platform: { coreDns: {}, kubeProxy: {} } },
  'addresses of the DNS': { tenant: { network: { dnsServiceIps: ['10.96.0.53'] } } },
  'kubelet addresses and admission controllers': {
    platform: { kubeletAddressTypes: ['Hostname'] as any, admissionControllers: ['NodeRestriction'] },
  },
  'placement, labels and ports': {
    platform: {
      nodeSelector: { pool: 'a' },
      tolerations: [{ operator: 'Exists' }],
      podLabels: { team: 'a' },
      podAnnotations: { team: 'a' },
      additionalPorts: [{ name: 'signer', port: 9443, protocol: Protocol.TCP }],
    },
  },
  'flags of the components': { platform: { extraArgs: { apiServer: ['--v=2', '--audit-log-path=-'], scheduler: ['--v=2'] } } },
  'flags, and a tcp-proxy that owns the endpoints': {
    platform: { extraArgs: { apiServer: ['--v=2', '--audit-log-path=-'] } }, endpoints: TcpProxyEndpoints.owned(),
  },
  'another controller': { tenant: { controller: IngressController.traefik() } },
  'routes of the operator\'s Gateway': {
    tenant: { controller: IngressController.gatewayApi({ gateway: GATEWAY }), konnectivity: {} },
    platform: { operatorRoutes: OperatorRoutes.GATEWAY },
  },
};
/** What Steward alone has. */
export const STEWARDS_OWN: { [name: string]: Configuration } = { 'Steward\'s own tcp-proxy': { platform: { tcpProxy: {} } } };

/** The spec of the custom resource. */
export function synthesize(platform: (props: any) => ControlPlanePlatform, { platform: props, tenant, endpoints }: Configuration): Spec {
  const result = new Tenant(platform(props ?? {}), {
    controller: IngressController.haproxy(), ...endpoints && { kubernetesService: KubernetesServicePath.tcpProxy() }, ...tenant,
  });
  if (endpoints) {
    new TcpProxyAddon(new Chart(result.app, 'addon'), 'tcp-proxy', {
      controlPlane: result.controlPlane, endpoints, placement: TcpProxyPlacement.everyNode(),
    });
  }
  return result.spec();
}
