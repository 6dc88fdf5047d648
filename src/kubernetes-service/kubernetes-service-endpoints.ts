import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { kubernetesEndpoints } from '../agent/contract/kubernetes-endpoints';
import { A_CONTROL_PLANE } from '../control-plane/control-plane-checks';
import type { IHostedControlPlane } from '../control-plane/hosted-control-plane';
import { tenantClusterOf } from '../control-plane/tenant-cluster';
import { TenantSide } from '../control-plane/tenant-side';
import { DeliveredTenant } from '../delivery/delivered-tenant';
import { claimObjects } from '../synthesis/object-claims';
import { Warnings } from '../synthesis/warnings';
import { invalidInput, placed } from '../validation/invalid-input';
import { ipFamily } from '../validation/ip-network';
import { Checks, checkProps } from '../validation/props';
import { required } from '../validation/required';

/** The endpoints of the Service `kubernetes` of one tenant. */
export interface KubernetesServiceEndpointsProps {
  /** The control plane of the tenant, with `kubernetesService: KubernetesServicePath.port()` or `ipv6Address()`. */
  readonly controlPlane: IHostedControlPlane;
}

const CHECKS: Checks<KubernetesServiceEndpointsProps> = { controlPlane: A_CONTROL_PLANE };

/**
 * Leads pods to the API server at a port, or an address, of the shared edge that is the tenant's alone: Endpoints and an EndpointSlice for each
 * address family, and no pod. The API server gets `--endpoint-reconciler-type=none`. Belongs into a chart for the tenant cluster.
 *
 * Where sync delivers them, it follows them and repairs them at once.
 */
export class KubernetesServiceEndpoints extends Construct {
  /** The Endpoints `default/kubernetes`. */
  public readonly endpointsObject: ApiObject;
  /** The EndpointSlices, that of the first Service network's family first. */
  public readonly sliceObjects: ApiObject[];

  public constructor(scope: Construct, id: string, props: KubernetesServiceEndpointsProps) {
    super(scope, id);
    try {
      const { controlPlane: { exposure } } = checkProps('', required('props', props, 'Give controlPlane'), CHECKS);
      const { kubernetesEndpoint, kubernetesService } = exposure;
      if (!kubernetesEndpoint) {
        throw invalidInput('controlPlane', `${exposure.namespace}/${exposure.name}`, 'has neither a port nor an address of its own at the shared edge',
          'Set kubernetesService of the control plane, e.g. KubernetesServicePath.port({ addresses: ["203.0.113.10"], port: 20001 })');
      }
      if (kubernetesService._port?.writtenByApiServer) {
        throw invalidInput('controlPlane', `${exposure.namespace}/${exposure.name}`, 'has its endpoints written by its API server (writtenByApiServer)',
          'Leave one of the two out');
      }
      TenantSide.of(exposure)?.attach(this, { endpointsOwnedByTcpProxy: true });
      const { endpoints, slices } = kubernetesEndpoints(kubernetesEndpoint.addresses, kubernetesEndpoint.port,
        ipFamily(exposure.kubernetesServiceIps[0]) === 'ipv6' ? 'IPv6' : 'IPv4');
      this.endpointsObject = new ApiObject(this, 'endpoints', endpoints);
      this.sliceObjects = slices.map(slice => new ApiObject(this, slice.metadata.name, slice));
      const tenant = DeliveredTenant.of(this);
      tenant?.keepKubernetesEndpoints();
      if (tenant?.endpointsCaveat !== undefined) {
        Warnings._add(this, tenant.endpointsCaveat);
      }
      claimObjects(this, tenantClusterOf(exposure));
    } catch (error) {
      throw placed(this, error);
    }
  }
}
