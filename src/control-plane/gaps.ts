import { ApiObject, Lazy } from 'cdk8s';
import { IConstruct } from 'constructs';
import { Gap, GAPS_ANNOTATION, gapsValue } from '../manifests/gaps';
import { Exposure } from '../model/exposure';
import { kubernetesServiceWay, nodeWay, recordSurroundings } from '../model/tenant-paths';
import { ControlPlanePlatform } from '../platforms/control-plane-platform';
import { Warnings } from '../synthesis/warnings';
import { invalidInput } from '../validation/invalid-input';

const TEXTS: { readonly [gap in Gap]?: string } = {
  'kubernetes-service': 'kubernetesService: no pod of the tenant reaches the Service kubernetes, whose address no route by host leads to: there is no TcpProxyAddon for this ' +
    'control plane. Add one to the chart of the tenant, choose another way of KubernetesServicePath, or say that it is meant so with ' +
    'KubernetesServicePath.none({ reason: "..." }).',
  'konnectivity': 'konnectivity: is left out, so "kubectl exec", "kubectl logs", webhooks and aggregated APIs fail unless the API server reaches the nodes and pods of the tenant. ' +
    'Give konnectivity: {}, or say nodesReachable: true.',
};

/** What a control plane is given that decides about its gaps. */
export interface GapOptions {
  readonly exposure: Exposure;
  readonly platform?: ControlPlanePlatform;
  readonly nodesReachable?: boolean;
  /** The custom resource, which tells them to readers of manifests. */
  readonly resource?: ApiObject;
}

/**
 * Has a control plane tell what its tenant lacks: at synthesis, as a tcp-proxy is made after it.
 *
 * @throws when the two ways to the nodes contradict each other
 */
export function tellGaps(controlPlane: IConstruct, { exposure, nodesReachable = false, platform, resource }: GapOptions): void {
  if (nodesReachable && exposure.konnectivity) {
    throw invalidInput('nodesReachable', true, 'is given beside konnectivity, which has the API server reach nodes through their agents', 'Give one of the two');
  }
  recordSurroundings(exposure, { operatorTcpProxy: platform?.bringsTcpProxy === true || platform?._hasTcpProxy === true, nodesReachable });
  const gaps = (): Gap[] => [
    ...kubernetesServiceWay(exposure) === undefined ? ['kubernetes-service' as const] : [],
    ...nodeWay(exposure) === undefined ? ['konnectivity' as const] : [],
  ];
  Warnings._addConditional(controlPlane, () => gaps().map(gap => TEXTS[gap]!));
  resource?.metadata.addAnnotation(GAPS_ANNOTATION, Lazy.any({ produce: () => gapsValue(gaps()) }));
}
