import { App, Chart, Testing } from 'cdk8s';
import { ControlPlaneNetworkPolicy, ControlPlanePlatform, IngressController, IngressExposedControlPlane, K0smotronStorage, TlsService } from '../../src';
import { PlainPlatform } from '../support/plain';
import { expectValid } from '../support/schemas';

function policyOf(platform: ControlPlanePlatform, networkPolicy?: ControlPlaneNetworkPolicy, tlsService?: TlsService): any {
  const chart = new Chart(new App(), 'management');
  new IngressExposedControlPlane(chart, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    konnectivity: {},
    tlsServices: [tlsService ?? { name: 'oauth', serviceName: 'oauth', servicePort: 6443 }],
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

  test.each([
    ['a Cluster', ControlPlanePlatform.k0smotron()],
    ['a K0smotronControlPlane', ControlPlanePlatform.k0smotronControlPlane()],
  ])('opens the ports of the pods that k0smotron makes for %s, and not those of their etcd', (_, platform) => {
    const policy = policyOf(platform, { namespaces: ['traefik'] });
    expectValid(policy);
    expect(policy.spec).toEqual({
      podSelector: { matchLabels: { app: 'k0smotron', cluster: 'tenant-01', component: 'cluster' } },
      policyTypes: ['Ingress'],
      ingress: [{
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'traefik' } } }],
        ports: [{ port: 30443, protocol: 'TCP' }, { port: 30132, protocol: 'TCP' }],
      }],
    });
  });

  test('leaves open what replicas of an embedded NATS need of each other', () => {
    const policy = policyOf(ControlPlanePlatform.k0smotron({ storage: K0smotronStorage.nats() }), { namespaces: ['traefik'] });
    expectValid(policy);
    expect(policy.spec.ingress.slice(1)).toEqual([{ from: [{ podSelector: policy.spec.podSelector }], ports: [{ port: 6222, protocol: 'TCP' }] }]);
  });

  test('is refused for a platform that does not say how its pods are labelled', () => {
    expect(() => policyOf(new PlainPlatform(), { namespaces: ['traefik'] })).toThrow(
      'networkPolicy: {"namespaces":["traefik"]} cannot select the pods of this platform, which does not say how they are labelled. ' +
      'Leave it out and write a NetworkPolicy beside the control plane; a platform of your own can return podLabels from its defaults().');
  });

  test('opens the port of the pods where a TLS service has another one in front', () => {
    const portsWith = (tlsService: TlsService) => policyOf(ControlPlanePlatform.kamaji(), { namespaces: ['traefik'] }, tlsService)
      .spec.ingress[0].ports.map(({ port }: { port: number }) => port);
    expect(portsWith({ name: 'trustd', servicePort: 443, podPort: 50001 })).toEqual([6443, 8132, 50001]);
    expect(portsWith({ name: 'trustd', servicePort: 50001 })).toEqual([6443, 8132, 50001]);
    expect(() => portsWith({ name: 'trustd', servicePort: 443, podPort: 0 })).toThrow('tlsServices[0].podPort: 0 is not a port.');
  });

  test('lets source networks in, for controllers on the network of their nodes, and every peer once', () => {
    const policy = policyOf(ControlPlanePlatform.kamaji(), { namespaces: ['traefik', 'traefik'], cidrs: ['10.40.0.0/16', 'fd00::/64', '10.40.0.0/16'] });
    expectValid(policy);
    expect(policy.spec.ingress[0].from).toEqual([
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'traefik' } } },
      { ipBlock: { cidr: '10.40.0.0/16' } },
      { ipBlock: { cidr: 'fd00::/64' } },
    ]);
    expect(policyOf(ControlPlanePlatform.kamaji(), { namespaces: [], cidrs: ['10.40.0.0/16'] }).spec.ingress[0].from).toEqual([{ ipBlock: { cidr: '10.40.0.0/16' } }]);
    expect(() => policyOf(ControlPlanePlatform.kamaji(), { namespaces: [], cidrs: ['10.40.0.1/16'] }))
      .toThrow('networkPolicy.cidrs[0]: "10.40.0.1/16" has host bits set. Write "10.40.0.0/16".');
  });

  test('is refused where it would be one for every pod of the namespace', () => {
    const platform = new PlainPlatform({ defaults: { podLabels: {} } });
    expect(() => policyOf(platform, { namespaces: ['traefik'] })).toThrow(
      'podLabels: {} is empty, so that the NetworkPolicy would be one for every pod of the namespace. ' +
      'Return the labels of the control plane\'s pods from the defaults() of the platform, or leave podLabels out.');
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
