import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { PodOptions, podTemplate } from './pod';
import { daemonSetManifest } from '../objects/kubernetes';

/** Emits the Deployment or DaemonSet, and what keeps evictions from taking all pods of the former. */
export function addWorkload(scope: Construct, options: PodOptions): ApiObject {
  const { workload, placement } = options;
  const template = podTemplate(options);
  // A host port is free only after the old pod is gone, so a surge could never be scheduled.
  const rollingUpdate = { maxSurge: 0, maxUnavailable: 1 };
  const strategy = { type: 'RollingUpdate', rollingUpdate };
  if (placement._kind === 'every-node') {
    return new ApiObject(scope, 'workload', daemonSetManifest({
      metadata: workload.workloadMetadata,
      spec: { selector: { matchLabels: workload.selectorLabels }, template, updateStrategy: strategy },
    }));
  }
  const deployment = workload.addDeployment(scope, { replicas: placement._replicas!, strategy }, template);
  workload.addDisruptionBudget(scope);
  return deployment;
}
