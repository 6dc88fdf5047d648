import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { loadAll } from 'js-yaml';
import { MUTATIONS } from './mutations';
import { SYNTHESIZED } from './synthesized';
import { ControlPlanePlatform, Finding, FindingSeverity, IngressController, IngressExposedControlPlane, SynthesizedPlatform, TcpProxyAddon, TenantCharts, TenantDelivery } from '../../../src';
import { Tenants } from '../../../test/conformance/tenants';
import { checkManifests } from '../../src/manifests/check';
import { manifestFiles, synthesizeExamples } from '../support/examples';

jest.setTimeout(120_000);

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

/** What the doctor says of files, without where it stands in them. */
function doctorFindings(paths: string[]): Finding[] {
  return checkManifests(paths).findings.map(({ code, severity, object, field, message, remedy }) =>
    ({ code, severity: severity as FindingSeverity, object, field, message, remedy }));
}

function bothFind(objects: any[]): { readonly doctor: Finding[]; readonly test: Finding[] } {
  const folder = mkdtempSync(join(tmpdir(), 'findings-'));
  try {
    writeFileSync(join(folder, 'manifests.yaml'), objects.map(object => JSON.stringify(object)).join('\n---\n'));
    return { doctor: doctorFindings([folder]), test: SynthesizedPlatform.ofManifests(objects).findings() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('findings() of a unit test are those of "doctor manifests"', () => {
  const examples = synthesizeExamples();

  test.each(examples.names)('in the example %s, where there are none', name => {
    const objects = manifestFiles(examples.folder(name)).flatMap(text => loadAll(text)).filter(Boolean);
    expect(objects.length).toBeGreaterThan(0);
    expect(SynthesizedPlatform.ofManifests(objects).findings()).toEqual([]);
    expect(doctorFindings([examples.folder(name)])).toEqual([]);
  });

  test.each(Object.keys(SYNTHESIZED))('in manifests of %s, where there are none', platform => {
    expect(SynthesizedPlatform.ofManifests(SYNTHESIZED[platform]()).findings()).toEqual([]);
  });

  test.each(MUTATIONS)('$platform: $what ($code)', ({ platform, change, code }) => {
    const objects = JSON.parse(JSON.stringify(SYNTHESIZED[platform]()));
    change(objects);
    const { doctor, test: found } = bothFind(objects);
    expect(found).toEqual(doctor);
    expect(found.map(finding => finding.code)).toContain(code);
  });

  test('where there is nothing to compare', () => {
    const { doctor, test: found } = bothFind([]);
    expect(found).toEqual(doctor);
    expect(found).toEqual([expect.objectContaining({ code: 'HCP002', severity: FindingSeverity.ERROR, object: undefined })]);
  });
});

describe('manifests that are carried to tenants', () => {
  const combination = { platform: 'kamaji', controller: 'haproxy', konnectivity: true, tcpProxy: 'sni, replicas, owned' };

  /** The management chart, and that of a tenant, to which `sync` brings a tcp-proxy. */
  function delivered(): { readonly management: Chart; readonly tenant: Chart } {
    const app = new App();
    const management = new Chart(app, 'management');
    const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });
    const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji(),
      controller: IngressController.haproxy(),
    });
    const tenant = tenants.of(controlPlane);
    new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane });
    app.synthYaml();
    return { management, tenant };
  }

  test('are looked at, as by the doctor', () => {
    const objects = JSON.parse(JSON.stringify(delivered().management.toJson()));
    expect(bothFind(objects)).toEqual({ doctor: [], test: [] });
    const bundle = objects.find(({ kind, data }: any) => kind === 'ConfigMap' && data?.['objects.yaml']);
    bundle.data['objects.yaml'] = bundle.data['objects.yaml'].replace(/tenants-tenant-01\.k8s/g, 'old.k8s');
    const { doctor, test: found } = bothFind(objects);
    expect(found).toEqual(doctor);
    expect(found.map(({ code }) => code)).toContain('HCP611');
  });

  test('say what the tcp-proxy does, once, whether the tenant\'s chart is given or not', () => {
    const { management, tenant } = delivered();
    const alone = SynthesizedPlatform.of(management);
    const both = SynthesizedPlatform.of(management, tenant);
    expect(alone.proxyUpstream()).toMatchObject({ host: 'tenants-tenant-01.k8s.example.com', verified: true });
    expect(both.proxyUpstream()).toEqual(alone.proxyUpstream());
    expect(both.proxyFlags()).toEqual(alone.proxyFlags());
    expect(alone.proxyFlags()).toMatchObject({ endpoints: 'owned' });
    expect(both.findings()).toEqual([]);
  });

  test('may be broken, or no manifests at all', () => {
    const objects = new Tenants(combination).manifests();
    const carriers = ['a: [b', 'a: &x *x', 'text', '', '---\n---\n'].map((text, i) =>
      ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${i}`, namespace: 'x' }, data: { 'values.yaml': text } }));
    expect(bothFind([...objects, ...carriers])).toEqual({ doctor: [], test: [] });
  });

  test('of which one is broken hide no other one', () => {
    const { management } = delivered();
    const carrier = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'x' }, data: { 'values.yaml': 'a: [b\n  - {' } };
    expect(SynthesizedPlatform.ofManifests([carrier, ...management.toJson()]).proxyUpstream().port).toBe(443);
  });
});
