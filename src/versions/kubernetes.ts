import { VersionFacts } from './version-facts';

const OVERRIDE = 'newestKubernetesVersion of the platform';

/** `internal/upgrade/kubeadm_version.go` and `internal/webhook/handlers/tcp_version.go` of butlerdotdev/steward. */
export const KUBERNETES_UNDER_STEWARD: VersionFacts = {
  subject: 'Kubernetes under Steward',
  read: 'Steward 0.4.0',
  newest: '1.35',
  known: [{
    from: '1.36',
    breaks: true,
    reason: 'is refused by the webhook of Steward',
    remedy: `Use 1.35, or, where your release of Steward admits it, say so with ${OVERRIDE}`,
  }],
  override: OVERRIDE,
};

/** The same files of clastix/kamaji; clastix/kamaji#1297 brought 1.37. */
export const KUBERNETES_UNDER_KAMAJI: VersionFacts = {
  subject: 'Kubernetes under Kamaji',
  read: 'Kamaji 26.8.2-edge',
  newest: '1.36',
  known: [{
    from: '1.37',
    before: '1.38',
    breaks: false,
    reason: 'is refused by the webhook of Kamaji up to 26.8.2-edge, and admitted since clastix/kamaji#1297',
    remedy: `Run a release of Kamaji with it, and say so with ${OVERRIDE}`,
  }, {
    from: '1.38',
    breaks: true,
    reason: 'is refused by the webhook of Kamaji, which admits up to 1.37 since clastix/kamaji#1297',
    remedy: `Use 1.37 or older, or, where your release of Kamaji admits it, say so with ${OVERRIDE}`,
  }],
  override: OVERRIDE,
};
