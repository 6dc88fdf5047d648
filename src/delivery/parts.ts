import { Yaml } from 'cdk8s';
import { titleOf } from './manifest-title';
import { invalidInput } from '../validation/invalid-input';

/** A ConfigMap holds 1 MiB (Kubernetes' `MaxSecretSize`); the rest is for what is beside the objects. */
const MAX_OBJECT = 900 * 1024;

/**
 * `kubectl apply` keeps the whole object in an annotation, and all annotations together hold 256 KiB: parts of this size,
 * measured as they are there, can be applied without `--server-side`.
 */
const MAX_PART = 240 * 1024;

/**
 * The objects as multi-document YAML, in parts of a size that a ConfigMap can hold; at least one.
 *
 * @param tenant names the tenant in the error
 * @throws when one object alone is too large
 */
export function yamlParts(tenant: string, objects: any[]): string[] {
  const parts: string[][] = [[]];
  let size = 0;
  for (const object of objects) {
    const document = documentOf(object);
    requireFitting(tenant, object, document);
    const length = encodedLength(document);
    if (size > 0 && size + length > MAX_PART) {
      parts.push([]);
      size = 0;
    }
    parts[parts.length - 1].push(document);
    size += length;
  }
  return parts.map(documents => documents.join('---\n'));
}

/**
 * Texts that come back changed from the YAML of cdk8s: octal numbers to readers of YAML 1.2, as it quotes for those of
 * YAML 1.1, and texts with a line of nothing but blanks.
 */
const MISREAD = /^[-+]?0o[0-7]+$|^[ \t]+$/m;

/** JSON is YAML too, and leaves no text open to interpretation. */
function documentOf(object: any): string {
  return isMisread(object) ? `${JSON.stringify(object, null, 2)}\n` : Yaml.stringify(object);
}

function isMisread(value: unknown): boolean {
  if (typeof value === 'string') {
    return MISREAD.test(value);
  }
  return value !== null && typeof value === 'object' && (Object.keys(value).some(isMisread) || Object.values(value).some(isMisread));
}

function requireFitting(tenant: string, object: any, document: string): void {
  const length = Buffer.byteLength(document);
  if (length > MAX_OBJECT) {
    throw invalidInput(tenant, titleOf(object), `has ${Math.ceil(length / 1024)} KiB; a ConfigMap of the management cluster can carry an object of ${MAX_OBJECT / 1024} KiB`,
      'Divide it, or deliver the tenant with TenantDelivery.manifests(), flux() or argoCd()');
  }
}

/** Bytes in the annotation: Go's JSON writes some characters in six. */
function encodedLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) + 5 * (text.match(/[<>&\u2028\u2029]/g)?.length ?? 0);
}
