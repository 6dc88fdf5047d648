import { invalidInput } from '../validation/invalid-input';

/** A version with major, minor and patch, and maybe a suffix such as k0s' revision; without a leading `v`. */
export function parseVersion(version: string): string {
  const match = /^v?(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?)$/.exec(version);
  if (!match) {
    // Most often the patch is what is missing.
    const minor = /^v?(\d+\.\d{1,2})(?!\d)/.exec(version)?.[1] ?? '1.34';
    throw invalidInput('kubernetesVersion', version, 'is not a version', `Give major, minor and patch, e.g. "${minor}.0"`);
  }
  return match[1];
}
