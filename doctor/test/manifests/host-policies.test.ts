import { App, Chart, YamlOutputType } from 'cdk8s';
import * as yaml from 'js-yaml';
import { ControlPlanePlatform, HostOwnershipPolicy, HostOwnershipPolicyProps, HostPolicyAction, IngressController, IngressExposedControlPlane } from '../../../src';
import { check } from '../support/manifests';

type Manifest = any;

/** A tenant behind an ingress controller, and the policy of hosts beside it. */
function manifests(props: Partial<HostOwnershipPolicyProps> = {}): Manifest[] {
  const chart = new Chart(new App({ yamlOutputType: YamlOutputType.FILE_PER_CHART }), 'management');
  const controlPlane = new IngressExposedControlPlane(chart, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.35.6',
    hostname: 'tenant-01.k8s.example.com',
    nodesReachable: true,
    platform: ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
    controller: IngressController.traefik(),
  });
  new HostOwnershipPolicy(chart, 'hosts', { namespace: 'host-policy', exposures: [controlPlane.exposure], domains: [{ domain: 'example.com' }], ...props });
  return chart.toJson();
}

const findings = (objects: Manifest[]) => check(objects.map(object => yaml.dump(object)).join('---\n')).filter(({ code }) => /^HCP67/.test(code));
const codes = (objects: Manifest[]) => [...new Set(findings(objects).map(({ code }) => code))];
const of = (objects: Manifest[], kind: string, name = /./): Manifest[] => objects.filter(object => object.kind === kind && name.test(object.metadata.name));
const without = (objects: Manifest[], kind: string, name?: RegExp) => objects.filter(object => !of(objects, kind, name).includes(object));
const NAMED = { exposures: [] as never[] };

describe('the policy of hosts', () => {
  test('has nothing wrong as it is written, for a tenant whose host it gives to its namespace', () => {
    expect(codes(manifests())).toEqual([]);
    expect(codes(manifests({ ...NAMED, domains: [{ domain: 'k8s.example.com', namespaces: ['tenants'] }, { domain: 'example.com' }] }))).toEqual([]);
    expect(codes(manifests({ ...NAMED, domains: [{ domain: 'other.example.com', namespaces: ['other'] }] }))).toEqual([]);
  });

  test('keeps no host to its owner without its binding', () => {
    const found = findings(without(manifests(), 'ValidatingAdmissionPolicyBinding', /^hosts-ingress$/));
    expect(found.map(({ code, message }) => [code, message])).toEqual([['HCP671', expect.stringContaining('no ValidatingAdmissionPolicyBinding names hosts-ingress')]]);
  });

  test('refuses every route without the ConfigMap of owners', () => {
    const found = findings(without(manifests(), 'ConfigMap', /^hosts$/));
    expect([...new Set(found.map(({ code }) => code))]).toEqual(['HCP672']);
    expect(found[0].message).toContain('ConfigMap host-policy/hosts with the owners of hosts is not among the manifests: while it is missing, every route of this kind is refused');
  });

  test.each<[string, Partial<HostOwnershipPolicyProps>, string]>([
    ['to nobody', { ...NAMED, domains: [{ domain: 'example.com' }] }, 'the host tenant-01.k8s.example.com belongs to nobody by ConfigMap host-policy/hosts'],
    ['to another namespace', { ...NAMED, domains: [{ domain: 'example.com', namespaces: ['team-b', 'team-c'] }] }, 'belongs to team-b and team-c by'],
    ['to another namespace by a more specific domain', { ...NAMED, domains: [{ domain: 'example.com', namespaces: ['tenants'] }, { domain: 'k8s.example.com', namespaces: ['team-b'] }] }, 'belongs to team-b by'],
  ])('refuses the route of a tenant whose host it gives %s', (_, props, message) => {
    expect(findings(manifests(props)).map(({ code, message: text }) => [code, text])).toEqual([['HCP673', expect.stringContaining(message)]]);
  });

  test('refuses no route of namespaces that it trusts, and none where it only warns', () => {
    const foreign = { ...NAMED, domains: [{ domain: 'example.com' }] };
    expect(codes(manifests({ ...foreign, trustedNamespaces: ['tenants'] }))).toEqual([]);
    expect(codes(manifests({ ...foreign, action: HostPolicyAction.WARN }))).toEqual([]);
  });

  test('refuses the route that an operator makes too, and no line of a shared gateway, which it does not look at', () => {
    const [policy, owners] = ['ValidatingAdmissionPolicy', 'ConfigMap'].map(kind => of(manifests({ ...NAMED, domains: [{ domain: 'example.com' }] }), kind, /^hosts(-ingress)?$/));
    const bindings = of(manifests(), 'ValidatingAdmissionPolicyBinding', /^hosts-ingress$/);
    const ofOperator = without(manifests(), 'IngressRouteTCP').map(object => object.kind === 'TenantControlPlane'
      ? { ...object, spec: { ...object.spec, controlPlane: { ...object.spec.controlPlane, ingress: { hostname: 'tenant-01.k8s.example.com:443', ingressClassName: 'haproxy' } } } } : object);
    const lines = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'routes-0-of-1', namespace: 'edge', labels: { 'app.kubernetes.io/name': 'shared-ingress-gateway' } },
      data: { 'hosts.map': 'tenant-01.k8s.example.com tenant-01.tenants.svc.cluster.local:6443\n' },
    };
    const objects = [...without(without(ofOperator, 'ConfigMap'), 'ValidatingAdmissionPolicyBinding').filter(({ kind }) => kind !== 'ValidatingAdmissionPolicy'), ...policy, ...bindings, ...owners, lines];
    expect(findings(objects).map(({ code, object }) => `${code} ${object?.kind}`)).toEqual(['HCP673 TenantControlPlane']);
  });

  test('gives hosts by labels, as far as the namespace is known', () => {
    const objects = manifests({ ...NAMED, domains: [{ domain: 'example.com', namespaceLabels: { team: 'a', stage: 'prod' } }] });
    const namespace = (labels: object) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenants', labels } });
    expect(codes(objects)).toEqual([]);
    expect(codes([...objects, namespace({ team: 'a', stage: 'prod' })])).toEqual([]);
    expect(codes([...objects, namespace({ team: 'a' })])).toEqual(['HCP673']);
  });
});
