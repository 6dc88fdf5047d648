import { invalidInput } from '../validation/invalid-input';

/** A version with major, minor and patch, and maybe a suffix such as k0s' revision; without a leading `v`. */
export function parseVersion(version: string): string {
  const match = /^v?(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?)$/.exec(version);
  if (!match) {
    throw invalidInput('kubernetesVersion', version, 'is not a version', 'Give major, minor and patch, e.g. "1.31.0"');
  }
  return match[1];
}
