/**
 * Writes what API servers fill in by themselves for the kinds that `adopt` reads, from the definitions in test/support/crds:
 * `tsx scripts/adopt-defaults.ts`, which adopt/test/defaults.test.ts has run.
 */
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { Expression } from '../adopt/src/code/expression';
import { typescriptOf } from '../adopt/src/code/typescript';

const ROOT = join(__dirname, '..');
const FILES = [
  'kamaji.clastix.io_tenantcontrolplanes', 'steward.butlerlabs.dev_tenantcontrolplanes', 'k0smotron.io_clusters',
  'controlplane.cluster.x-k8s.io_kamajicontrolplanes', 'controlplane.cluster.x-k8s.io_k0smotroncontrolplanes', 'hypershift.openshift.io_hostedclusters',
];
/** Parts of pods, which are taken as they are. */
const OTHERS = /^((additional|extra)(Containers|InitContainers|Volumes|VolumeMounts)|manifests|mounts)$/;

/** A path with `[]` for each item of a list, and what stands there where nothing is written. */
type Default = [path: string, value: unknown];

/** Parents before what is in them, as an API server fills them in. */
function defaultsOf(schema: any, path: string): Default[] {
  const own: Default[] = schema.default === undefined ? [] : [[path, schema.default]];
  const fields = Object.keys(schema.properties ?? {}).filter(name => !OTHERS.test(name)).sort()
    .flatMap(name => defaultsOf(schema.properties[name], `${path}.${name}`));
  return [...own, ...fields, ...schema.items ? defaultsOf(schema.items, `${path}[]`) : []];
}

export function recordedDefaults(): string {
  const kinds = FILES.flatMap((file): [kind: string, defaults: Default[]][] => {
    const { spec: { group, names: { kind }, versions } } = JSON.parse(readFileSync(join(ROOT, 'test', 'support', 'crds', `${file}.json`), 'utf8'));
    return versions.map(({ name, schema: { openAPIV3Schema: { properties: { spec } } } }: any) =>
      [`${group}/${name} ${kind}`, defaultsOf(spec, 'spec')]);
  });
  const line = ([path, value]: Default) => `    ['${path}', ${typescriptOf(value as Expression, '    ')}],`;
  const lines = kinds.flatMap(([kind, defaults]) => [`  '${kind}': [`, ...defaults.map(line), '  ],']);
  return `${[
    "import { Json } from '../code/expression';",
    '',
    '/**',
    ' * What API servers fill in, by version and kind: a path with `[]` for each item of a list, and the value. Parents stand before what is in them.',
    ' *',
    ' * Written by scripts/adopt-defaults.ts.',
    ' */',
    '/* eslint-disable @stylistic/max-len */',
    'export const RECORDED_DEFAULTS: { readonly [versionAndKind: string]: readonly (readonly [path: string, value: Json])[] } = {',
    ...lines,
    '};',
  ].join('\n')}\n`;
}

if (require.main === module) {
  writeFileSync(join(ROOT, 'adopt', 'src', 'defaults', 'recorded.ts'), recordedDefaults());
}
