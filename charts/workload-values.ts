import { k8s } from 'cdk8s-plus-30';
import { Choice, yesOrNo } from './engine/choice';
import type { Mark, Scope } from './engine/marks';
import { propDescription } from './engine/prop-description';
import type { ValueDefinitions } from './engine/values';
import { A_LOG_LEVEL, AN_IMAGE, SECRET_NAME } from './patterns';
import type { AgentWorkloadProps } from '../src/agent/agent-workload-props';
import { DEFAULT_LOG_LEVEL, LogLevel } from '../src/agent/contract/log-level';
import { DEFAULT_TCP_PROXY_IMAGE } from '../src/agent/image';

/** Values that every chart has: what is said of the pods. */
export interface WorkloadValues {
  readonly image: string;
  readonly imagePullSecrets: readonly string[];
  readonly logLevel: string;
}

const PROPS = 'src/agent/agent-workload-props.ts';

export const WORKLOAD_VALUES: ValueDefinitions = {
  image: {
    description: `${propDescription(PROPS, 'AgentWorkloadProps', 'image')} With a digest, e.g. \`…/tcp-proxy:0.1.0@sha256:…\`, it is the one that was verified.`,
    schema: AN_IMAGE,
    default: DEFAULT_TCP_PROXY_IMAGE,
  },
  imagePullSecrets: {
    description: propDescription(PROPS, 'AgentWorkloadProps', 'imagePullSecrets'),
    schema: { type: 'array', items: SECRET_NAME, uniqueItems: true, maxItems: 16 },
    default: [],
  },
  logLevel: { description: propDescription(PROPS, 'AgentWorkloadProps', 'logLevel'), schema: A_LOG_LEVEL, default: DEFAULT_LOG_LEVEL },
};

const SECRET_SCOPE: Scope = { open: 'range $secret := $.Values.imagePullSecrets' };
const MARKED: WorkloadValues = { image: 'marked-image:1.2.3', imagePullSecrets: ['marked-pull-secret'], logLevel: LogLevel.TRACE };

export const WORKLOAD_MARKS: readonly Mark[] = [
  { of: MARKED.image, expression: '$.Values.image' },
  { of: MARKED.imagePullSecrets[0], expression: '$secret', scope: SECRET_SCOPE },
  { of: `--log-level=${MARKED.logLevel}`, expression: 'print "--log-level=" $.Values.logLevel' },
];

export const PULL_SECRETS: Choice = yesOrNo('pullSecrets', '$.Values.imagePullSecrets');

/** What the pods are said to be while the constructs are synthesized. */
export function markedWorkload(chosen: { readonly [choice: string]: string }): WorkloadValues {
  return { ...MARKED, imagePullSecrets: chosen[PULL_SECRETS.name] === 'yes' ? MARKED.imagePullSecrets : [] };
}

/** The properties of the constructs. */
export function workloadProps({ image, imagePullSecrets, logLevel }: WorkloadValues): AgentWorkloadProps {
  return { image, logLevel: logLevel as LogLevel, ...imagePullSecrets.length > 0 ? { imagePullSecrets: [...imagePullSecrets] } : {} };
}

/** The default requests of a use of the image, with another limit. */
export function resourcesWith(defaults: { readonly requests?: { readonly [name: string]: unknown } }, memoryLimit: string): k8s.ResourceRequirements {
  const quantity = (amount: unknown) => k8s.Quantity.fromString(String(amount));
  const requests = Object.fromEntries(Object.entries(defaults.requests ?? {}).map(([name, amount]) => [name, quantity(amount)]));
  return { requests, limits: { memory: quantity(memoryLimit) } };
}
