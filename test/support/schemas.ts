import Ajv, { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { CustomKind, customKinds } from './crd-schemas';
import { kubernetesDefinitions, kubernetesSchema } from './kubernetes-schemas';

const validators = new Map<string, ValidateFunction | undefined>();
let ajv: Ajv | undefined;
let custom: Map<string, CustomKind> | undefined;

/** Fails the test with every reason why an API server would refuse the manifest. */
export function expectValid(manifest: any): void {
  const errors = validationErrors(manifest);
  if (errors.length > 0) {
    throw new Error(`${title(manifest)} is not valid:\n${errors.map(error => `  ${error}`).join('\n')}\n${JSON.stringify(manifest, null, 2)}`);
  }
}

/**
 * Every reason why an API server with strict field validation would refuse the manifest, as `path: reason`; empty
 * when it is valid.
 *
 * Built-in kinds are held against Kubernetes 1.30, custom resources against the definitions in `CRD_FOLDER`. CEL rules
 * are not evaluated.
 */
export function validationErrors(manifest: any): string[] {
  const { apiVersion, kind } = manifest;
  const validate = validatorOf(apiVersion, kind);
  if (!validate) {
    return [`/kind: no schema for ${apiVersion} ${kind}`];
  }
  if (validate(manifest)) {
    return [];
  }
  return [...new Set(validate.errors!.map(describeError))].sort();
}

function validatorOf(apiVersion: string, kind: string): ValidateFunction | undefined {
  const key = `${apiVersion} ${kind}`;
  if (!validators.has(key)) {
    custom ??= new Map(customKinds().map(definition => [`${definition.apiVersion} ${definition.kind}`, definition]));
    const schema = kubernetesSchema(apiVersion, kind) ?? custom.get(key)?.schema;
    validators.set(key, schema && compiler().compile(schema));
  }
  return validators.get(key);
}

function compiler(): Ajv {
  if (!ajv) {
    // The definitions are written in Kubernetes' dialect of JSON schema and in Go's dialect of regular expressions.
    ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
    addFormats(ajv);
    ajv.addSchema(kubernetesDefinitions());
  }
  return ajv;
}

function describeError(error: ErrorObject): string {
  const path = error.instancePath || '/';
  switch (error.keyword) {
    case 'additionalProperties': return `${path}: unknown field "${error.params.additionalProperty}"`;
    case 'required': return `${path}: missing field "${error.params.missingProperty}"`;
    case 'enum': return `${path}: must be one of ${error.params.allowedValues.join(', ')}`;
    case 'false schema': return `${path}: not allowed here`;
    default: return `${path}: ${error.message}`;
  }
}

function title({ apiVersion, kind, metadata }: any): string {
  return `${apiVersion} ${kind} ${metadata?.namespace ?? '-'}/${metadata?.name}`;
}
