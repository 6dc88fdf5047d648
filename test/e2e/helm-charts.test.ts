import { spawnSync } from 'child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { App, Chart } from 'cdk8s';
import fc from 'fast-check';
import { loadAll } from 'js-yaml';
import { EXAMPLES, SHOWN } from './support/chart-examples';
import { valuesOf } from './support/schema-values';
import { HELM_CHARTS } from '../../charts/all';
import { chartFiles, objectsOf } from '../../charts/engine/chart-files';
import { HelmChart, Release } from '../../charts/engine/definition';
import { schemaOf } from '../../charts/engine/values';
import {
  ControlPlanePlatform, IngressExposedControlPlane, SharedIngressGateway, SynthesizedPlatform, TcpProxyAddon, TcpProxyUpstream, TenantCharts,
} from '../../src';

const RUNS = Number(process.env.CHART_RUNS ?? 25);
const RELEASE: Release = { name: 'edge', namespace: 'edge-system' };
const HOSTILE = ['a.example.com\n  server evil 10.0.0.1:1', 'a.example.com"', "a'.example.com", 'a.example.com }}{{ .Release.Name', 'a.example.com if { always_true }', 'a.example.com #', '$(id)', ' '];
const home = mkdtempSync(join(tmpdir(), 'helm-charts-'));
for (const folder of ['CACHE', 'CONFIG', 'DATA']) {
  process.env[`HELM_${folder}_HOME`] = join(home, folder.toLowerCase());
}
beforeAll(() => HELM_CHARTS.forEach(chart => {
  for (const [path, content] of Object.entries(chartFiles(chart, '0.1.0'))) {
    const file = join(home, chart.name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}), 120_000);

function helm(args: string[], values: object) {
  const { status, stdout, stderr } = spawnSync(process.env.HELM!, [...args, '--values', '-'], { input: JSON.stringify(values), encoding: 'utf8', timeout: 30_000 });
  return { ok: status === 0, stdout, stderr };
}

function render(chart: HelmChart<any>, values: object, { name, namespace } = RELEASE) {
  return helm(['template', name, join(home, chart.name), '--namespace', namespace, '--kube-version', '1.34.0'], values);
}

/** As text, whatever the order of objects and keys, and of the names in a rule of RBAC. */
function sorted(objects: object[]): string[] {
  const inOrder = (key: string, value: any) => {
    if (key === 'resourceNames') {
      return [...new Set(value)].sort();
    }
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1)) : value;
  };
  return objects.map(object => JSON.stringify(object, inOrder, 1)).sort();
}

function rendered(output: string): object[] {
  return loadAll(output).filter(object => object) as object[];
}

function synthesized(chart: HelmChart<any>, values: object, release = RELEASE): object[] | undefined {
  try {
    return objectsOf(chart, values, release);
  } catch {
    return undefined;
  }
}

describe.each(HELM_CHARTS.map(chart => [chart.name, chart] as const))('the Helm chart %s', (name, chart) => {
  test('renders the objects of the constructs for whatever its schema admits, and refuses what they refuse', () => {
    let equal = 0;
    fc.assert(fc.property(valuesOf(schemaOf(chart.values)), values => {
      const { ok, stdout, stderr } = render(chart, values);
      const expected = synthesized(chart, values);
      if (expected === undefined) {
        expect([ok, stderr]).toEqual([false, expect.stringContaining('Error')]);
      } else {
        expect(stderr).toBe('');
        expect(sorted(rendered(stdout))).toEqual(sorted(expected));
        equal++;
      }
    }), { numRuns: RUNS });
    expect(equal).toBeGreaterThan(RUNS / 4);
  }, 300_000);

  test('renders the objects of the constructs with its defaults, and with what its page shows', () => {
    for (const values of [...EXAMPLES[name], ...SHOWN.filter(shown => shown.chart === name).map(shown => shown.values)]) {
      const { stdout, stderr } = render(chart, values);
      expect(stderr).toBe('');
      const complete = withDefaults(defaults(chart), values);
      expect(sorted(rendered(stdout))).toEqual(sorted(objectsOf(chart, complete, RELEASE)));
    }
  });

  test('refuses a hostile text wherever one can stand, by the name of the value', () => {
    const [example] = EXAMPLES[name];
    for (const path of textsOf(schemaOf(chart.values))) {
      const text = HOSTILE[path.join('.').length % HOSTILE.length];
      for (const hostile of [text, HOSTILE[0]]) {
        const { ok, stderr } = render(chart, replaced({ ...defaults(chart), ...example }, path, hostile) as object);
        expect([path, ok]).toEqual([path, false]);
        expect(stderr).toContain(path.filter(part => part !== '[]').at(-1));
      }
    }
  }, 120_000);

  test('refuses values that it does not know', () => {
    const { ok, stderr } = render(chart, { ...EXAMPLES[name][0], hots: 'typing.example.com' });
    expect([ok, stderr]).toEqual([false, expect.stringContaining("'hots' not allowed")]);
  });

  test('is what helm package makes a package of', () => {
    const { status, stderr, stdout } = spawnSync(process.env.HELM!, ['package', join(home, name), '--destination', home], { encoding: 'utf8' });
    expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining(`${name}-0.1.0.tgz`)]);
  });

  test('passes helm lint, and has a line of documentation above each value', () => {
    const { ok, stdout } = helm(['lint', join(home, name), '--strict'], EXAMPLES[name][0]);
    expect([ok, stdout]).toEqual([true, expect.stringContaining('0 chart(s) failed')]);
    const lines = readFileSync(join(home, name, 'values.yaml'), 'utf8').split('\n');
    lines.forEach((line, i) => {
      if (/^ *\w+: \S/.test(line)) {
        expect([line, lines[i - 1]]).toEqual([line, expect.stringMatching(/^ *# *\S/)]);
      }
    });
  });

  test('refuses a release whose name cannot be that of its objects', () => {
    const { ok, stderr } = render(chart, EXAMPLES[name][0], { ...RELEASE, name: '1st' });
    expect([ok, stderr]).toEqual([false, expect.stringContaining('starting with a letter')]);
  });
});

function defaults({ values }: { values: any }): any {
  return Object.fromEntries(Object.entries<any>(values).flatMap(([name, value]) => 'values' in value ? [[name, defaults(value)]] : value.default === undefined ? [] : [[name, value.default]]));
}

/** As Helm puts values over those of a chart. */
function withDefaults(all: any, values: any): any {
  const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const over = ([key, value]: [string, unknown]) => [key, isMap(value) && isMap(all[key]) ? withDefaults(all[key], value) : value];
  return { ...all, ...Object.fromEntries(Object.entries(values).map(over)) };
}

/** Where texts stand that are not words of a list. */
function textsOf(schema: any): string[][] {
  if (schema.type === 'object' && schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, property]) => textsOf(property).map(path => [name, ...path]));
  }
  if (schema.type === 'array') {
    return textsOf(schema.items).map(path => ['[]', ...path]);
  }
  return schema.type === 'string' || schema.enum ? [[]] : [];
}

function replaced(value: any, [first, ...rest]: string[], text: string): unknown {
  if (first === undefined) {
    return text;
  }
  return first === '[]' ? [replaced(value?.[0] ?? {}, rest, text)] : { ...value, [first]: replaced(value?.[first], rest, text) };
}

describe('the charts together', () => {
  const HOST = 'tenant-01.k8s.example.com';
  const KONNECTIVITY = 'tenant-01.konnectivity.example.com';
  const tenant = { name: 'tenant-01', namespace: 'tenants', host: HOST, konnectivityHost: KONNECTIVITY, clusterId: 'tenant-01' };
  const proxy = { host: HOST, kubernetesServiceIp: '10.96.0.1', upstream: 'gateway', gateway: { clusterId: 'tenant-01' } };
  const gatewayChart = HELM_CHARTS.find(({ name }) => name === 'shared-ingress-gateway')!;
  const proxyChart = HELM_CHARTS.find(({ name }) => name === 'tcp-proxy')!;

  /** The control plane, whose operator is told of a gateway and a tcp-proxy that Helm brings. */
  function controlPlane(): object[] {
    const app = new App();
    const management = new Chart(app, 'management');
    const gateway = new SharedIngressGateway(management, 'gateway', { namespace: 'edge-system', name: 'edge' });
    const plane = new IngressExposedControlPlane(management, 'tenant-01', {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      hostname: HOST,
      konnectivity: { hostname: KONNECTIVITY },
      clusterId: 'tenant-01',
      platform: ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
      controller: gateway.asController(),
    });
    const tenants = new TenantCharts(management, 'tenants');
    new TcpProxyAddon(tenants.of(plane), 'tcp-proxy', { controlPlane: plane, upstream: TcpProxyUpstream.sharedGateway(gateway) });
    return management.toJson().filter(({ kind }: { kind: string }) => kind === 'TenantControlPlane');
  }

  function findings(ofGateway: object, ofProxy: object): string[] {
    const manifests = [
      ...controlPlane(),
      ...rendered(render(gatewayChart, ofGateway).stdout),
      ...rendered(render(proxyChart, ofProxy, { name: 'tcp-proxy', namespace: 'kube-system' }).stdout),
    ];
    return SynthesizedPlatform.ofManifests(manifests).findings().map(({ code }) => code);
  }

  test('give the doctor nothing to find', () => {
    expect(findings({ tenants: [tenant] }, proxy)).toEqual([]);
  });

  test('let the doctor find a gateway that does not know the host of a tenant', () => {
    expect(findings({ tenants: [{ ...tenant, host: 'tenant-02.k8s.example.com' }] }, proxy)).not.toEqual([]);
  });
});

test('the page of the charts shows values for each of them', () => {
  expect(new Set(SHOWN.map(({ chart }) => chart))).toEqual(new Set(HELM_CHARTS.map(({ name }) => name)));
});

test.each([
  ['host', { host: 'a.k8s.example.com' }, { host: 'a.k8s.example.com' }],
  ['namespace and name', { host: 'a.k8s.example.com' }, { host: 'b.k8s.example.com', name: 'tenant-a' }],
  ['clusterId', { host: 'a.k8s.example.com', clusterId: 'one' }, { host: 'b.k8s.example.com', clusterId: 'one' }],
])('refuses two tenants of a gateway with the same %s', (what, a, b) => {
  const chart = HELM_CHARTS.find(({ name }) => name === 'shared-ingress-gateway')!;
  const tenants = [{ name: 'tenant-a', namespace: 'tenants', ...a }, { name: 'tenant-b', namespace: 'tenants', ...b }];
  expect(render(chart, { tenants })).toMatchObject({ ok: false, stderr: expect.stringContaining(`two have the same ${what}`) });
  expect(synthesized(chart, { ...defaults(chart), tenants })).toBeUndefined();
});

test.each([
  ['namespaces', [{ name: 'tenants', tenants: ['a'] }, { name: 'tenants', tenants: ['b'] }]],
  ['tenants', [{ name: 'tenants', tenants: ['a', 'a'] }]],
])('refuses certificates for two %s of one name', (what, names) => {
  const chart = HELM_CHARTS.find(({ name }) => name === 'tenant-certificates')!;
  const namespaces = names.map(({ name, tenants }) => ({
    name, tenants: tenants.map(tenant => ({ name: tenant, platform: 'kamaji', kubernetesServiceIp: '10.96.0.1' })),
  }));
  expect(render(chart, { namespaces })).toMatchObject({ ok: false, stderr: expect.stringContaining(`${what}: two`) });
  expect(synthesized(chart, { ...defaults(chart), namespaces })).toBeUndefined();
});
