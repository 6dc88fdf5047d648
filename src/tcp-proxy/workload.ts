import { ApiObject } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { podAnnotations, PodOptions, podSpec } from './pod';
import { deepCopy } from '../synthesis/deep-copy';

/** Name, namespace and labels of an object. */
export interface Target {
  readonly name: string;
  readonly namespace: string;
  readonly labels: { [name: string]: string };
}

/** Emits the Deployment or DaemonSet. */
export function addWorkload(scope: Construct, options: PodOptions, metadata: Target, annotations?: { [name: string]: string }): ApiObject {
  const template: k8s.PodTemplateSpec = {
    metadata: { labels: options.podLabels, annotations: podAnnotations(options) },
    spec: podSpec(options),
  };
  const selector = { matchLabels: options.selectorLabels };
  // A host port is free only after the old pod is gone, so a surge could never be scheduled.
  const rollingUpdate = { maxSurge: k8s.IntOrString.fromNumber(0), maxUnavailable: k8s.IntOrString.fromNumber(1) };

  if (options.placement._kind === 'every-node') {
    return new ApiObject(scope, 'workload', k8s.KubeDaemonSet.manifest({
      metadata: { ...metadata, annotations },
      spec: { selector, template, updateStrategy: { type: 'RollingUpdate', rollingUpdate } },
    }));
  }
  // With many tenants it is most of what is kept until synthesis; the generated code leaves every object a shape of its own.
  return new ApiObject(scope, 'workload', deepCopy(k8s.KubeDeployment.manifest({
    metadata: { ...metadata, annotations },
    spec: { replicas: options.placement._replicas, selector, template, strategy: { type: 'RollingUpdate', rollingUpdate } },
  })));
}

/** Emits the PodDisruptionBudget. Only evictions ask it; the pods of a DaemonSet are not evicted. */
export function addDisruptionBudget(scope: Construct, options: PodOptions, metadata: Target): void {
  if (options.placement._kind !== 'replicas') {
    return;
  }
  new ApiObject(scope, 'disruption-budget', k8s.KubePodDisruptionBudget.manifest({
    metadata,
    spec: { maxUnavailable: k8s.IntOrString.fromNumber(1), selector: { matchLabels: options.selectorLabels } },
  }));
}
