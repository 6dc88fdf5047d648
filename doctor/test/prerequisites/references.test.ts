import fc from 'fast-check';
import { isImageOf, imagesOf, prerequisitesOf } from '../../../src/manifests/prerequisites';
import { sourcesOf } from '../../../src/manifests/source';

type Fields = { readonly [field: string]: unknown };

function object(apiVersion: string, kind: string, spec: Fields, metadata: Fields = {}): any {
  return { apiVersion, kind, metadata: { name: 'it', namespace: 'ns', ...metadata }, spec };
}

function needs(...objects: any[]): string[] {
  return prerequisitesOf(objects.flatMap(each => sourcesOf(each, '', 1))).map(({ kind, namespace, name, labels }) =>
    `${kind} ${namespace ? `${namespace}/` : ''}${name}${labels ? ` ${JSON.stringify(labels)}` : ''}`);
}

/** What an object needs beside its namespace, its API and its program. */
function names(...objects: any[]): string[] {
  return needs(...objects).filter(title => !/^(Operator|API) /.test(title) && title !== 'Namespace ns');
}

const pod = (fields: Fields) => object('apps/v1', 'Deployment', { template: { spec: fields } });
const container = (fields: Fields) => ({ containers: [{ name: 'a', image: 'a:1', ...fields }] });

describe('an object needs what it names', () => {
  test.each<[string, any, string[]]>([
    ['an Ingress', object('networking.k8s.io/v1', 'Ingress', { ingressClassName: 'nginx', tls: [{ secretName: 'cert' }, {}] }), ['IngressClass nginx', 'Secret ns/cert']],
    ['a Gateway', object('gateway.networking.k8s.io/v1', 'Gateway', { gatewayClassName: 'cilium', listeners: [{ tls: { certificateRefs: [{ name: 'a' }, { name: 'b', namespace: 'other' }] } }] }),
      ['GatewayClass cilium', 'Secret ns/a', 'Secret other/b']],
    ['a TLSRoute', object('gateway.networking.k8s.io/v1alpha2', 'TLSRoute', { parentRefs: [{ name: 'gw', namespace: 'gateways' }, { name: 'near' }] }),
      ['Gateway gateways/gw', 'Gateway ns/near']],
    ['a VirtualService', object('networking.istio.io/v1', 'VirtualService', { gateways: ['mesh', 'far/gw', 'near'] }), ['Gateway far/gw', 'Gateway ns/near']],
    ['Kamaji', object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', {}), ['DataStore default']],
    ['Kamaji with a data store', object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', { dataStore: 'big', dataStoreOverrides: [{ resource: 'events', dataStore: 'other' }] }),
      ['DataStore big', 'DataStore other']],
    ['Steward behind a class', object('steward.butlerlabs.dev/v1alpha1', 'TenantControlPlane', { dataStore: 'x', controlPlane: { ingress: { ingressClassName: 'nginx' } } }),
      ['IngressClass nginx', 'DataStore x']],
    ['Kamaji in a class that nobody handles', object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', { controlPlane: { ingress: { ingressClassName: 'nobody' } } }), ['DataStore default']],
    ['Kamaji in a class of an unusual name', object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', {
      controlPlane: { ingress: { ingressClassName: 'edge', additionalMetadata: { annotations: { 'example.com/ssl-passthrough': 'true' } } } },
    }), ['IngressClass edge', 'DataStore default']],
    ['Kamaji through Cluster API', object('controlplane.cluster.x-k8s.io/v1alpha1', 'KamajiControlPlane', { dataStoreName: 'x', network: { ingress: { className: 'haproxy' } } }),
      ['IngressClass haproxy', 'DataStore x']],
    ['k0smotron on etcd', object('k0smotron.io/v1beta2', 'Cluster', { storage: { type: 'etcd', etcd: { persistence: { storageClass: 'fast' } } } }), ['StorageClass fast']],
    ['k0smotron without a class', object('k0smotron.io/v1beta2', 'Cluster', {}), ['StorageClass (default)']],
    ['k0smotron on a database', object('k0smotron.io/v1beta2', 'Cluster', { storage: { type: 'kine', kine: { dataSourceSecretName: 'db' } } }), ['Secret ns/db']],
    ['an older k0smotron on a database', object('k0smotron.io/v1beta1', 'Cluster', { kineDataSourceSecretName: 'db' }), ['Secret ns/db']],
    ['k0smotron with a claim', object('k0smotron.io/v1beta2', 'Cluster', { storage: { type: 'kine' }, persistence: { type: 'pvc', persistentVolumeClaim: { spec: { storageClassName: 'slow' } } } }),
      ['StorageClass slow']],
    ['HyperShift', object('hypershift.openshift.io/v1beta1', 'HostedCluster', {
      pullSecret: { name: 'pull' }, sshKey: { name: 'ssh' }, platform: { agent: { agentNamespace: 'agents' } }, etcd: { managed: { storage: { persistentVolume: { storageClassName: 'fast' } } } },
    }), ['Namespace agents', 'StorageClass fast', 'Secret ns/pull', 'Secret ns/ssh']],
    ['HyperShift with an etcd of its user', object('hypershift.openshift.io/v1beta1', 'HostedCluster', { etcd: { unmanaged: {} } }), []],
    ['a cluster at Hetzner', object('infrastructure.cluster.x-k8s.io/v1beta1', 'HetznerCluster', { hetznerSecretRef: { name: 'token' } }), ['Secret ns/token']],
    ['k0rdent', object('k0rdent.mirantis.com/v1beta1', 'ClusterDeployment', { credential: 'c', template: 't' }), ['ClusterTemplate ns/t', 'Credential ns/c']],
    ['Flux', object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { sourceRef: { kind: 'OCIRepository', name: 'oci', namespace: 'flux-system' }, kubeConfig: { secretRef: { name: 'conf' } } }),
      ['Secret ns/conf', 'OCIRepository flux-system/oci']],
    ['Argo CD', object('argoproj.io/v1alpha1', 'Application', { project: 'default', destination: { name: 'far' } }), ['Cluster of Argo CD ns/far']],
    ['Argo CD in its own cluster', object('argoproj.io/v1alpha1', 'Application', { project: 'team', destination: { server: 'https://kubernetes.default.svc' } }), ['AppProject ns/team']],
    ['a certificate', object('cert-manager.io/v1', 'Certificate', { secretName: 'x', issuerRef: { name: 'ca', kind: 'ClusterIssuer' } }), ['ClusterIssuer ca']],
    ['a certificate of another issuer', object('cert-manager.io/v1', 'Certificate', { secretName: 'x', issuerRef: { name: 'ca', kind: 'Own', group: 'example.com' } }), []],
  ])('%s', (_, manifest, expected) => {
    expect(names(manifest)).toEqual(expected);
  });

  test.each<[string, Fields, string[]]>([
    ['volumes', { volumes: [{ secret: { secretName: 'a' } }, { configMap: { name: 'b' } }, { secret: { secretName: 'c', optional: true } }, { persistentVolumeClaim: { claimName: 'd' } }] },
      ['Secret ns/a', 'ConfigMap ns/b', 'PersistentVolumeClaim ns/d']],
    ['projected volumes', { volumes: [{ projected: { sources: [{ secret: { name: 'a' } }, { configMap: { name: 'kube-root-ca.crt' } }, { serviceAccountToken: {} }] } }] }, ['Secret ns/a']],
    ['environments', container({ env: [{ valueFrom: { secretKeyRef: { name: 'a', key: 'x' } } }, { valueFrom: { configMapKeyRef: { name: 'b', optional: true } } }], envFrom: [{ secretRef: { name: 'c' } }] }),
      ['Secret ns/a', 'Secret ns/c']],
    ['pull Secrets, accounts and classes', { imagePullSecrets: [{ name: 'a' }], serviceAccountName: 'b', priorityClassName: 'c', runtimeClassName: 'd' },
      ['Secret ns/a', 'PriorityClass c', 'RuntimeClass d', 'ServiceAccount ns/b']],
    ['what every cluster has', { serviceAccountName: 'default', priorityClassName: 'system-node-critical' }, []],
  ])('pods with %s', (_, fields, expected) => {
    expect(names(pod(fields))).toEqual(expected);
  });

  test('pods that Pod Security refuses at lower levels say so of their namespace', () => {
    const privileged = 'Namespace ns {"pod-security.kubernetes.io/enforce":"privileged"}';
    const refused: Fields[] = [{ hostNetwork: true }, { volumes: [{ hostPath: { path: '/' } }] }, container({ securityContext: { capabilities: { add: ['NET_ADMIN'] } } }),
      container({ ports: [{ hostPort: 443 }] }), container({ securityContext: { privileged: true } })];
    for (const fields of refused) expect([fields, needs(pod(fields))]).toEqual([fields, [privileged]]);
    expect(needs(pod(container({ securityContext: { capabilities: { add: ['NET_BIND_SERVICE'] } } })))).toEqual(['Namespace ns']);
  });

  test('a route needs the labels that the listeners of its Gateway ask of a namespace', () => {
    const gateway = object('gateway.networking.k8s.io/v1', 'Gateway', { listeners: [{ allowedRoutes: { namespaces: { selector: { matchLabels: { a: 'b' } } } } }] }, { name: 'gw', namespace: 'gateways' });
    const route = object('gateway.networking.k8s.io/v1', 'TLSRoute', { parentRefs: [{ name: 'gw', namespace: 'gateways' }] });
    expect(needs(gateway, route)).toContain('Namespace ns {"a":"b"}');
    expect(needs(gateway, object('gateway.networking.k8s.io/v1', 'TLSRoute', { parentRefs: [{ name: 'gw' }] }))).toContain('Namespace ns');
  });
});

test('namespaces that a shared gateway leads to need the labels that its NetworkPolicy asks for, also where the manifests make them', () => {
  const maps = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'edge-routes', namespace: 'edge' }, data: { 'hosts.map': 'a.example.com a.tenants.svc:6443\n' } };
  const policy = object('networking.k8s.io/v1', 'NetworkPolicy', { egress: [{ to: [{ namespaceSelector: { matchLabels: { tenants: 'yes' } } }] }, {}] }, { namespace: 'edge' });
  const namespace = (labels?: Fields) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenants', labels } });
  expect(needs(maps, policy)).toEqual(['Namespace edge', 'Namespace tenants {"tenants":"yes"}']);
  expect(needs(maps, policy, namespace())).toContain('Namespace tenants {"tenants":"yes"}');
  expect(needs(maps, policy, namespace({ tenants: 'yes' }))).toEqual(['Namespace edge']);
  expect(needs(maps)).toEqual(['Namespace edge']);
});

describe('nothing is needed', () => {
  test.each<[string, any[]]>([
    ['that the manifests hold', [pod({ serviceAccountName: 'a' }), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a', namespace: 'ns' } }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } }]],
    ['in namespaces that every cluster has', [object('apps/v1', 'Deployment', {}, { namespace: 'kube-system' })]],
    ['for an object without a namespace', [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'a' } }]],
    ['for a kind that the manifests define', [
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'as.example.com' }, spec: { group: 'example.com', names: { kind: 'A' } } },
      object('example.com/v1', 'A', {}, { namespace: 'default' }),
    ]],
  ])('%s', (_, objects) => {
    expect(needs(...objects)).toEqual([]);
  });

  test.each<[string, any, string]>([
    ['a control plane', object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', { dataStore: 'x' }), 'it-admin-kubeconfig'],
    ['a cluster of Cluster API', object('cluster.x-k8s.io/v1beta2', 'Cluster', {}), 'it-kubeconfig'],
    ['a certificate', object('cert-manager.io/v1', 'Certificate', { secretName: 'tls' }), 'tls'],
    ['a request for a token', object('k0smotron.io/v1beta2', 'JoinTokenRequest', {}), 'it'],
  ])('that operators make because of %s', (_, manifest, secret) => {
    const user = pod({ volumes: [{ secret: { secretName: secret } }] });
    expect(names(user)).toEqual([`Secret ns/${secret}`]);
    expect(names(manifest, user).filter(title => title.startsWith('Secret'))).toEqual([]);
  });
});

test('two versions of one API are both needed, and an API of which nobody knows the program as well', () => {
  const versions = ['v1', 'v2'].map(version => object(`example.com/${version}`, 'A', {}, { name: version }));
  expect(needs(...versions)).toEqual(['API A', 'API A', 'Namespace ns']);
  expect(needs(object('admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy', {}, { namespace: undefined }))).toEqual(['API MutatingAdmissionPolicy']);
});

test('images of control planes are those that their resources choose', () => {
  const images = (manifest: any) => imagesOf(sourcesOf(manifest, '', 1)).map(({ image }) => image);
  expect(images(object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', {
    kubernetes: { version: 'v1.34.1' },
    controlPlane: { deployment: { registrySettings: { registry: 'r.example.com', apiServerImage: 'api', tagSuffix: '-fips' } } },
    addons: { konnectivity: { server: { image: 'r.example.com/server', version: 'v0.33.0' }, agent: { version: 'v0.33.0' } }, coreDNS: { imageRepository: 'r.example.com', imageTag: 'v1' }, kubeProxy: {} },
  }))).toEqual([
    'r.example.com/api:v1.34.1-fips', 'r.example.com/coredns:v1', 'r.example.com/kube-controller-manager:v1.34.1-fips', 'r.example.com/kube-scheduler:v1.34.1-fips',
    'r.example.com/server:v0.33.0', 'registry.k8s.io/kas-network-proxy/proxy-agent:v0.33.0', 'registry.k8s.io/kube-proxy:v1.34.1',
  ]);
  const cluster = { version: 'v1.34.3+k0s.0', ingress: {} };
  expect(images(object('k0smotron.io/v1beta2', 'Cluster', cluster))).toEqual(['haproxy:2.8', 'quay.io/k0sproject/etcd:v3.7.1', 'quay.io/k0sproject/k0s:v1.34.3-k0s.0']);
  const withoutProxy = { ...cluster, patches: [{ patch: { content: '{"data":{"2_haproxy-ds.yaml":null}}' } }] };
  expect(images(object('k0smotron.io/v1beta2', 'Cluster', withoutProxy))).not.toContain('haproxy:2.8');
  expect(images(object('k0smotron.io/v1beta1', 'Cluster', { version: 'v1', image: 'r.example.com/k0s', etcd: { image: 'r.example.com/etcd:1' } }))).toEqual(['r.example.com/etcd:1', 'r.example.com/k0s:v1']);
  expect(images(object('hypershift.openshift.io/v1beta1', 'HostedCluster', { release: { image: 'r.example.com/release@sha256:0' } }))).toEqual(['r.example.com/release@sha256:0']);
});

test.each([
  ['Kamaji', 'docker.io/clastix/kamaji:26.8.2', true], ['Kamaji', 'localhost:5000/kamaji@sha256:0', true], ['Kamaji', 'clastix/kamaji-console:1', false],
  ['k0smotron', 'quay.io/k0sproject/k0smotron:v2.1.0', true], ['Flux', 'ghcr.io/fluxcd/kustomize-controller:v1.6.0', true], ['Argo CD', 'quay.io/argoproj/argocd:v3.1.0', true],
  ['cert-manager', 'quay.io/jetstack/cert-manager-controller:v1.18.0', true], ['no program', 'a', undefined],
])('the image of %s: %s is %s', (name, image, expected) => {
  expect(isImageOf(name, image)).toBe(expected);
});

test('manifests of any shape are read', () => {
  const kinds = ['networking.k8s.io/v1 Ingress', 'kamaji.clastix.io/v1alpha1 TenantControlPlane', 'k0smotron.io/v1beta2 Cluster', 'hypershift.openshift.io/v1beta1 HostedCluster',
    'apps/v1 Deployment', 'v1 ConfigMap', 'cert-manager.io/v1 Certificate', 'argoproj.io/v1alpha1 Application', 'gateway.networking.k8s.io/v1 Gateway', 'gateway.networking.k8s.io/v1 TLSRoute'];
  fc.assert(fc.property(fc.constantFrom(...kinds), fc.object({ maxDepth: 6, key: fc.constantFrom('spec', 'template', 'tls', 'volumes', 'containers', 'secret', 'data', 'tenant.json', 'listeners', 'name', 'parentRefs') }), (kind, fields) => {
    const [apiVersion, of] = kind.split(' ');
    const sources = sourcesOf({ metadata: { name: 'a' }, ...fields as object, apiVersion, kind: of }, '', 1);
    expect(Array.isArray(prerequisitesOf(sources))).toBe(true);
    expect(Array.isArray(imagesOf(sources))).toBe(true);
  }), { numRuns: 300 });
});
