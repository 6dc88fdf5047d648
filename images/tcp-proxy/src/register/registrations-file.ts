import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { Registration, REGISTRATIONS_VERSION } from '../../../../src/agent/contract/registrations';

/** A ConfigMap holds a megabyte. */
const LARGEST_FILE = 2 * 2 ** 20;

// Names become parts of paths.
const name = z.string().check(z.regex(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, 'is not the name of an object'));
const namespace = z.string().check(z.regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'is not the name of a namespace'));

const schema = z.object({
  version: z.literal(REGISTRATIONS_VERSION),
  registrations: z.array(z.object({
    tenant: z.object({ namespace, name }),
    kubeconfig: z.object({ secretName: name, keys: z.array(z.string()) }),
    secret: z.object({ namespace, name }),
    owner: z.object({
      apiVersion: z.string().check(z.regex(/^[a-z0-9.-]+\/v[a-z0-9]+$/, 'is not the version of a group')),
      kind: z.string(),
      resource: z.string().check(z.regex(/^[a-z]+$/, 'is not a resource')),
      name,
    }),
    as: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('argo-cd'), name: z.string(), server: z.optional(z.string()) }),
      z.object({ kind: z.literal('flux'), key: z.string() }),
    ]),
  })),
});

/**
 * What is to be registered, as the file says it now.
 *
 * @throws Error that names the file and what is wrong with it
 */
export async function readRegistrations(file: string): Promise<readonly Registration[]> {
  try {
    const text = await readFile(file, 'utf8');
    if (text.length > LARGEST_FILE) throw new Error(`is larger than ${LARGEST_FILE} bytes`);
    const result = z.safeParse(schema, JSON.parse(text));
    if (!result.success) throw new Error(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).slice(0, 3).join('; '));
    return result.data.registrations;
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}; apply the manifests that the library wrote`);
  }
}
