import { readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';

/*
 * The version of Kubernetes in README.md, docs/ and examples/ is this one, which Kubernetes supports and every platform of this library takes. Change it here,
 * then `npx tsx scripts/example-versions.ts` writes it wherever another one is that is not supported any more, and `npx jest -u test/examples.test.ts` into the snapshots.
 */
export const EXAMPLE_VERSION = '1.35.6';

/** Minor versions that Kubernetes supported when the constant was changed: kubernetes.io/releases. Any of them may be in an example that is about two versions. */
export const SUPPORTED_MINORS: readonly string[] = ['1.35', '1.36', '1.37'];

/** Kubernetes in the release image of HyperShift's examples: OpenShift 4.20 is supported for longer than its Kubernetes by Kubernetes itself. */
const OPENSHIFT_VERSION = '1.33.0';

const ROOT = join(__dirname, '..');
const WRITTEN = /((?:kubernetesVersion|kubernetes_version|KubernetesVersion|k0sVersion|apiServerArgs)\b[^\n'"]*['"]v?|\bk0s v|['"]v?(?=[\d.]+\+k0s))(1\.\d+)\.(\d+)/g;

export interface UnsupportedVersion {
  readonly line: number;
  readonly version: string;
}

/** What a text writes for a control plane that Kubernetes does not support any more. */
export function unsupportedVersions(text: string): UnsupportedVersion[] {
  return [...text.matchAll(WRITTEN)]
    .filter(([, , minor, patch]) => !isSupported(text, minor, patch))
    .map(({ index, 2: minor, 3: patch }) => ({ line: text.slice(0, index).split('\n').length, version: `${minor}.${patch}` }));
}

/** The text with the version of the examples in place of those. */
export function withSupportedVersions(text: string): string {
  return text.replace(WRITTEN, (whole, before: string, minor: string, patch: string) => isSupported(text, minor, patch) ? whole : `${before}${EXAMPLE_VERSION}`);
}

function isSupported(text: string, minor: string, patch: string): boolean {
  return SUPPORTED_MINORS.includes(minor) || (`${minor}.${patch}` === OPENSHIFT_VERSION && /hypershift\(/.test(text));
}

/** Files that users copy from, from the root of the project. */
export function filesToCopyFrom(): string[] {
  const below = (folder: string, endings: RegExp) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => endings.test(name) && !/(^|\/)(dist|node_modules)\//.test(name)).map(name => join(folder, name));
  return ['README.md', ...below('docs', /\.md$/), ...below('examples', /\.(ts|py|go)$/)].sort();
}

if (require.main === module) {
  for (const file of filesToCopyFrom()) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    if (unsupportedVersions(text).length > 0) {
      writeFileSync(join(ROOT, file), withSupportedVersions(text));
      console.log(file);
    }
  }
}
