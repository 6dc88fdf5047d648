import { symlinkSync } from 'fs';
import { join } from 'path';
import { KAMAJI } from './good';
import { readDocuments } from '../../../cli/documents';
import { RULES } from '../../../src/findings/rules';
import { readPlatform } from '../../../src/manifests/platform';
import { checkManifests } from '../../src/manifests/check';
import { withFolder } from '../support/manifests';

function objects(files: { [name: string]: string }): string[] {
  return withFolder(files, folder => readDocuments([folder]).sources.map(({ kind, name, line }) => `${kind} ${name} at ${line}`));
}

describe('reading manifests', () => {
  test('takes documents, Lists and JSON apart, in folders too, and knows their lines', () => {
    expect(objects({
      'a.yaml': '# comment\n\napiVersion: v1\nkind: A\nmetadata: {name: one}\n---\n\napiVersion: v1\nkind: B\nmetadata: {name: two}\n--- # third\napiVersion: v1\nkind: C\n',
      'b/list.yml': 'apiVersion: v1\nkind: ConfigMapList\nitems:\n  - {apiVersion: v1, kind: ConfigMap, metadata: {name: three}}\n',
      'c.json': '{"apiVersion": "v1", "kind": "D", "metadata": {"name": "four"}}',
      'd.txt': 'apiVersion: v1\nkind: E\n',
      'node_modules/x.yaml': 'apiVersion: v1\nkind: F\n',
    })).toEqual(['A one at 3', 'B two at 8', 'C  at 12', 'ConfigMap three at 1', 'D four at 1']);
  });

  test('leaves documents out that are no objects of Kubernetes', () => {
    expect(objects({ 'a.yaml': '- 1\n---\njust text\n---\nkind: A\n---\n---\napiVersion: v1\nkind: 7\n' })).toEqual([]);
  });

  test('reads what ConfigMaps and Secrets carry to tenants', () => {
    expect(objects({
      'a.yaml': `
apiVersion: v1
kind: ConfigMap
metadata: {name: outer}
data:
  objects.yaml: |
    apiVersion: v1
    kind: A
    metadata: {name: one}
    ---
    broken: [
    ---
    apiVersion: v1
    kind: B
  haproxy.cfg: "apiVersion: v1"
---
apiVersion: v1
kind: Secret
metadata: {name: sealed}
data: {more.yaml: ${Buffer.from('apiVersion: v1\nkind: C\n').toString('base64')}}
stringData: {even.json: '{"apiVersion": "v1", "kind": "D"}'}
`,
    })).toEqual(['ConfigMap outer at 2', 'Secret sealed at 17', 'A one at 2', 'B  at 2', 'D  at 17', 'C  at 17']);
  });

  test('reports a broken document and reads the others', () => {
    const { sources, unreadable } = withFolder({ 'a.yaml': 'apiVersion: v1\nkind: A\n---\na: [\n---\napiVersion: v1\nkind: B\n' }, folder => readDocuments([folder]));
    expect(sources.map(({ kind }) => kind)).toEqual(['A', 'B']);
    expect(unreadable).toMatchObject([{ line: 4 }]);
  });

  test('is not led in circles by links', () => {
    withFolder({ 'a/b.yaml': 'apiVersion: v1\nkind: A\n' }, folder => {
      symlinkSync(folder, join(folder, 'a', 'loop'));
      symlinkSync(join(folder, 'gone'), join(folder, 'a', 'gone.yaml'));
      expect(readDocuments([folder]).sources).toHaveLength(1);
    });
  });

  test('needs paths that exist and hold manifests', () => {
    expect(() => checkManifests(['/no/such/folder'])).toThrow('"/no/such/folder": does not exist; name files or folders with rendered manifests');
    withFolder({ 'readme.md': '' }, folder => expect(() => checkManifests([folder])).toThrow(/no .yaml, .yml, .json file in there/));
  });

  test('survives aliases without end, and nesting without end', () => {
    const bomb = `a: &a [x]\n${Array.from({ length: 40 }, (_, i) => `b${i}: &b${i} [${Array(10).fill(i === 0 ? '*a' : `*b${i - 1}`).join(', ')}]`).join('\n')}\n`;
    const { findings } = withFolder({ 'bomb.yaml': bomb, 'deep.yaml': '['.repeat(200_000) }, folder => checkManifests([folder]));
    expect(findings.map(({ code }) => code)).toEqual(['HCP001', 'HCP002']);
  });
});

test('a host of two lines is a finding at most', () => {
  const { findings } = withFolder({ 'a.yaml': KAMAJI.replace('acme.k8s.example.com:443', '"acme.k8s\\n.example.com:443"') }, folder => checkManifests([folder]));
  expect(findings.map(({ severity }) => severity)).toContain('error');
});

describe('rules', () => {
  const KINDS = [
    ['kamaji.clastix.io/v1alpha1', 'TenantControlPlane'], ['steward.butlerlabs.dev/v1alpha1', 'TenantControlPlane'],
    ['controlplane.cluster.x-k8s.io/v1beta1', 'KamajiControlPlane'], ['controlplane.cluster.x-k8s.io/v1beta1', 'K0smotronControlPlane'],
    ['k0smotron.io/v1beta1', 'Cluster'], ['k0rdent.mirantis.com/v1beta1', 'ClusterDeployment'], ['hypershift.openshift.io/v1beta1', 'HostedCluster'],
    ['networking.k8s.io/v1', 'Ingress'], ['networking.k8s.io/v1', 'IngressClass'], ['traefik.io/v1alpha1', 'IngressRouteTCP'], ['traefik.io/v1alpha1', 'IngressRoute'],
    ['gateway.networking.k8s.io/v1', 'Gateway'], ['gateway.networking.k8s.io/v1', 'TLSRoute'], ['gateway.networking.k8s.io/v1', 'HTTPRoute'],
    ['networking.istio.io/v1', 'Gateway'], ['networking.istio.io/v1', 'VirtualService'], ['projectcontour.io/v1', 'HTTPProxy'],
    ['k8s.nginx.org/v1', 'TransportServer'], ['route.openshift.io/v1', 'Route'], ['v1', 'ConfigMap'], ['v1', 'Service'], ['v1', 'Endpoints'],
    ['discovery.k8s.io/v1', 'EndpointSlice'], ['apps/v1', 'Deployment'], ['apps/v1', 'DaemonSet'], ['externaldns.k8s.io/v1alpha1', 'DNSEndpoint'],
    ['cluster.x-k8s.io/v1beta1', 'Cluster'],
  ];
  const ODD = [undefined, null, 7, 'text', 'two\nlines:443', true, [], {}, [null], [{}], ['x'], { a: null }];

  test.each(ODD.map(value => [JSON.stringify(value) ?? 'nothing', value]))('take objects whose parts are %s', (_, value) => {
    const parts = ['spec', 'data', 'subsets', 'endpoints'];
    const odd = KINDS.flatMap(([apiVersion, kind]) => [
      { apiVersion, kind, metadata: value, ...Object.fromEntries(parts.map(part => [part, value])) },
      {
        apiVersion,
        kind,
        metadata: { name: 'tcp-proxy', namespace: 'default', annotations: value, labels: value },
        spec: Object.fromEntries(['controlPlane', 'networkProfile', 'addons', 'ingress', 'network', 'rules', 'routes', 'tls', 'listeners', 'parentRefs', 'hostnames',
          'virtualhost', 'tcpproxy', 'template', 'endpoints', 'config', 'services', 'gateways', 'servers', 'upstreams', 'to', 'port'].map(part => [part, value])),
        data: { 'haproxy.cfg': value, 'hosts.map': value, 'cluster-ids.map': value },
      },
    ]);
    const text = odd.map(object => JSON.stringify(object)).join('\n---\n');
    const platform = withFolder({ 'odd.yaml': text }, folder => readPlatform(readDocuments([folder]).sources));
    expect(() => RULES.flatMap(rule => rule.check(platform))).not.toThrow();
  });
});
