import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, JsonPatch, YamlOutputType } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { CONTROLLERS, PLATFORMS, refused, refusedRoutes, TCP_PROXY_KINDS } from './matrix';
import { Combination, Tenants, TenantsProps } from './tenants';

/*
 * Properties of cdk8s and of generated classes that lose or change what was asked for without a word.
 */

const CELLS: Combination[] = [
  // Every platform behind one controller, and one platform behind every controller; each with another tcp-proxy.
  ...Object.keys(PLATFORMS).map(platform => ({
    platform, controller: Object.keys(CONTROLLERS).find(controller => !refusedRoutes({ platform, controller, konnectivity: true }))!,
  })),
  ...Object.keys(CONTROLLERS).map(controller => ({ platform: 'kamaji', controller })),
].map((pair, i) => {
  // Objects of two hosted clusters have one name in two namespaces, for which cdk8s has one file.
  const tenants = PLATFORMS[pair.platform].make(() => 30000).platform.bringsTcpProxy ? 1 : 2;
  const cell = { ...pair, konnectivity: true, tenants };
  const possible = TCP_PROXY_KINDS.slice(1).filter(tcpProxy => !refused({ ...cell, tcpProxy }));
  return { ...cell, tcpProxy: possible[i % possible.length] };
});
const CELL = '$platform, $controller, $tcpProxy';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traps-'));
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function objectsOf({ app }: Tenants): ApiObject[] {
  return app.node.findAll().filter(ApiObject.isApiObject);
}

/** Synthesizes to files and returns their contents by name. */
function filesOf(cell: Combination, props: TenantsProps): { [file: string]: string } {
  new Tenants(cell, { ...props, outdir: folder }).app.synth();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return Object.fromEntries(files.map(({ parentPath, name }) => [join(parentPath, name).slice(folder.length + 1), readFileSync(join(parentPath, name), 'utf8')]));
}

describe('patches of users are kept as they are, unknown fields and plain quantities included', () => {
  test.each(CELLS)(CELL, cell => {
    const patch = { memory: '8Gi', count: 1, nested: { on: true } };
    for (const object of objectsOf(new Tenants(cell))) {
      object.addJsonPatch(JsonPatch.add('/fieldOfTheFuture', patch));
      expect(object.toJson().fieldOfTheFuture).toEqual(patch);
      const section = object.toJson().spec ? 'spec' : 'metadata';
      object.addJsonPatch(JsonPatch.add(`/${section}/fieldOfTheFuture`, patch));
      expect(object.toJson()[section].fieldOfTheFuture).toEqual(patch);
    }
  });

  test('in a pod, where generated classes know quantities and ports as classes only', () => {
    const [{ workload }] = new Tenants({ platform: 'kamaji', controller: 'haproxy', konnectivity: true, tcpProxy: 'sni, replicas, owned' }).tcpProxies;
    const container = '/spec/template/spec/containers/0';
    workload!.addJsonPatch(
      JsonPatch.add(`${container}/resources/limits`, { 'memory': '1Gi', 'example.com/device': 1 }),
      JsonPatch.add(`${container}/lifecycle`, { preStop: { tcpSocket: { port: 'api' } } }),
      JsonPatch.add('/spec/strategy/rollingUpdate/maxSurge', '25%'),
    );
    const { strategy, template } = workload!.toJson().spec;
    expect(template.spec.containers[0].resources.limits).toEqual({ 'memory': '1Gi', 'example.com/device': 1 });
    expect(template.spec.containers[0].lifecycle).toEqual({ preStop: { tcpSocket: { port: 'api' } } });
    expect(strategy.rollingUpdate.maxSurge).toBe('25%');
  });
});

describe('pods have what was written and nothing that a library added', () => {
  test.each(['sni, replicas, owned', 'direct to an address, every node, owned advertise address'])('%s', tcpProxy => {
    const [{ workload }] = new Tenants({ platform: 'kamaji', controller: 'haproxy', konnectivity: true, tcpProxy }).tcpProxies;
    const { containers, initContainers = [] } = workload!.toJson().spec.template.spec;
    for (const { resources } of [...containers, ...initContainers]) {
      expect(resources?.limits?.cpu).toBeUndefined();
    }
    expect(containers[0].resources).toEqual({ requests: { cpu: '100m', memory: '48Mi' }, limits: { memory: '512Mi' } });
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      expect(Object.keys(containers[0][probe] ?? {})).not.toContain('tcpSocket');
    }
  });
});

describe('a namespace of the chart changes nothing', () => {
  test.each(CELLS)(CELL, cell => {
    const plain = new Tenants(cell).manifests();
    expect(new Tenants(cell, { chartNamespace: 'elsewhere' }).manifests()).toEqual(plain);
  });
});

describe('names have no hashes, so leaving hashes out changes nothing and no reference dangles', () => {
  test.each(CELLS)(CELL, cell => {
    const plain = new Tenants(cell).manifests();
    expect(new Tenants(cell, { disableResourceNameHashes: true }).manifests()).toEqual(plain);
    const named = new Set(plain.map(({ kind, metadata }) => `${kind}/${metadata.namespace}/${metadata.name}`));
    expect(plain.flatMap(referencesOf).filter(reference => !named.has(reference))).toEqual([]);
  });
});

/** The objects that a manifest names, as `kind/namespace/name`. */
function referencesOf({ kind, metadata: { namespace }, roleRef, subjects, spec }: any): string[] {
  switch (kind) {
    case 'RoleBinding':
      return [`${roleRef.kind}/${namespace}/${roleRef.name}`, ...subjects.map((subject: any) => `${subject.kind}/${subject.namespace}/${subject.name}`)];
    case 'Deployment': case 'DaemonSet': {
      const { serviceAccountName, volumes } = spec.template.spec;
      // Every namespace has kube-root-ca.crt.
      const configMaps = volumes.flatMap(({ configMap }: any) => configMap && configMap.name !== 'kube-root-ca.crt' ? [configMap.name] : []);
      return [
        ...serviceAccountName ? [`ServiceAccount/${namespace}/${serviceAccountName}`] : [],
        ...configMaps.map((name: string) => `ConfigMap/${namespace}/${name}`),
      ];
    }
    default: return [];
  }
}

describe('every object has a file of its own', () => {
  test.each(CELLS)(`FOLDER_PER_CHART_FILE_PER_RESOURCE: ${CELL}`, cell => {
    const files = filesOf(cell, { yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
    expect(Object.keys(files)).toHaveLength(new Tenants(cell).manifests().length);
  });

  // cdk8s overwrites files of equal kind and name in this type, and two tenants have equal objects by nature.
  test.each(CELLS)(`FILE_PER_RESOURCE, one tenant: ${CELL}`, cell => {
    const one = { ...cell, tenants: 1 };
    expect(Object.keys(filesOf(one, { yamlOutputType: YamlOutputType.FILE_PER_RESOURCE }))).toHaveLength(new Tenants(one).manifests().length);
  });
});

describe('YAML 1.1 and 1.2 parsers read what was written', () => {
  test.each(CELLS)(CELL, cell => {
    const text = Object.entries(filesOf(cell, {})).sort().map(([, content]) => content);
    const read = (version: '1.1' | '1.2') => text.flatMap(content => parseAllDocuments(content, { version }).map(document => document.toJS()));
    const written = new Tenants(cell);
    const charts = [...written.app.charts].sort((a, b) => a.node.id < b.node.id ? -1 : 1);
    expect(read('1.1')).toEqual(charts.flatMap(chart => chart.toJson()));
    expect(read('1.2')).toEqual(read('1.1'));
  });

  test('also where a value looks like another type', () => {
    const tenants = new Tenants({ platform: 'kamaji', controller: 'haproxy', konnectivity: true });
    const strange = { a: 'on', b: 'yes', c: '0x20', d: '443', e: '1e3', f: '~', g: '012', h: '1:20', i: 'null', j: '- a', k: ' b ', l: 'é\n\tü' };
    tenants.controlPlanes[0].platformObject.addJsonPatch(JsonPatch.add('/metadata/annotations', strange));
    const text = tenants.app.synthYaml();
    for (const version of ['1.1', '1.2'] as const) {
      expect(parseAllDocuments(text, { version }).map(document => document.toJS()).find(({ kind }) => kind === 'TenantControlPlane').metadata.annotations)
        .toEqual(strange);
    }
  });
});

test('empty objects that mean something are in the output', () => {
  const tenants = new Tenants({ platform: 'kamaji', controller: 'haproxy', konnectivity: true, tcpProxy: 'sni, replicas, owned' });
  const manifests = parseAllDocuments(tenants.app.synthYaml()).map(document => document.toJS());
  const byKind = (kind: string) => manifests.find(manifest => manifest.kind === kind);
  expect(byKind('TenantControlPlane').spec.kubernetes.kubelet).toEqual({});
  expect(byKind('Deployment').spec.template.spec.volumes).toContainEqual(expect.objectContaining({ emptyDir: expect.anything() }));
});
