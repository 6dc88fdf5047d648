import { AgentWorkloadProps } from './agent-workload-props';
import { LogLevel } from './contract/log-level';
import { ImagePullPolicy } from './image-pull-policy';
import type { Monitoring } from '../monitoring/monitoring';
import { validateAnnotations } from '../validation/annotations';
import { validateImageReference } from '../validation/image-reference';
import { validateLabels } from '../validation/labels';
import { validateObjectName } from '../validation/object-name';
import { Checks, instance, listOf, oneOf, optional } from '../validation/props';
import { validateResources } from '../validation/quantity';
import { validateAffinity, validateToleration } from '../validation/scheduling';

/** What the API server would refuse, or what would fail only when the pods start. */
export const AGENT_WORKLOAD_CHECKS: Checks<AgentWorkloadProps> = {
  image: optional(validateImageReference),
  imagePullPolicy: optional(oneOf(ImagePullPolicy)),
  imagePullSecrets: optional(listOf(validateObjectName)),
  logLevel: optional(oneOf(LogLevel)),
  monitoring: optional(instance<Monitoring>('Give one, e.g. Monitoring.prometheusOperator()', '_operator')),
  resources: optional(validateResources),
  tolerations: optional(listOf(validateToleration)),
  nodeSelector: optional(validateLabels),
  affinity: optional(validateAffinity),
  priorityClassName: optional(validateObjectName),
  podAnnotations: optional(validateAnnotations),
  podLabels: optional(validateLabels),
  labels: optional(validateLabels),
  annotations: optional(validateAnnotations),
};
