/** A JSON schema. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** A value that users of a chart may set. */
export interface ValueDefinition {
  /** What it is, in Markdown. */
  readonly description: string;
  readonly schema: Schema;
  /** Undefined for one that must be given. */
  readonly default?: unknown;
}

/** Values, by their names. */
export interface ValueDefinitions {
  readonly [name: string]: ValueDefinition | { readonly values: ValueDefinitions };
}

/** The schema that `helm` checks values with before it renders anything. */
export function schemaOf(values: ValueDefinitions): Schema {
  // Helm gives charts within charts what is for all of them.
  const { properties, ...schema } = objectSchema(values);
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schema, properties: { ...properties as object, global: { type: 'object' } } };
}

function objectSchema(values: ValueDefinitions): Schema {
  const required = Object.keys(values).filter(name => !('values' in values[name]) && values[name].default === undefined);
  return {
    type: 'object',
    additionalProperties: false,
    ...required.length > 0 ? { required } : {},
    properties: Object.fromEntries(Object.entries(values).map(([name, value]) =>
      [name, 'values' in value ? objectSchema(value.values) : { ...value.schema, description: value.description }])),
  };
}

/** The file with the defaults and what each value is. */
export function valuesYaml(values: ValueDefinitions): string {
  return `${linesOf(values, '').join('\n')}\n`;
}

function linesOf(values: ValueDefinitions, pad: string): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if ('values' in value) {
      return [`${pad}${name}:`, ...linesOf(value.values, `${pad}  `)];
    }
    const comment = value.description.split('\n').map(line => `${pad}# ${line}`.trimEnd());
    return [...comment, value.default === undefined ? `${pad}# ${name}: must be given` : `${pad}${name}: ${JSON.stringify(value.default)}`];
  });
}
