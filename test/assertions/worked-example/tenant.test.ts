import { Testing } from 'cdk8s';
import { Tenant } from './tenant';
import { SynthesizedPlatform } from '../../../src';

const app = Testing.app();
new Tenant(app, 'tenant-01');
const synthesized = SynthesizedPlatform.ofApp(app);

test('nothing in the manifests disagrees', () => {
  expect(synthesized.findings()).toEqual([]);
});

test('kubectl and kubelets reach the API server by its host, with TLS closed', () => {
  expect(synthesized.routeTo('tenants-tenant-01.k8s.example.com')).toMatchObject({ passthrough: true, serviceName: 'tenant-01', servicePort: 6443 });
});

test('konnectivity agents dial the host that is routed to the konnectivity server', () => {
  const host = synthesized.konnectivityHost('tenant-01')!;

  expect(synthesized.routeTo(host).servicePort).toBe(8132);
  expect(synthesized.konnectivityAgentArgs('tenant-01')).toContain('--proxy-server-port=443');
});

test('the certificate carries every host that is routed', () => {
  const hosts = synthesized.routes().map(({ hostname }) => hostname);

  expect(synthesized.certSans('tenant-01')).toEqual(expect.arrayContaining(hosts));
});

test('the tcp-proxy owns default/kubernetes, and the API server leaves it alone', () => {
  expect(synthesized.proxyFlags().endpoints).toBe('owned');
  expect(synthesized.apiServerFlags('tenant-01')['endpoint-reconciler-type']).toBe('none');
});

test('the tcp-proxy connects to the API server that it verifies', () => {
  expect(synthesized.proxyUpstream()).toMatchObject({ host: 'tenants-tenant-01.k8s.example.com', port: 443, verified: true });
});

test('the manifests are those that were reviewed', () => {
  expect(synthesized.stableManifests()).toMatchSnapshot();
});
