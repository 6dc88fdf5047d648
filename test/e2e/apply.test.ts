import { Cluster } from './support/cluster';
import { ControlPlanePlatform } from '../../src';
import { stopParts } from '../data-path/support/parts';
import { CONFIGURATIONS, synthesize } from '../platforms/configurations';
import { applyByClient, applyByServer, CRD_DEFAULTS, Spec, stored } from '../platforms/operator-rules';

/*
 * The rules by which test/platforms/removal.test.ts applies every configuration over every other are those of kubectl and a
 * real API server.
 *
 * With one exception: before Kubernetes 1.36 (structured-merge-diff 6.3.1) server-side apply makes null of an object whose last
 * field it takes away. docs/troubleshooting.md has the way out, which is taken here.
 */
const GROUP = 'rules.test';
const MAPS = ['nodeSelector', 'labels', 'annotations'];

/** A structural schema for the values, with named fields as the CRDs of the operators have them. */
function schemaOf(values: any[], path: string[] = []): any {
  const [sample] = values;
  if (Array.isArray(sample)) {
    return { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } };
  }
  if (typeof sample !== 'object') {
    return { type: typeof sample === 'number' ? 'integer' : typeof sample };
  }
  if (MAPS.includes(path.at(-1)!)) {
    return { type: 'object', additionalProperties: { type: 'string' } };
  }
  const properties = Object.fromEntries([...new Set(values.flatMap(value => Object.keys(value)))].map(key => {
    const below = [...path, key];
    const fallback = CRD_DEFAULTS.find(([of]) => of.join('.') === below.join('.'));
    return [key, { ...schemaOf(values.filter(value => key in value).map(value => value[key]), below), ...fallback && { default: fallback[1] } }];
  }));
  return { type: 'object', properties };
}

function definition(specs: Spec[]): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `controlplanes.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind: 'ControlPlane', plural: 'controlplanes', singular: 'controlplane', listKind: 'ControlPlaneList' },
      versions: [{
        name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: schemaOf(specs) } } },
      }],
    },
  };
}

const specs = Object.entries(CONFIGURATIONS).map(([title, configuration]) =>
  ({ title, spec: synthesize(props => ControlPlanePlatform.kamaji(props), configuration) }));
const [plain, ...others] = specs;
/** Each part comes, goes, and is replaced by another. */
const steps = others.flatMap((other, i) => [[plain, other], [other, plain], [other, others[(i + 1) % others.length]]]);

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start({ behindIngress: false });
  // A field that only a default has must be there too.
  await cluster.apply([definition([...specs.map(({ spec }) => spec), ...specs.map(({ spec }) => stored(spec))])]);
  await cluster.kubectl(['wait', '--for=condition=Established', `crd/controlplanes.${GROUP}`, '--timeout=30s']);
}, 120_000);

afterAll(stopParts);

describe.each([
  ['client', applyByClient, []],
  ['server', applyByServer, ['--server-side']],
])('kubectl apply on the %s\'s side', (side, apply, flags) => {
  test('changes a control plane as the rules of the tests say', async () => {
    for (const [i, [from, to]] of steps.entries()) {
      const name = `${side}-${i}`;
      const applied = async (spec: Spec) => JSON.parse(await cluster.apply([{
        apiVersion: `${GROUP}/v1`, kind: 'ControlPlane', metadata: { name, namespace: 'default' }, spec,
      }], '--output=json', ...flags)).spec;
      const before = await applied(from.spec);
      expect({ of: from.title, spec: before }).toEqual({ of: from.title, spec: stored(from.spec) });
      const after = await applied(to.spec).catch(async (error: Error) => {
        const emptied = [...error.message.matchAll(/(spec\.\S+) in body must be of type object: "null"/g)].map(([, path]) => path);
        expect([side, emptied.length > 0]).toEqual(['server', true]);
        // A tcp-proxy must be able to leave without the way out.
        expect(emptied).not.toContain('spec.controlPlane.deployment.extraArgs');
        const patch = emptied.map(path => ({ op: 'replace', path: `/${path.replaceAll('.', '/')}`, value: {} }));
        await cluster.kubectl(['patch', 'controlplane', name, '--type=json', `--patch=${JSON.stringify(patch)}`]);
        return applied(to.spec);
      });
      expect({ from: from.title, to: to.title, spec: after }).toEqual({ from: from.title, to: to.title, spec: apply(from.spec, to.spec, before) });
    }
  }, 240_000);
});
