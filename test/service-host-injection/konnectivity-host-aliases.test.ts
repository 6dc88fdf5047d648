import { App, Chart, Testing } from 'cdk8s';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, KonnectivityHostAliases, KonnectivityHostAliasesProps, Warnings } from '../../src';

function aliases(props: Partial<KonnectivityHostAliasesProps> = {}, of: Partial<IngressExposedControlPlaneProps> = {}): any[] {
  const app = new App();
  const controlPlane = new IngressExposedControlPlane(new Chart(app, 'management'), 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    konnectivity: {},
    platform: ControlPlanePlatform.k0smotron(),
    controller: IngressController.traefik(),
    ...of,
  });
  const chart = new Chart(app, 'tenant');
  new KonnectivityHostAliases(chart, 'aliases', { controlPlane, addresses: ['203.0.113.10', '2001:db8::10'], ...props });
  return [...Testing.synth(chart), Warnings.of(chart)];
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

test('give the agents alone, in kube-system, an alias for each address', () => {
  const [policy, binding] = aliases();
  expect(policy).toMatchObject({ apiVersion: 'admissionregistration.k8s.io/v1beta1', kind: 'MutatingAdmissionPolicy', metadata: { name: 'konnectivity-host-aliases' } });
  for (const address of ['203.0.113.10', '2001:db8::10']) {
    expect(policy.spec.mutations[0].jsonPatch.expression).toContain(`ip: "${address}", hostnames: ["tenant-01.konnectivity.example.com"]`);
  }
  expect(binding.spec).toEqual({
    policyName: 'konnectivity-host-aliases',
    matchResources: {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      objectSelector: { matchLabels: { 'k8s-app': 'konnectivity-agent' } },
    },
  });
});

test('follow the host of konnectivity where that has a controller of its own', () => {
  const [policy] = aliases({}, { platform: ControlPlanePlatform.kamaji(), konnectivity: { hostname: 'agents.example.net', controller: IngressController.haproxy() } });
  expect(policy.spec.mutations[0].jsonPatch.expression).toContain('hostnames: ["agents.example.net"]');
});

test('say what the API server needs while the policy is off by default', () => {
  expect(aliases()[2]).toEqual([expect.stringContaining('MutatingAdmissionPolicy v1beta1 is off by default')]);
  expect(aliases({}, { kubernetesVersion: '1.36.2' })[2]).toEqual([]);
});

test.each<[string, Partial<KonnectivityHostAliasesProps>, Partial<IngressExposedControlPlaneProps>, string]>([
  ['no konnectivity', {}, { konnectivity: undefined, platform: ControlPlanePlatform.kamaji() }, 'has no konnectivity, so there are no agents'],
  ['no address', { addresses: [] }, {}, 'addresses: [] is empty'],
  ['a name', { addresses: ['edge.example.com'] }, {}, 'addresses[0]: "edge.example.com"'],
  ['an older Kubernetes', {}, { kubernetesVersion: '1.31.14', platform: ControlPlanePlatform.kamaji() }, 'is older than 1.32'],
])('are an error with %s', (_, props, of, message) => {
  expect(() => aliases(props, of)).toThrow(message);
});
