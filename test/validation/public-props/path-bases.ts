import { Base, Bases, controlPlane, plain } from './base';
import { KubernetesServicePath, SharedIngressGateway } from '../../../src';

/** A path of a control plane behind a gateway that serves ports. */
function pathOf(...args: any[]): Base {
  return {
    args: () => args,
    use: (kubernetesService: KubernetesServicePath, management) => {
      const gateway = new SharedIngressGateway(management, 'edge', { namespace: 'edge', portRange: { first: 20000, last: 20999 } });
      controlPlane(management, { controller: gateway.asController(), kubernetesService });
    },
  };
}

export const PATH_BASES: Bases = {
  'KubernetesServicePath.port': [
    pathOf({ addresses: ['203.0.113.10'], port: 20001, writtenByApiServer: false }),
    pathOf({ addresses: ['203.0.113.10'], portRange: { first: 20000, last: 20099 } }),
  ],
  'KubernetesServicePath.ipv6Address': [plain({ address: '2001:db8::10', port: 7443 }), plain({ prefix: '2001:db8::/64' })],
  'KubernetesServicePath.none': [pathOf({ reason: 'no pod of this tenant uses the API' })],
};
