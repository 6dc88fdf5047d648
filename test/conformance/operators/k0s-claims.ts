import { OperatorAnswer } from './answer';
import { Exposure, IngressExposedControlPlane } from '../../../src';
import { TenantSide } from '../../../src/control-plane/tenant-side';
import { K0sVersion } from '../../../src/platforms/k0smotron/k0s-version';

/** What this library says of an API server that k0s runs: what the operator gives to k0s, which does not run in the tests. */
export interface K0sClaims {
  /** Where kubeconfigs lead that k0s writes. */
  readonly externalAddress: string;
  readonly port: number;
  /** Names that k0s does not add by itself. */
  readonly sans: string[];
  readonly networks: { readonly podCIDR: string; readonly serviceCIDR: string; readonly clusterDomain: string };
  readonly endpointReconciler: string;
  /** The user's flags, and those that a tcp-proxy needs. */
  readonly anonymousAuth?: string;
  /** With the port where k0s brings the agents itself. */
  readonly konnectivityAddress: string;
  readonly konnectivityPort: number;
  /** Whether k0smotron installs its own tcp-proxy into the tenant. */
  readonly bringsTcpProxy: boolean;
}

/** Whether k0smotron runs it. */
export function runsK0s({ platform }: IngressExposedControlPlane): boolean {
  return platform!.type.startsWith('k0smotron');
}

export function k0sClaimed({ exposure, kubernetesVersion }: IngressExposedControlPlane): K0sClaims {
  const { endpointsOwnedByTcpProxy } = TenantSide.of(exposure)!;
  const [api, konnectivity] = exposure.routes;
  return {
    externalAddress: exposure.api.toString(),
    port: api.servicePort,
    sans: ownSans(exposure),
    networks: { podCIDR: exposure.podCidrs[0], serviceCIDR: exposure.serviceCidrs[0], clusterDomain: exposure.clusterDomain },
    endpointReconciler: 'none',
    anonymousAuth: endpointsOwnedByTcpProxy && !exposure.kubernetesEndpoint ? 'true' : undefined,
    konnectivityAddress: K0sVersion.parse('kubernetesVersion', kubernetesVersion).bringsAgentsBehindIngress ? exposure.konnectivity!.toString() : exposure.konnectivity!.host,
    konnectivityPort: konnectivity.servicePort,
    bringsTcpProxy: !endpointsOwnedByTcpProxy,
  };
}

export function k0sAnswered({ exposure }: IngressExposedControlPlane, { k0s, configMaps }: OperatorAnswer): K0sClaims {
  const { api, konnectivity, network } = k0s!;
  const { podCIDR, serviceCIDR, clusterDomain } = network;
  return {
    externalAddress: api.externalAddress,
    port: api.port,
    sans: ownSans(exposure).filter(name => api.sans.includes(name)),
    networks: { podCIDR, serviceCIDR, clusterDomain },
    endpointReconciler: api.extraArgs['endpoint-reconciler-type'],
    anonymousAuth: api.extraArgs['anonymous-auth'],
    konnectivityAddress: konnectivity.externalAddress,
    konnectivityPort: konnectivity.agentPort,
    bringsTcpProxy: Object.values(configMaps).some(keys => keys.includes('2_haproxy-ds.yaml')),
  };
}

function ownSans({ certSans, inClusterNames }: Exposure): string[] {
  return certSans.filter(name => !inClusterNames.includes(name));
}
