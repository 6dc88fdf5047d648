import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { objectSchema, OBJECT_META_REF } from './kubernetes-schemas';

/** Folder with what the upstream CustomResourceDefinitions say, one JSON file each; scripts/record-crds.ts writes it. */
export const CRD_FOLDER = join(__dirname, 'crds');

/** Kinds that examples have and the folder has no definition of. */
export const KINDS_WITHOUT_DEFINITION = ['JoinTokenRequest'];

/** A version of a kind that a CustomResourceDefinition serves. */
export interface CustomKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** JSON schema of the whole object; an unknown field is an error. */
  readonly schema: object;
}

/** Every version of every kind in the folder, also those that the newest release no longer serves: older installations do. */
export function customKinds(): CustomKind[] {
  return readdirSync(CRD_FOLDER).filter(file => file.endsWith('.json')).sort().flatMap(file => {
    const { spec } = JSON.parse(readFileSync(join(CRD_FOLDER, file), 'utf8'));
    return spec.versions.map((version: any): CustomKind => ({
      apiVersion: `${spec.group}/${version.name}`,
      kind: spec.names.kind,
      schema: {
        allOf: [rootSchema(version.schema.openAPIV3Schema), objectSchema(spec.scope === 'Namespaced')],
      },
    }));
  });
}

function rootSchema(crd: any): object {
  const { status, ...properties } = crd.properties;
  const root = strict({ ...crd, properties });
  return {
    ...root,
    properties: {
      ...root.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: OBJECT_META_REF },
    },
  };
}

/**
 * Turns a structural schema into a JSON schema under which an unknown field is an error, as the API server has it
 * with strict field validation.
 */
function strict(schema: any): any {
  const {
    type, nullable, properties, additionalProperties, required, items, minimum, maximum, exclusiveMinimum, exclusiveMaximum,
    default: _default, description: _description, example: _example, ...rest
  } = schema;
  const result: any = Object.fromEntries(Object.entries(rest).filter(([key, value]) => !key.startsWith('x-kubernetes-') && value !== null));

  const types = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : type ? [type] : undefined;
  if (types) {
    result.type = nullable ? [...types, 'null'] : types;
  }
  // A flag of Go's, which ECMAScript does not know: lower case alone is taken here.
  if (result.pattern !== undefined) {
    result.pattern = result.pattern.replace('(?i)', '');
  }
  if (nullable && result.enum) {
    result.enum = [...result.enum, null];
  }
  // OpenAPI 3.0 marks a limit as exclusive, JSON schema has a keyword of its own.
  Object.assign(result,
    minimum !== undefined && { [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: minimum },
    maximum !== undefined && { [exclusiveMaximum ? 'exclusiveMaximum' : 'maximum']: maximum });
  if (items) {
    result.items = strict(items);
  }
  if (properties) {
    result.properties = strictMap(properties);
  }
  if (required) {
    // The API server fills defaults in before it looks for what is missing.
    result.required = required.filter((name: string) => properties?.[name]?.default === undefined);
  }
  // Only a schema with a type declares fields; inside allOf, anyOf, oneOf and not it restricts values.
  if (type !== 'object') {
    return result;
  }
  if (schema['x-kubernetes-embedded-resource']) {
    const text = { type: 'string' };
    result.properties = { apiVersion: text, kind: text, ...result.properties, metadata: { $ref: OBJECT_META_REF } };
    result.required = ['apiVersion', 'kind', ...result.required ?? []];
  }
  if (additionalProperties !== undefined) {
    result.additionalProperties = typeof additionalProperties === 'object' ? strict(additionalProperties) : additionalProperties;
  } else if (!schema['x-kubernetes-preserve-unknown-fields']) {
    result.additionalProperties = false;
  }
  return result;
}

function strictMap(properties: any): any {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, strict(schema)]));
}
