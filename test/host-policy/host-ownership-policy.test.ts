import { App, Chart, Testing } from 'cdk8s';
import {
  ControlPlanePlatform, Exposure, HostOwnershipPolicy, HostOwnershipPolicyProps, HostPolicyAction, IngressController, IngressExposedControlPlane,
  KubernetesServicePath, Warnings,
} from '../../src';
import { expectValid } from '../support/schemas';

function policy(props: Partial<HostOwnershipPolicyProps> = {}, id = 'hosts'): { objects: any[]; owners: any; bindings: any[]; warnings: string[] } {
  const chart = new Chart(new App(), 'management');
  new HostOwnershipPolicy(chart, id, { namespace: 'host-policy', domains: [{ domain: 'example.com', namespaces: ['platform'] }], ...props });
  const objects = Testing.synth(chart);
  return {
    objects, owners: objects.find(({ kind }) => kind === 'ConfigMap').data, bindings: objects.filter(({ kind }) => kind.endsWith('Binding')), warnings: Warnings.of(chart),
  };
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

test('has a policy and a binding for each kind of route, and one list of owners without which all is refused', () => {
  const { objects, bindings } = policy();
  objects.forEach(expectValid);
  const policies = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  expect(policies.length).toBe(15);
  expect(bindings.map(({ spec }) => spec.policyName)).toEqual(policies.map(({ metadata }) => metadata.name));
  for (const { spec } of policies) {
    expect(spec).toMatchObject({ failurePolicy: 'Fail', paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
  }
  for (const { spec } of bindings) {
    expect(spec).toEqual({
      policyName: expect.stringMatching(/^hosts-/),
      validationActions: ['Deny'],
      paramRef: { name: 'hosts', namespace: 'host-policy', parameterNotFoundAction: 'Deny' },
    });
  }
});

test('writes the owners of domains, and of the hosts and ports of control planes, whatever their order', () => {
  const exposure = (name: string, of: object = {}) => new Exposure({ name, namespace: 'tenants', domain: 'example.com', ...of });
  const props: Partial<HostOwnershipPolicyProps> = {
    domains: [
      { domain: 'example.com' },
      { domain: 'k8s.example.com', namespaces: ['platform', 'edge'], namespaceLabels: { team: 'edge', stage: 'production' } },
    ],
    exposures: [
      exposure('tenant-02', { backend: { serviceName: 'api', serviceNamespace: 'clusters-tenant-02' } }),
      exposure('tenant-01', { konnectivity: {}, kubernetesService: KubernetesServicePath.port({ addresses: ['203.0.113.10'], port: 20001 }) }),
    ],
  };
  const { owners } = policy(props);
  expect(owners).toEqual({
    'example.com': '',
    'k8s.example.com': 'edge platform stage=production,team=edge',
    'port-20001': 'tenants',
    'tenant-01.k8s.example.com': 'tenants',
    'tenant-01.konnectivity.example.com': 'tenants',
    'tenant-02.k8s.example.com': 'clusters-tenant-02 tenants',
  });
  expect(Object.keys(owners)).toEqual(Object.keys(policy({ ...props, exposures: [...props.exposures!].reverse() }).owners));
});

const PORT_RANGE = { first: 30000, last: 30009 };
const GATEWAY = { name: 'public', namespace: 'gateways' };

test.each<[string, IngressController]>([
  ['traefik', IngressController.traefik({ portRange: PORT_RANGE })],
  ['gateway-api', IngressController.gatewayApi({ gateway: GATEWAY, portRange: PORT_RANGE })],
])('gives the ports at which %s finds servers of a control plane to its namespace, whose routes take them as a whole', (_, controller) => {
  const { exposure } = new IngressExposedControlPlane(new Chart(new App(), 'management'), 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    platform: ControlPlanePlatform.kamaji(),
    controller,
    domain: 'example.com',
    port: 30001,
    konnectivity: { port: 443 },
    furtherEntries: [{ name: 'partner', hostname: 'partner.example.net', port: 30002 }],
  });
  expect(Object.keys(policy({ exposures: [exposure] }).owners).filter(name => name.startsWith('port-'))).toEqual(['port-30001', 'port-30002']);
});

test('leaves trusted namespaces out, and warns or records where it is told so', () => {
  expect(policy({ trustedNamespaces: ['edge'], action: HostPolicyAction.AUDIT }).bindings[0].spec).toMatchObject({
    validationActions: ['Audit'],
    matchResources: { namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['edge'] }] } },
  });
});

test('says when the owners are too many for kubectl apply without --server-side', () => {
  const domains = (count: number) => Array.from({ length: count }, (_, i) => ({ domain: `tenant-${i}.example.com`, namespaces: [`tenant-${i}`] }));
  expect(policy({ domains: domains(5_000) }).warnings).toEqual([]);
  expect(policy({ domains: domains(10_000) }).warnings).toEqual([expect.stringMatching(/^The owners of 10000 domains make \d+ bytes: apply them with kubectl apply --server-side\.$/)]);
  expect(() => policy({ domains: domains(40_000) })).toThrow('a ConfigMap holds 1048576');
});

test.each<[string, Partial<HostOwnershipPolicyProps>, string]>([
  ['no domain and no exposure', { domains: [] }, 'domains: [] lists none, and there are no exposures'],
  ['a domain twice', { domains: [{ domain: 'example.com' }, { domain: 'example.com' }] }, 'domains[1].domain: "example.com" is listed already'],
  ['a wildcard', { domains: [{ domain: '*.example.com' }] }, 'domains[0].domain: "*.example.com"'],
  ['labels that every namespace has', { domains: [{ domain: 'example.com', namespaceLabels: {} }] }, 'domains[0].namespaceLabels: {} is empty, so every namespace would have them'],
  ['no namespaces in a list of them', { domains: [{ domain: 'example.com', namespaces: [] }] }, 'domains[0].namespaces: [] is empty'],
  ['a long name', { name: 'a'.repeat(41) }, 'the names of the policies have room for 40'],
])('is an error with %s', (_, props, message) => {
  expect(() => policy(props)).toThrow(message);
});
