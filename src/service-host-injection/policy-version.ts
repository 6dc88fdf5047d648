import { invalidInput } from '../validation/invalid-input';
import { FIRST_MINOR_WITH_POLICY } from '../versions/mutating-admission-policy';

/** Version of the API in which a MutatingAdmissionPolicy is written. */
export enum MutatingAdmissionPolicyVersion {
  /** Kubernetes 1.32 and later, with `apiServerArgs` only. */
  V1ALPHA1 = 'v1alpha1',
  /** Kubernetes 1.34 and later, with `apiServerArgs` only. */
  V1BETA1 = 'v1beta1',
  /** Kubernetes 1.36 and later. */
  V1 = 'v1',
}

const NEWEST_FIRST = [MutatingAdmissionPolicyVersion.V1, MutatingAdmissionPolicyVersion.V1BETA1, MutatingAdmissionPolicyVersion.V1ALPHA1];

/**
 * The version of the API to use with a version of Kubernetes.
 *
 * @param kubernetesVersion of the tenant cluster, e.g. `1.32.0`
 * @param wanted            what the user asks for; else the newest that there is
 */
export function policyVersion(kubernetesVersion: string, wanted?: MutatingAdmissionPolicyVersion): MutatingAdmissionPolicyVersion {
  const minor = minorOf(kubernetesVersion);
  const available = NEWEST_FIRST.filter(version => minor >= FIRST_MINOR_WITH_POLICY[version]);
  if (available.length === 0) {
    throw invalidInput('kubernetesVersion', kubernetesVersion, 'is older than 1.32, the first with MutatingAdmissionPolicy',
      'Upgrade the control plane, or leave the injection out: pods then reach the API server through the tcp-proxy');
  }
  if (wanted !== undefined && !available.includes(wanted)) {
    throw invalidInput('apiVersion', wanted, `of MutatingAdmissionPolicy is not in Kubernetes ${kubernetesVersion}`,
      `Use ${available.map(version => `"${version}"`).join(' or ')}, or leave it out for the newest`);
  }
  return wanted ?? available[0];
}

/**
 * Arguments without which an API server does not know the policy: alpha and beta versions are off by default. Empty for
 * a version that is on.
 */
export function policyApiServerArgs(version: MutatingAdmissionPolicyVersion): string[] {
  return version === MutatingAdmissionPolicyVersion.V1 ? [] : [
    '--feature-gates=MutatingAdmissionPolicy=true',
    `--runtime-config=admissionregistration.k8s.io/${version}=true`,
  ];
}

function minorOf(kubernetesVersion: string): number {
  const match = /^v?1\.(\d+)\.\d+/.exec(kubernetesVersion);
  if (!match) {
    throw invalidInput('kubernetesVersion', kubernetesVersion, 'is not a version of Kubernetes 1', 'Give major, minor and patch, e.g. "1.32.0"');
  }
  return Number(match[1]);
}
