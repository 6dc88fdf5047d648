import { Chart } from 'cdk8s';
import { Base, Bases, controlPlane, plain, tenantChart } from './base';
import { IngressExposedControlPlane, KubernetesServiceEndpoints, KubernetesServicePath, SharedIngressGateway } from '../../../src';

/** A path of a control plane behind a gateway that serves ports. */
function pathOf(...args: any[]): Base {
  return {
    args: () => args,
    use: (kubernetesService: KubernetesServicePath, management) => {
      const made = withPath(management, kubernetesService);
      if (made.exposure.kubernetesEndpoint === undefined) {
        return [];
      }
      const chart = tenantChart(management);
      new KubernetesServiceEndpoints(chart, 'kubernetes', { controlPlane: made });
      return [chart];
    },
  };
}

function withPath(management: Chart, kubernetesService: KubernetesServicePath): IngressExposedControlPlane {
  const gateway = new SharedIngressGateway(management, 'edge', { namespace: 'edge', portRange: { first: 20000, last: 20999 } });
  return controlPlane(management, { controller: gateway.asController(), kubernetesService });
}

export const PATH_BASES: Bases = {
  'KubernetesServicePath.port': [
    pathOf({ addresses: ['203.0.113.10'], port: 20001, writtenByApiServer: false }),
    pathOf({ addresses: ['203.0.113.10'], portRange: { first: 20000, last: 20099 } }),
  ],
  'new KubernetesServiceEndpoints': [{
    scope: tenantChart,
    args: management => [{ controlPlane: withPath(management, KubernetesServicePath.port({ addresses: ['203.0.113.10'], port: 20001 })) }],
  }],
  'KubernetesServicePath.ipv6Address': [plain({ address: '2001:db8::10', port: 7443 }), plain({ prefix: '2001:db8::/64' })],
  'KubernetesServicePath.none': [pathOf({ reason: 'no pod of this tenant uses the API' })],
};
