import { AgentWorkloadProps } from './agent-workload-props';
import { LogLevel } from './contract/log-level';
import { ImagePullPolicy } from './image-pull-policy';
import { validateAnnotations } from '../validation/annotations';
import { validateImageReference } from '../validation/image-reference';
import { invalidInput } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateObjectName } from '../validation/object-name';
import { Checks, listOf, oneOf, optional } from '../validation/props';
import { validateResources } from '../validation/quantity';
import { required } from '../validation/required';

/** What the API server would refuse, or what would fail only when the pods start. */
export const AGENT_WORKLOAD_CHECKS: Checks<AgentWorkloadProps> = {
  image: optional(validateImageReference),
  imagePullPolicy: optional(oneOf(ImagePullPolicy)),
  imagePullSecrets: optional(listOf(validateObjectName)),
  logLevel: optional(oneOf(LogLevel)),
  resources: optional((field, resources) => validateResources(field, required(field, resources, 'Give requests and limits'))),
  tolerations: optional(listOf(validateToleration)),
  nodeSelector: optional(validateLabels),
  affinity: optional((field, affinity) => required(field, affinity, 'Give nodeAffinity, podAffinity or podAntiAffinity')),
  priorityClassName: optional(validateObjectName),
  podAnnotations: optional(validateAnnotations),
  podLabels: optional(validateLabels),
  labels: optional(validateLabels),
  annotations: optional(validateAnnotations),
};

const OPERATORS = ['Exists', 'Equal'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** As the API server checks it (kubernetes, `ValidateTolerations`). */
function validateToleration(field: string, toleration: NonNullable<AgentWorkloadProps['tolerations']>[number]): void {
  const { key, operator, effect, value } = required(field, toleration, 'Give e.g. { operator: "Exists" }');
  optional(oneOf(OPERATORS))(`${field}.operator`, operator);
  optional(oneOf(EFFECTS))(`${field}.effect`, effect);
  if (!key && operator !== 'Exists') {
    throw invalidInput(`${field}.key`, key, 'is not given, which takes the operator Exists', 'Give a key, or operator: "Exists" for every taint');
  }
  if (operator === 'Exists' && value) {
    throw invalidInput(`${field}.value`, value, 'has no meaning for the operator Exists', 'Leave it out, or give operator: "Equal"');
  }
}
