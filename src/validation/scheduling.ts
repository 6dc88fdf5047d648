import type { k8s } from 'cdk8s-plus-30';
import { invalidInput } from './invalid-input';
import { validateLabelKey, validateLabels, validateLabelValue } from './labels';
import { validateDns1123Label } from './name';
import { all, Check, Checks, listOf, oneOf, optional, someOf, struct } from './props';
import { validateText } from './text';
import { wholeNumber } from './whole-number';

/*
 * Where pods may run, as the API server checks it (kubernetes, `pkg/apis/core/validation`).
 */

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
/** An int64 that JSON holds exactly. */
const seconds = wholeNumber('seconds', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const weight = wholeNumber('weight', 1, 100);

const TOLERATION: Checks<k8s.Toleration> = {
  key: optional(validateText),
  operator: optional(oneOf(['Exists', 'Equal'])),
  value: optional(validateLabelValue),
  effect: optional(oneOf(['', ...EFFECTS])),
  tolerationSeconds: optional(seconds),
};

/** Checks a toleration. */
export const validateToleration: Check<k8s.Toleration> = all(struct(TOLERATION), (field, { key = '', operator, value = '', effect, tolerationSeconds }) => {
  if (key !== '') {
    validateLabelKey(`${field}.key`, key);
  } else if (operator !== 'Exists') {
    throw invalidInput(`${field}.operator`, operator, 'does not fit a toleration without a key', 'Give the key of a taint, or the operator "Exists", which tolerates every taint');
  }
  if (operator === 'Exists' && value !== '') {
    throw invalidInput(`${field}.value`, value, 'does not fit the operator "Exists", which takes any value', 'Leave one of them out');
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    throw invalidInput(`${field}.tolerationSeconds`, tolerationSeconds, 'has a meaning with the effect "NoExecute" alone', 'Leave it out');
  }
});

const REQUIREMENT: Checks<k8s.LabelSelectorRequirement> = {
  key: validateLabelKey,
  operator: oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist']),
  values: optional(listOf(validateLabelValue)),
};

const NODE_REQUIREMENT: Checks<k8s.NodeSelectorRequirement> = {
  key: validateLabelKey,
  operator: oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
  values: optional(listOf(validateText)),
};

function validateValues(field: string, { operator, values = [] }: { readonly operator: string; readonly values?: string[] }): void {
  const fits = operator === 'In' || operator === 'NotIn' ? values.length > 0 : operator === 'Gt' || operator === 'Lt' ? values.length === 1 : values.length === 0;
  if (!fits) {
    throw invalidInput(`${field}.values`, values, `does not fit the operator "${operator}"`, 'In and NotIn have values, Gt and Lt one, the others none');
  }
}

const SELECTOR: Check<k8s.LabelSelector> = struct<k8s.LabelSelector>({
  matchLabels: optional(validateLabels),
  matchExpressions: optional(listOf(all(struct(REQUIREMENT), validateValues))),
});

const NODE_REQUIREMENTS = optional(listOf(all(struct(NODE_REQUIREMENT), validateValues)));
const NODE_TERM = struct<k8s.NodeSelectorTerm>({ matchExpressions: NODE_REQUIREMENTS, matchFields: NODE_REQUIREMENTS });

const POD_TERM = struct<k8s.PodAffinityTerm>({
  labelSelector: optional(SELECTOR),
  matchLabelKeys: optional(listOf(validateLabelKey)),
  mismatchLabelKeys: optional(listOf(validateLabelKey)),
  namespaceSelector: optional(SELECTOR),
  namespaces: optional(listOf(validateDns1123Label)),
  topologyKey: validateLabelKey,
});

const POD_AFFINITY = struct<k8s.PodAffinity>({
  preferredDuringSchedulingIgnoredDuringExecution: optional(listOf(struct<k8s.WeightedPodAffinityTerm>({ podAffinityTerm: POD_TERM, weight }))),
  requiredDuringSchedulingIgnoredDuringExecution: optional(listOf(POD_TERM)),
});

/** Checks an affinity. */
export const validateAffinity: Check<k8s.Affinity> = struct<k8s.Affinity>({
  nodeAffinity: optional(struct<k8s.NodeAffinity>({
    preferredDuringSchedulingIgnoredDuringExecution: optional(listOf(struct<k8s.PreferredSchedulingTerm>({ preference: NODE_TERM, weight }))),
    requiredDuringSchedulingIgnoredDuringExecution: optional(struct<k8s.NodeSelector>({ nodeSelectorTerms: someOf(NODE_TERM) })),
  })),
  podAffinity: optional(POD_AFFINITY),
  podAntiAffinity: optional(POD_AFFINITY),
});

/** Checks how pods are spread. */
export const validateTopologySpreadConstraint: Check<k8s.TopologySpreadConstraint> = struct<k8s.TopologySpreadConstraint>({
  labelSelector: optional(SELECTOR),
  matchLabelKeys: optional(listOf(validateLabelKey)),
  maxSkew: wholeNumber('pods', 1),
  minDomains: optional(wholeNumber('domains', 1)),
  nodeAffinityPolicy: optional(oneOf(['Honor', 'Ignore'])),
  nodeTaintsPolicy: optional(oneOf(['Honor', 'Ignore'])),
  topologyKey: validateLabelKey,
  whenUnsatisfiable: oneOf(['DoNotSchedule', 'ScheduleAnyway']),
});
