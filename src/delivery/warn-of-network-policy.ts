import { DeliveredTenant } from './delivered-tenant';
import { IHostedControlPlane } from '../control-plane/hosted-control-plane';
import { Warnings } from '../synthesis/warnings';

/**
 * Kubeconfigs that lead to the control plane's Service are of no use where a policy keeps who uses them away from its pods.
 *
 * @param namespace of the pods that use the kubeconfig
 * @param who       what these pods are
 */
export function warnOfNetworkPolicy(controlPlane: IHostedControlPlane, tenant: DeliveredTenant, namespace: string, who: string): void {
  const { adminKubeconfig: { keys } } = tenant;
  const from: any[] = controlPlane.networkPolicyObject?.toJson().spec.ingress[0].from ?? [];
  const admitted = from.some(({ namespaceSelector }) => namespaceSelector?.matchLabels['kubernetes.io/metadata.name'] === namespace);
  if (from.length > 0 && !admitted && keys[0].endsWith('.svc')) {
    Warnings._add(controlPlane, `networkPolicy.namespaces: does not name "${namespace}", so that ${who} cannot reach control planes at their ` +
      'Services. Add it.');
  }
}
