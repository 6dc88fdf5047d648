import { customKinds } from './crd-schemas';
import { expectValid, validationErrors } from './schemas';

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'api', namespace: 'tenants', labels: { app: 'api' } },
  spec: { ports: [{ port: 443, targetPort: 'https' }], clusterIP: 'None', type: 'ClusterIP' },
};
const TENANT_CONTROL_PLANE = {
  apiVersion: 'kamaji.clastix.io/v1alpha1',
  kind: 'TenantControlPlane',
  metadata: { name: 'tenant-01', namespace: 'tenants' },
  spec: {
    controlPlane: { service: { serviceType: 'ClusterIP' } },
    kubernetes: { version: 'v1.31.0', kubelet: {} },
    addons: { coreDNS: {}, konnectivity: {} },
  },
};

describe('validation of built-in kinds', () => {
  test('accepts a valid object', () => {
    expectValid(SERVICE);
    expectValid({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a:b', namespace: 'default' }, rules: [] });
  });

  test.each([
    ['an unknown field', { ...SERVICE, spec: { ...SERVICE.spec, clusterIp: 'None' } }, '/spec: unknown field "clusterIp"'],
    ['a missing field', { ...SERVICE, spec: { ports: [{}] } }, '/spec/ports/0: missing field "port"'],
    ['a wrong type', { ...SERVICE, spec: { ports: [{ port: '443' }] } }, '/spec/ports/0/port: must be integer'],
    ['an unknown value', { ...SERVICE, spec: { type: 'Clusterip' } }, '/spec/type: must be one of ClusterIP, ExternalName, LoadBalancer, NodePort'],
    ['a status', { ...SERVICE, status: {} }, '/: unknown field "status"'],
    ['no metadata', { ...SERVICE, metadata: undefined }, '/: missing field "metadata"'],
    ['no namespace', { ...SERVICE, metadata: { name: 'api' } }, '/metadata: missing field "namespace"'],
    ['a name of the wrong form', { ...SERVICE, metadata: { name: '1api', namespace: 'a' } }, '/metadata/name: must match pattern'],
    ['a label of the wrong form', { ...SERVICE, metadata: { ...SERVICE.metadata, labels: { app: 'a b' } } }, '/metadata/labels/app: must match pattern'],
    ['a namespace on a cluster-scoped kind', {
      apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'a', namespace: 'b' }, rules: [],
    }, '/metadata/namespace: not allowed here'],
    ['a quantity that is none', {
      apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'a', namespace: 'b' }, spec: { limits: [{ type: 'Pod', max: { memory: '64MiB' } }] },
    }, '/spec/limits/0/max/memory: must match pattern'],
    ['an unknown kind', { apiVersion: 'v1', kind: 'Servce', metadata: {} }, '/kind: no schema for v1 Servce'],
  ])('refuses %s', (_, manifest, error) => {
    expect(validationErrors(manifest)).toEqual([expect.stringContaining(error)]);
  });
});

describe('validation of custom resources', () => {
  test('accepts a valid object, with defaults left out', () => {
    expectValid(TENANT_CONTROL_PLANE);
  });

  test.each([
    ['an unknown field', { ...TENANT_CONTROL_PLANE, spec: { ...TENANT_CONTROL_PLANE.spec, hostname: 'a' } }, '/spec: unknown field "hostname"'],
    ['an unknown field deep inside', {
      ...TENANT_CONTROL_PLANE, spec: { ...TENANT_CONTROL_PLANE.spec, addons: { konnectivity: { agent: { extraArg: [] } } } },
    }, '/spec/addons/konnectivity/agent: unknown field "extraArg"'],
    ['a missing field', { ...TENANT_CONTROL_PLANE, spec: { ...TENANT_CONTROL_PLANE.spec, kubernetes: { version: 'v1.31.0' } } },
      '/spec/kubernetes: missing field "kubelet"'],
    ['an unknown value', { ...TENANT_CONTROL_PLANE, spec: { ...TENANT_CONTROL_PLANE.spec, controlPlane: { service: { serviceType: 'None' } } } },
      '/spec/controlPlane/service/serviceType: must be one of ClusterIP, NodePort, LoadBalancer'],
    ['unknown metadata', { ...TENANT_CONTROL_PLANE, metadata: { ...TENANT_CONTROL_PLANE.metadata, label: {} } }, '/metadata: unknown field "label"'],
    ['a wrong metadata value', { ...TENANT_CONTROL_PLANE, metadata: { name: 'A', namespace: 'tenants' } }, '/metadata/name: must match pattern'],
  ])('refuses %s', (_, manifest, error) => {
    expect(validationErrors(manifest)).toEqual([expect.stringContaining(error)]);
  });

  test('keeps fields where the definition allows any', () => {
    expectValid({
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: 'traefik', namespace: 'traefik' },
      spec: { interval: '10m', chart: { spec: { chart: 'traefik', sourceRef: { kind: 'HelmRepository', name: 'traefik' } } }, values: { any: { thing: [1] } } },
    });
  });

  test('has a schema that compiles for every version of every kind', () => {
    const kinds = customKinds();
    expect(kinds.length).toBeGreaterThan(0);
    for (const { apiVersion, kind } of kinds) {
      expect(validationErrors({ apiVersion, kind, metadata: { name: 'a', namespace: 'b' } }).join()).not.toContain('no schema');
    }
  });
});
