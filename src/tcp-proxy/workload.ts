import { ApiObject } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { PodOptions, podTemplate } from './pod';

/** Emits the Deployment or DaemonSet, and what keeps evictions from taking all pods of the former. */
export function addWorkload(scope: Construct, options: PodOptions): ApiObject {
  const { workload, placement } = options;
  const template = podTemplate(options);
  // A host port is free only after the old pod is gone, so a surge could never be scheduled.
  const rollingUpdate = { maxSurge: k8s.IntOrString.fromNumber(0), maxUnavailable: k8s.IntOrString.fromNumber(1) };
  const strategy = { type: 'RollingUpdate', rollingUpdate };
  if (placement._kind === 'every-node') {
    return new ApiObject(scope, 'workload', k8s.KubeDaemonSet.manifest({
      metadata: workload.workloadMetadata,
      spec: { selector: { matchLabels: workload.selectorLabels }, template, updateStrategy: strategy },
    }));
  }
  const deployment = workload.addDeployment(scope, { replicas: placement._replicas!, strategy }, template);
  workload.addDisruptionBudget(scope);
  return deployment;
}
