import { App, Chart, Testing } from 'cdk8s';
import { ControlPlaneNetworkPolicy, ControlPlanePlatform, IngressController, IngressExposedControlPlane } from '../../src';
import { PlainPlatform } from '../support/plain';
import { expectValid } from '../support/schemas';

function policyOf(platform: ControlPlanePlatform, networkPolicy?: ControlPlaneNetworkPolicy): any {
  const chart = new Chart(new App(), 'management');
  new IngressExposedControlPlane(chart, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.31.0',
    domain: 'example.com',
    konnectivity: {},
    tlsServices: [{ name: 'oauth', serviceName: 'oauth', servicePort: 6443 }],
    platform,
    controller: IngressController.traefik(),
    networkPolicy,
  });
  return Testing.synth(chart).find((manifest: any) => manifest.kind === 'NetworkPolicy');
}

describe('the NetworkPolicy of a control plane', () => {
  test('is not emitted unless asked for', () => {
    expect(policyOf(ControlPlanePlatform.kamaji())).toBeUndefined();
  });

  test.each([
    ['kamaji.clastix.io/name', ControlPlanePlatform.kamaji()],
    ['kamaji.clastix.io/name', ControlPlanePlatform.kamajiControlPlane()],
    ['steward.butlerlabs.dev/name', ControlPlanePlatform.steward()],
  ])('opens API and konnectivity ports of the pods labelled %s to the namespaces alone', (label, platform) => {
    const policy = policyOf(platform, { namespaces: ['traefik', 'kamaji-system'] });
    expectValid(policy);
    expect(policy.spec).toEqual({
      podSelector: { matchLabels: { [label]: 'tenant-01' } },
      policyTypes: ['Ingress'],
      ingress: [{
        from: ['traefik', 'kamaji-system'].map(name => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } })),
        ports: [{ port: 6443, protocol: 'TCP' }, { port: 8132, protocol: 'TCP' }],
      }],
    });
  });

  test('is refused for a platform that does not say how its pods are labelled', () => {
    expect(() => policyOf(new PlainPlatform(), { namespaces: ['traefik'] })).toThrow(
      'networkPolicy: {"namespaces":["traefik"]} cannot select the pods of this platform, which does not say how they are labelled. ' +
      'Leave it out and write the NetworkPolicy yourself, or return podLabels from the defaults() of the platform.');
  });

  test('is refused when it would let nobody in', () => {
    expect(() => policyOf(ControlPlanePlatform.kamaji(), { namespaces: [] })).toThrow(
      'networkPolicy.namespaces: [] is empty, which would let nobody in. ' +
      'Name the namespace of the ingress controller and that of the operator.');
  });

  test('is refused for a namespace that cannot be one', () => {
    expect(() => policyOf(ControlPlanePlatform.kamaji(), { namespaces: ['Traefik'] })).toThrow(
      'networkPolicy.namespaces[0]: "Traefik" is not a valid name. Use lower-case letters, digits and "-", starting and ending with a letter or digit.');
  });
});
