import { takesHostNames } from '../../../src/manifests/k0s-version';
import { K0sVersion } from '../../../src/platforms/k0smotron/k0s-version';

const VERSIONS = Array.from({ length: 15 }, (_, i) => 26 + i).flatMap(minor => Array.from({ length: 20 }, (_, patch) => `1.${minor}.${patch}`));

function libraryTakes(version: string): boolean {
  try {
    K0sVersion.parse('kubernetesVersion', version).requireIngress('kubernetesVersion');
    return true;
  } catch {
    return false;
  }
}

describe('the versions of k0s that can be exposed by host names', () => {
  test('are the same to the doctor as to the library', () => {
    expect(VERSIONS.filter(version => takesHostNames(`v${version}+k0s.0`) !== libraryTakes(version))).toEqual([]);
    expect(VERSIONS.filter(takesHostNames).length).toBeGreaterThan(0);
    expect(VERSIONS.filter(takesHostNames).length).toBeLessThan(VERSIONS.length);
  });

  test.each(['', 'latest', '$' + '{VERSION}'])('are not told from "%s"', version => {
    expect(takesHostNames(version)).toBe(true);
  });
});
