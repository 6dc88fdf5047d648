import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { EXAMPLE_VERSION, filesToCopyFrom, SUPPORTED_MINORS, unsupportedVersions, withSupportedVersions } from '../../scripts/example-versions';
import { examplesIn } from '../../scripts/website/code-blocks';
import { KUBERNETES_UNDER_K0SMOTRON } from '../../src/versions/k0s';
import { KUBERNETES_UNDER_KAMAJI, KUBERNETES_UNDER_STEWARD } from '../../src/versions/kubernetes';
import { compareVersions } from '../../src/versions/version-facts';

const ROOT = join(__dirname, '..', '..');

test.each(filesToCopyFrom())('%s has versions of Kubernetes that are supported (else run "npx tsx scripts/example-versions.ts")', file => {
  expect(unsupportedVersions(readFileSync(join(ROOT, file), 'utf8'))).toEqual([]);
});

test('every @example has versions of Kubernetes that are supported', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts') && !name.startsWith('imports'));
  const unsupported = sources.flatMap(file => examplesIn(file, readFileSync(join(ROOT, 'src', file), 'utf8')).flatMap(({ text }) => unsupportedVersions(text).map(found => ({ file, ...found }))));
  expect(unsupported).toEqual([]);
});

test('the version of the examples is supported, and every platform is known to take it', () => {
  expect(SUPPORTED_MINORS).toContain(EXAMPLE_VERSION.replace(/\.\d+$/, ''));
  for (const { newest } of [KUBERNETES_UNDER_STEWARD, KUBERNETES_UNDER_KAMAJI, KUBERNETES_UNDER_K0SMOTRON]) {
    expect(compareVersions(EXAMPLE_VERSION, newest)).toBeLessThanOrEqual(0);
  }
});

test.each([
  ["kubernetesVersion: '1.31.0',", `kubernetesVersion: '${EXAMPLE_VERSION}',`],
  ['kubernetes_version="1.34.3",', `kubernetes_version="${EXAMPLE_VERSION}",`],
  ['KubernetesVersion: jsii.String("1.30.1"),', `KubernetesVersion: jsii.String("${EXAMPLE_VERSION}"),`],
  ["k0sVersion: 'v1.34.3+k0s.0',  // k0s v1.34.3+k0s.0, or '1.34.3+k0s.1'", `k0sVersion: 'v${EXAMPLE_VERSION}+k0s.0',  // k0s v${EXAMPLE_VERSION}+k0s.0, or '${EXAMPLE_VERSION}+k0s.1'`],
])('what an unsupported version is written in is found: %s', (text, renewed) => {
  expect(unsupportedVersions(`first\n${text}`)[0].line).toBe(2);
  expect(withSupportedVersions(text)).toBe(renewed);
  expect(unsupportedVersions(renewed)).toEqual([]);
});

test.each([
  "kubernetesVersion: '1.36.2',", '| 1.34 | 1.34.1 |', 'Traefik 1.7.34',
  "kubernetesVersion: '1.33.0', platform: ControlPlanePlatform.hypershift({ releaseImage",
])('what is supported, or is no version of a control plane, stays: %s', text => {
  expect(unsupportedVersions(text)).toEqual([]);
  expect(withSupportedVersions(text)).toBe(text);
});
