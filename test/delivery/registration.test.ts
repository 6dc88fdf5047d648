import { Management } from './harness';
import { ControlPlanePlatform, TenantDelivery, TenantRegistrationProps } from '../../src';
import { expectValid } from '../support/schemas';

const REPOSITORY = { repoUrl: 'https://git.example.com/tenants.git' };
const SOURCE = { source: { name: 'platform' } };

function argoCd(registration: TenantRegistrationProps = {}, options: ConstructorParameters<typeof Management>[1] = {}): Management {
  return new Management(TenantDelivery.argoCd({ ...REPOSITORY, registration }), options);
}

function flux(): Management {
  return new Management(TenantDelivery.flux({ ...SOURCE, namespace: 'flux-system', registration: {} }));
}

function object(management: Management, kind: string, name: string): any {
  return management.manifests().find(each => each.kind === kind && each.metadata.name === name);
}

function registrations(management: Management): any[] {
  return JSON.parse(object(management, 'ConfigMap', 'tenant-registration').data['registrations.json']).registrations;
}

test('a tenant of Argo CD is a cluster of the name that its Application goes to', () => {
  const management = argoCd();
  management.tenant();
  const application = object(management, 'Application', 'tenants.tenant-01');
  expect(registrations(management)).toEqual([{
    tenant: { namespace: 'tenants', name: 'tenant-01' },
    kubeconfig: { secretName: 'tenant-01-admin-kubeconfig', keys: ['super-admin.svc', 'admin.svc'] },
    secret: { namespace: 'argocd', name: 'tenants.tenant-01-cluster' },
    owner: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', resource: 'applications', name: 'tenants.tenant-01' },
    as: { kind: 'argo-cd', name: 'tenants-tenant-01' },
  }]);
  expect(application.spec.destination).toEqual({ name: 'tenants-tenant-01' });
});

test('a cluster that an Application names by its URL is registered under that URL', () => {
  const management = argoCd();
  management.tenant('tenant-01', {}, { argoCdDestination: { server: 'https://tenant-01.k8s.example.com' } });
  expect(registrations(management)).toMatchObject([{ as: { name: 'tenants-tenant-01', server: 'https://tenant-01.k8s.example.com' } }]);
});

test('a tenant of Flux has its Kustomization and its kubeconfig in the namespace that was given', () => {
  const management = flux();
  management.tenant();
  const { metadata, spec } = object(management, 'Kustomization', 'tenants.tenant-01');
  expect(metadata.namespace).toBe('flux-system');
  expect(spec.kubeConfig).toEqual({ secretRef: { name: 'tenants.tenant-01-kubeconfig', key: 'value' } });
  expect(registrations(management)).toMatchObject([{
    secret: { namespace: 'flux-system', name: 'tenants.tenant-01-kubeconfig' },
    owner: { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', resource: 'kustomizations', name: 'tenants.tenant-01' },
    as: { kind: 'flux', key: 'value' },
  }]);
});

test('the program may read the kubeconfigs of its tenants, and keep the Secrets of their names beside the objects that these are for', () => {
  const management = argoCd();
  management.tenant('b');
  management.tenant('a', { namespace: 'others', hostname: 'a.example.com', konnectivity: undefined });
  const rules = (name: string) => object(management, 'Role', name).rules;
  const mayRead = (name: string) => [{ apiGroups: [''], resources: ['secrets'], resourceNames: [name], verbs: ['get'] }];
  expect(rules('tenant-registration-kubeconfigs-tenants')).toEqual(mayRead('b-admin-kubeconfig'));
  expect(rules('tenant-registration-kubeconfigs-others')).toEqual(mayRead('a-admin-kubeconfig'));
  expect(rules('tenant-registration-registrations-argocd')).toEqual([
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['others.a-cluster', 'tenants.b-cluster'], verbs: ['get', 'patch', 'delete'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    { apiGroups: ['argoproj.io'], resources: ['applications'], resourceNames: ['others.a', 'tenants.b'], verbs: ['get'] },
  ]);
  expect(management.manifests().filter(({ kind }) => kind === 'ClusterRole')).toEqual([]);
  expect(registrations(management).map(({ tenant: { name } }) => name)).toEqual(['a', 'b']);
});

test.each([['argoCd()', argoCd()], ['flux()', flux()]])('the objects of %s are valid', (_, management) => {
  management.tenant();
  management.manifests().forEach(expectValid);
});

test('a policy that keeps Argo CD away from the control plane is a warning', () => {
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
  const management = argoCd();
  management.tenant('tenant-01', { networkPolicy: { namespaces: ['haproxy'] } });
  management.app.synth();
  expect(warned.mock.calls.map(([text]) => String(text)).join()).toContain('does not name "argocd", so that Argo CD cannot reach control planes at their Services');
  warned.mockRestore();
});

describe('what cannot be registered', () => {
  test.each([
    [{ namespace: 'Upper' }, /registration\.namespace: "Upper"/],
    [{ intervalSeconds: 0 }, /registration\.intervalSeconds: 0/],
    [{ image: 'a b' }, /registration\.image: "a b"/],
  ])('%j', (registration, message) => {
    expect(() => argoCd(registration)).toThrow(message);
  });

  test('a control plane of another cluster, whose Secrets nobody here may read', () => {
    const management = argoCd({}, { cluster: 'hub' });
    const controlPlane = management.controlPlane('tenant-01', {}, management.chartFor('eu-1'));
    expect(() => management.tenants.of(controlPlane)).toThrow(/registration: .* is in the cluster "eu-1", whose Secrets "hub" cannot read/);
  });

  test('a control plane whose kubeconfig nobody knows', () => {
    const unknown = ControlPlanePlatform.kamaji();
    unknown.defaults = (name, namespace) => ({ ...ControlPlanePlatform.kamaji().defaults(name, namespace), adminKubeconfig: undefined });
    expect(() => argoCd().tenant('tenant-01', { platform: unknown })).toThrow(/adminKubeconfig: is not given|adminKubeconfig: .*is not known/);
  });

  test('for Flux without a namespace, where it reads the operators\' own Secrets, or a namespace without kubeconfigs', () => {
    expect(() => TenantDelivery.flux({ ...SOURCE, registration: {} })).toThrow(/registration: .*has no effect/);
    expect(() => TenantDelivery.flux({ ...SOURCE, namespace: 'flux-system' })).toThrow(/namespace: "flux-system" has no kubeconfigs/);
  });
});
