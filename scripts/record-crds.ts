/**
 * Records the schemas of CustomResourceDefinitions for the tests: `tsx scripts/record-crds.ts <folder of YAML files>`.
 *
 * What is kept is what an API server needs to accept or refuse a manifest: names, versions, schemas and CEL rules, without
 * prose, columns and the schema of `status`, which this library never writes. One line of JSON a definition, in test/support/crds.
 */
import { readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { load } from 'js-yaml';

const APPROVED = 'api-approved.kubernetes.io';
/** Keywords whose keys are names of fields, not keywords. */
const NAMES = new Set(['properties', 'patternProperties', 'definitions']);
/** Keywords whose values are no schemas. */
const DATA = new Set(['default', 'enum']);
const PROSE = ['description', 'message', 'messageExpression', 'example', 'externalDocs'];

/** A schema without its prose; below `properties` the keys are names of fields and stay. */
function withoutProse(schema: any): any {
  if (Array.isArray(schema)) {
    return schema.map(withoutProse);
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  return Object.fromEntries(Object.entries(schema)
    .filter(([key]) => !PROSE.includes(key))
    .map(([key, value]) => [key, NAMES.has(key) ? mapValues(value, withoutProse) : DATA.has(key) ? value : withoutProse(value)]));
}

function mapValues(object: any, map: (value: any) => any): any {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function recorded({ spec: { group, names, scope, versions }, metadata: { name, annotations } }: any): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    // API servers refuse groups of Kubernetes itself without it.
    metadata: { name, annotations: annotations?.[APPROVED] && { [APPROVED]: annotations[APPROVED] } },
    spec: {
      group,
      names,
      scope,
      versions: versions.map(({ name: version, served, storage, subresources, schema: { openAPIV3Schema } }: any) =>
        ({ name: version, served, storage, subresources, schema: { openAPIV3Schema: withoutStatus(withoutProse(openAPIV3Schema)) } })),
    },
  };
}

function withoutStatus(root: any): any {
  return root.properties?.status
    ? { ...root, properties: { ...root.properties, status: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } } }
    : root;
}

const [folder] = process.argv.slice(2);
if (!folder) {
  throw new Error('usage: tsx scripts/record-crds.ts <folder with CustomResourceDefinitions as YAML>');
}
for (const file of readdirSync(folder).filter(name => /\.ya?ml$/.test(name)).sort()) {
  const definition = recorded(load(readFileSync(join(folder, file), 'utf8')));
  writeFileSync(join(__dirname, '..', 'test', 'support', 'crds', file.replace(/\.ya?ml$/, '.json')), `${JSON.stringify(definition)}\n`);
}
