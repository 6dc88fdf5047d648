import { ControlPlane } from './control-plane';
import { flagValues } from './flags';

/** The flag of kube-apiserver that says who writes the endpoints of `default/kubernetes`. */
export const RECONCILER_FLAG = '--endpoint-reconciler-type';

/** Whether the API server publishes nothing and the operator brings nothing that does, so that a tcp-proxy is needed. */
export function needsProxy({ apiServerArgs, operatorOwnsEndpoints, operatorProxy, system }: ControlPlane): boolean {
  const silent = operatorOwnsEndpoints || flagValues(apiServerArgs?.value ?? [], RECONCILER_FLAG).includes('none');
  return silent && operatorProxy === undefined && system !== 'HyperShift';
}
