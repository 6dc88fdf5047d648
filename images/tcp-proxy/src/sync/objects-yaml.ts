import { CORE_SCHEMA, loadAll } from 'js-yaml';
import { SyncError } from './errors';
import { NamedObject } from './reference';

/** A ConfigMap has no room for more without aliases. */
const MOST_VALUES = 500_000;

/**
 * Reads the objects of a multi-document YAML text, in their order.
 *
 * @param source says in errors where the text is from
 * @throws SyncError when it is not YAML, or something in it is no object of the API
 */
export function parseObjects(yaml: string, source: string): NamedObject[] {
  let documents: unknown[];
  try {
    // Without timestamps: objects of the API have them as texts.
    documents = loadAll(yaml, null, { schema: CORE_SCHEMA });
  } catch (error) {
    const { reason = (error as Error).message, mark } = error as { reason?: string; mark?: { line: number } };
    throw new SyncError('bundle', `${source} is not YAML (${reason}${mark ? ` in line ${mark.line + 1}` : ''}); apply the manifests of the library again`);
  }
  requireHeld(documents, source);
  return documents.filter((document) => document !== null && document !== undefined).map((document, i) => checked(document, `${source}: object ${i + 1}`));
}

function checked(document: unknown, source: string): NamedObject {
  const { apiVersion, kind, metadata } = (typeof document === 'object' ? document : {}) as Partial<NamedObject>;
  const fields = { apiVersion, kind, 'metadata.name': metadata?.name };
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || value === '') throw new SyncError('bundle', `${source}: ${field} is missing; every object needs one`);
  }
  if (metadata?.namespace !== undefined && typeof metadata.namespace !== 'string') {
    throw new SyncError('bundle', `${source}: metadata.namespace is not a text; put it in quotes`);
  }
  return document as NamedObject;
}

/** An alias costs a few bytes, whatever it stands for; nested ones can make an object out of a line that no memory holds as JSON. */
function requireHeld(documents: readonly unknown[], source: string): void {
  let count = 0;
  const rest: unknown[] = [...documents];
  while (rest.length > 0) {
    const value = rest.pop();
    if (++count > MOST_VALUES) throw new SyncError('bundle', `${source} has more than ${MOST_VALUES} values; write it without aliases`);
    if (typeof value === 'object' && value !== null) rest.push(...Object.values(value));
  }
}
