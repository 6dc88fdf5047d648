import { AGENT_WORKLOAD_CHECKS } from '../../agent/agent-workload-checks';
import type { AgentWorkloadProps } from '../../agent/agent-workload-props';
import { validateDns1035Label, validateDns1123Label } from '../../validation/name';
import { Checks, flag, optional } from '../../validation/props';
import { wholeNumber } from '../../validation/whole-number';

/**
 * `register` of the tcp-proxy image: one Deployment in the management cluster that keeps the Secrets by which a delivery reaches its
 * tenants equal to the kubeconfigs of their operators. It connects to no tenant.
 */
export interface TenantRegistrationProps extends AgentWorkloadProps {
  /**
   * Namespace of the Deployment and its list of tenants. Whoever may write there chooses what Argo CD or Flux take for a tenant.
   * @default tenant-registration
   */
  readonly namespace?: string;
  /**
   * Emit the Namespace.
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * Name of the objects.
   * @default tenant-registration
   */
  readonly name?: string;
  /**
   * Seconds between two looks at the kubeconfigs: a new one is followed within that time. At most an hour.
   * @default 30
   */
  readonly intervalSeconds?: number;
}

/** Timers run out later than an hour, but then nobody would call it rotation. */
const MAX_INTERVAL_SECONDS = 3600;

export const REGISTRATION: Checks<TenantRegistrationProps> = {
  ...AGENT_WORKLOAD_CHECKS,
  namespace: optional(validateDns1123Label),
  createNamespace: optional(flag),
  name: optional(validateDns1035Label),
  intervalSeconds: optional(wholeNumber('seconds', 1, MAX_INTERVAL_SECONDS)),
};
