import type { ApiObject } from 'cdk8s';
import type { Exposure } from '../model/exposure';

/** What is known of a control plane beside its exposure. */
export interface ReportedFacts {
  /** What runs it, as its platform calls itself. */
  readonly platform?: string;
  readonly kubernetesVersion?: string;
  /** The custom resource, where this app makes it. */
  readonly resource?: ApiObject;
}

const recorded = new WeakMap<Exposure, ReportedFacts>();

/** What is known of the control plane of an exposure. */
export function reportedFactsOf(exposure: Exposure): ReportedFacts {
  return recorded.get(exposure) ?? {};
}

/** Called by every control plane. */
export function recordReportedFacts(exposure: Exposure, facts: ReportedFacts): void {
  recorded.set(exposure, facts);
}
