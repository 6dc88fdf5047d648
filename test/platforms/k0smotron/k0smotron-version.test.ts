import { K0sVersion } from '../../../src/platforms/k0smotron/k0s-version';

describe('the version of k0s', () => {
  test.each([
    ['1.34.3', 'v1.34.3+k0s.0'],
    ['v1.34.3', 'v1.34.3+k0s.0'],
    ['1.34.3+k0s.2', 'v1.34.3+k0s.2'],
    ['v1.34.3-k0s.1', 'v1.34.3+k0s.1'],
  ])('%s is %s, the form that workers need', (given, written) => {
    const version = K0sVersion.parse('kubernetesVersion', given);
    expect(version.toString()).toBe(written);
    expect(version.kubernetes).toBe('v1.34.3');
  });

  test.each(['', '1.34', 'latest', '1.34.3+rke2r1', 'v1.34.3+k0s', '1.34.3.1'])('"%s" is refused', given => {
    expect(() => K0sVersion.parse('kubernetesVersion', given)).toThrow(`kubernetesVersion: "${given}" is not a version of k0s. Give major`);
  });

  test.each([
    ['1.31.13'], ['1.31.99'], ['1.32.10'], ['1.33.6'], ['1.34.1'], ['1.34.3+k0s.1'], ['1.35.1'], ['1.36.1'], ['1.37.0'], ['1.40.2'],
  ])('%s can be exposed through an ingress', given => {
    expect(() => K0sVersion.parse('v', given).requireIngress('v')).not.toThrow();
  });

  // k0smotron's documentation names 1.33.5, 1.32.9 and 1.34.0; there are no such releases of k0s.
  test.each([
    ['1.31.12', '1.31.13'], ['1.32.9', '1.32.10'], ['1.33.5', '1.33.6'], ['1.34.0', '1.34.1'], ['1.35.0', '1.35.1'], ['1.36.0', '1.36.1'],
  ])('%s cannot; %s can', (given, first) => {
    expect(() => K0sVersion.parse('kubernetesVersion', given).requireIngress('kubernetesVersion')).toThrow(new Error(
      `kubernetesVersion: "v${given}+k0s.0" is older than ${first}, the first ${first.split('.').slice(0, 2).join('.')} that can be exposed ` +
      `through an ingress. Use v${first}+k0s.0 or newer.`));
  });

  test.each(['1.30.14', '1.27.9', '0.13.1'])('%s cannot, as no release of its minor version can', given => {
    expect(() => K0sVersion.parse('v', given).requireIngress('v')).toThrow('cannot be exposed through an ingress');
  });

  test.each([
    ['1.35.1', '1.34.9', true], ['1.34.3', '1.34.3', false], ['1.34.3+k0s.1', '1.34.3', true], ['1.9.9', '1.34.3', false], ['1.34.10', '1.34.9', true],
  ])('%s is newer than %s: %s', (a, b, newer) => {
    expect(K0sVersion.parse('a', a).isNewerThan(K0sVersion.parse('b', b))).toBe(newer);
  });
});
