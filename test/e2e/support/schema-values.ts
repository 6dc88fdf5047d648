import fc from 'fast-check';

/** Values that a schema of a chart admits; the schemas of charts are made of the words that are read here. */
export function valuesOf(schema: any): fc.Arbitrary<any> {
  const { not, ...rest } = schema;
  const values = positive(rest);
  return not ? values.filter(value => not.const !== undefined ? value !== not.const : !new RegExp(not.pattern).test(value)) : values;
}

function positive(schema: any): fc.Arbitrary<any> {
  if (schema.anyOf) {
    return fc.oneof(...schema.anyOf.map(valuesOf));
  }
  if (schema.enum) {
    return fc.constantFrom(...schema.enum);
  }
  if ('const' in schema) {
    return fc.constant(schema.const);
  }
  switch (schema.type) {
    case 'string': return fc.stringMatching(new RegExp(schema.pattern ?? '^[ -~]*$')).filter(text => text.length <= (schema.maxLength ?? Infinity));
    case 'integer': return fc.integer({ min: schema.minimum, max: schema.maximum });
    case 'boolean': return fc.boolean();
    case 'array': {
      const options = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 3, 3) };
      return schema.uniqueItems ? fc.uniqueArray(valuesOf(schema.items), options) : fc.array(valuesOf(schema.items), options);
    }
    default: return schema.propertyNames
      ? fc.dictionary(valuesOf(schema.propertyNames), valuesOf(schema.additionalProperties), { maxKeys: 3, noNullPrototype: true })
      : objects(schema);
  }
}

/** Of the elements of lists any that is not required may be left out. */
function objects({ properties, required = [], additionalProperties }: any): fc.Arbitrary<any> {
  const names = Object.keys(properties).filter(name => name !== 'global');
  const requiredKeys = additionalProperties === false && 'name' in properties ? required : names;
  return fc.record(Object.fromEntries(names.map(name => [name, valuesOf(properties[name])])), { requiredKeys, noNullPrototype: true });
}
