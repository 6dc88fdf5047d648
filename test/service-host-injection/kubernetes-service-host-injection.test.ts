import { Chart, Testing } from 'cdk8s';
import {
  ControlPlanePlatform, Exposure, IngressController, IngressExposedControlPlane, KubernetesServiceHostInjection,
  KubernetesServiceHostInjectionProps, MutatingAdmissionPolicyVersion, TcpProxyAddon, Warnings,
} from '../../src';

// What the policy does to pods is shown by a real API server, in test/e2e/service-host-injection.test.ts.

const { V1ALPHA1, V1BETA1, V1 } = MutatingAdmissionPolicyVersion;
const exposure = new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com', port: 6443 });

function injection(props: Partial<KubernetesServiceHostInjectionProps> = {}) {
  const chart = new Chart(Testing.app(), 'tenant-01');
  const construct = new KubernetesServiceHostInjection(chart, 'injection', { exposure, kubernetesVersion: '1.36.0', ...props });
  const [policy, binding, ...others]: any[] = Testing.synth(chart);
  expect(others).toEqual([]);
  return { chart, construct, policy, binding };
}

function controlPlane(kubernetesVersion: string): IngressExposedControlPlane {
  return new IngressExposedControlPlane(new Chart(Testing.app(), 'management'), 'tenant-02', {
    namespace: 'tenants', kubernetesVersion, domain: 'example.com', platform: ControlPlanePlatform.kamaji(), controller: IngressController.traefik(),
  });
}

describe('the injection', () => {
  const { construct, policy, binding } = injection();

  test('is a policy and its binding', () => {
    expect([policy, binding].map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'MutatingAdmissionPolicy kubernetes-service-host',
      'MutatingAdmissionPolicyBinding kubernetes-service-host',
    ]);
    expect(binding.spec.policyName).toBe(policy.metadata.name);
    expect(construct.policyObject.toJson()).toEqual(policy);
    expect(construct.bindingObject.toJson()).toEqual(binding);
  });

  test('changes pods when they are created, and admits those that it cannot change', () => {
    expect(policy.spec.matchConstraints.resourceRules)
      .toEqual([{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }]);
    expect(policy.spec.failurePolicy).toBe('Ignore');
  });

  test('names the public host and port, which the certificate carries, and nothing else', () => {
    for (const { jsonPatch } of policy.spec.mutations) {
      expect(jsonPatch.expression).toContain('name: "KUBERNETES_SERVICE_HOST", value: "tenant-01.k8s.example.com"');
      expect(jsonPatch.expression).toContain('name: "KUBERNETES_SERVICE_PORT", value: "6443"');
    }
    expect(exposure.certSans).toContain('tenant-01.k8s.example.com');
  });

  test('leaves kube-system and what opts out alone', () => {
    const notOptedOut = { key: 'hosted-control-plane/service-host-injection', operator: 'NotIn', values: ['disabled'] };
    expect(binding.spec.matchResources).toEqual({
      namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system'] }, notOptedOut] },
      objectSelector: { matchExpressions: [notOptedOut] },
    });
  });

  test('takes a name, labels and namespaces', () => {
    const { policy: named, binding: bound } = injection({ name: 'api-host', labels: { a: 'b' }, excludedNamespaces: ['calico-system', 'kube-system'] });
    expect([named, bound].map(({ metadata }) => metadata)).toEqual(Array(2).fill({ name: 'api-host', labels: { a: 'b' } }));
    expect(bound.spec.policyName).toBe('api-host');
    expect(bound.spec.matchResources.namespaceSelector.matchExpressions[0].values).toEqual(['calico-system', 'kube-system']);
  });

  test('has no empty list of namespaces, which is not valid', () => {
    expect(injection({ excludedNamespaces: [] }).binding.spec.matchResources.namespaceSelector.matchExpressions).toHaveLength(1);
  });

  test('changes pods of the host network only when asked to', () => {
    const conditions = (spec: any) => spec.matchConditions.map(({ name }: { name: string }) => name);
    expect(conditions(policy.spec)).toEqual(['not-a-static-pod', 'not-of-the-host-network']);
    expect(conditions(injection({ hostNetworkPods: true }).policy.spec)).toEqual(['not-a-static-pod']);
  });
});

describe('the version of the policy', () => {
  test.each([
    ['1.32.0', V1ALPHA1], ['1.33.9', V1ALPHA1], ['v1.34.0', V1BETA1], ['1.35.2+k0s.0', V1BETA1], ['1.36.0', V1], ['1.40.1', V1],
  ])('is by default the newest that Kubernetes %s has', (kubernetesVersion, apiVersion) => {
    const { construct, policy, binding } = injection({ kubernetesVersion });
    expect(construct.apiVersion).toBe(apiVersion);
    expect([policy.apiVersion, binding.apiVersion]).toEqual(Array(2).fill(`admissionregistration.k8s.io/${apiVersion}`));
  });

  test('can be an older one', () => {
    expect(injection({ kubernetesVersion: '1.36.0', apiVersion: V1BETA1 }).construct.apiVersion).toBe('v1beta1');
    expect(injection({ kubernetesVersion: '1.34.0', apiVersion: V1ALPHA1 }).construct.apiVersion).toBe('v1alpha1');
  });

  test('comes from the control plane', () => {
    expect(injection({ exposure: undefined, kubernetesVersion: undefined, controlPlane: controlPlane('1.34.1') }).construct.apiVersion).toBe('v1beta1');
    expect(injection({ exposure: undefined, kubernetesVersion: '1.36.0', controlPlane: controlPlane('1.34.1') }).construct.apiVersion).toBe('v1');
  });

  test('tells the arguments that the API server needs for it', () => {
    expect(KubernetesServiceHostInjection.apiServerArgs('1.32.0')).toEqual([
      '--feature-gates=MutatingAdmissionPolicy=true', '--runtime-config=admissionregistration.k8s.io/v1alpha1=true',
    ]);
    expect(KubernetesServiceHostInjection.apiServerArgs('1.36.0', V1BETA1)).toEqual([
      '--feature-gates=MutatingAdmissionPolicy=true', '--runtime-config=admissionregistration.k8s.io/v1beta1=true',
    ]);
    expect(KubernetesServiceHostInjection.apiServerArgs('1.36.0')).toEqual([]);
  });

  test('warns when it is off by default', () => {
    expect(Warnings.of(injection({ kubernetesVersion: '1.35.0' }).chart)).toEqual([
      'MutatingAdmissionPolicy v1beta1 is off by default: its objects are refused unless the API server runs with ' +
      '--feature-gates=MutatingAdmissionPolicy=true --runtime-config=admissionregistration.k8s.io/v1beta1=true ' +
      '(see KubernetesServiceHostInjection.apiServerArgs).',
    ]);
    expect(Warnings.of(injection().chart)).toEqual([]);
  });
});

describe('the injection refuses', () => {
  test.each([['1.31.9'], ['v1.20.0']])('Kubernetes %s, which has no such policy', kubernetesVersion => {
    expect(() => injection({ kubernetesVersion })).toThrow(
      `kubernetesVersion: "${kubernetesVersion}" is older than 1.32, the first with MutatingAdmissionPolicy. ` +
      'Upgrade the control plane, or leave the injection out: pods then reach the API server through the tcp-proxy.');
  });

  test('a version of the policy that Kubernetes does not have', () => {
    expect(() => injection({ kubernetesVersion: '1.33.0', apiVersion: V1BETA1 })).toThrow(
      'apiVersion: "v1beta1" of MutatingAdmissionPolicy is not in Kubernetes 1.33.0. Use "v1alpha1", or leave it out for the newest.');
    expect(() => KubernetesServiceHostInjection.apiServerArgs('1.35.0', V1)).toThrow(
      'apiVersion: "v1" of MutatingAdmissionPolicy is not in Kubernetes 1.35.0. Use "v1beta1" or "v1alpha1", or leave it out for the newest.');
  });

  test.each(['1.32', '2.0.0', 'latest'])('%p, which is no version of Kubernetes', kubernetesVersion => {
    expect(() => injection({ kubernetesVersion })).toThrow(
      `kubernetesVersion: "${kubernetesVersion}" is not a version of Kubernetes 1. Give major, minor and patch, e.g. "1.32.0".`);
  });

  test('an exposure without a version', () => {
    expect(() => injection({ kubernetesVersion: undefined })).toThrow(
      'kubernetesVersion: is not set, and an exposure does not tell it. Give the version of the tenant cluster, e.g. "1.32.0".');
  });

  test('neither or both of control plane and exposure', () => {
    const message = 'controlPlane, exposure: exactly one of the two must be given. ' +
      'Give controlPlane for a control plane of this app, exposure for any other.';
    expect(() => injection({ exposure: undefined })).toThrow(message);
    expect(() => injection({ exposure: undefined })).toThrow(/^[^: ]+: controlPlane, exposure: /);
    expect(() => injection({ controlPlane: controlPlane('1.36.0') })).toThrow(message);
  });

  test('names and labels that Kubernetes would refuse', () => {
    expect(() => injection({ name: 'API host' })).toThrow('name: "API host" is not a valid name. ');
    expect(() => injection({ excludedNamespaces: ['kube-system', 'my apps'] })).toThrow('excludedNamespaces[1]: "my apps" is not a valid name. ');
    expect(() => injection({ labels: { 'a b': '' } })).toThrow('labels: "a b" is not the key of a label. ');
  });

  test('a second one in the same tenant cluster, and a chart of another', () => {
    const app = Testing.app();
    const chart = new Chart(app, 'tenant-01');
    for (const id of ['first', 'second']) {
      new KubernetesServiceHostInjection(chart, id, { exposure, kubernetesVersion: '1.36.0' });
    }
    expect(() => app.synth()).toThrow('MutatingAdmissionPolicy in cluster "tenants/tenant-01": "kubernetes-service-host" is used by ' +
      'both tenant-01/first and tenant-01/second.');
    const other = new Exposure({ name: 'tenant-02', namespace: 'tenants', hostname: 'tenant-02.k8s.example.com' });
    expect(() => new TcpProxyAddon(chart, 'tcp-proxy', { exposure: other })).toThrow(/: chart: "tenant-01" holds tenant-01\/first/);
  });
});
