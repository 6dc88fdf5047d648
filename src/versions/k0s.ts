import type { KnownVersions, VersionFacts } from './version-facts';

/**
 * The first release of each minor version of Kubernetes 1 with which k0s takes `host:port` as external address
 * (k0sproject/k0s#6411 and its backports); ingress mode does not work without. k0smotron's webhook checks 1.34 only.
 */
export const FIRST_K0S_WITH_INGRESS: ReadonlyMap<number, number> = new Map([[31, 13], [32, 10], [33, 6], [34, 1], [35, 1], [36, 1]]);

/** The first release of k0s that reads the port of `spec.konnectivity.externalAddress`, as k0smotron has it. */
export const FIRST_K0S_WITH_AGENTS_BEHIND_INGRESS = '1.35.1';

const OLDEST = Math.min(...FIRST_K0S_WITH_INGRESS.keys());
const REASON = 'cannot be exposed through an ingress: its k0s takes no host:port as external address';

/** Tags of k0sproject/k0s. */
export const KUBERNETES_UNDER_K0SMOTRON: VersionFacts = {
  subject: 'Kubernetes under k0smotron',
  read: 'k0s 1.36, k0smotron 2.1',
  newest: `1.${Math.max(...FIRST_K0S_WITH_INGRESS.keys())}`,
  known: [...FIRST_K0S_WITH_INGRESS].map(([minor, patch]): KnownVersions => ({
    ...minor === OLDEST ? {} : { from: `1.${minor}` },
    before: `1.${minor}.${patch}`,
    breaks: true,
    reason: REASON,
    remedy: `Use v1.${minor}.${patch}+k0s.0 or newer`,
  })),
  override: 'newestKubernetesVersion of the platform',
};
