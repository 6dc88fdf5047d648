import { isIP } from 'net';
import * as z from 'zod/mini';

const name = z.string().check(z.minLength(1));
const certificateOnly = z.object({ secretName: name, certificateKey: name });
const keyPair = z.object({ secretName: name, certificateKey: name, privateKeyKey: name });
const objects = { secretName: name, caConfigMapName: name, namespace: name };

/** The `certificate` of `tenant.json`: what the management chart asks of sync. */
export const certificateRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('issue'),
    ca: keyPair,
    ...objects,
    dnsNames: z.array(name),
    ipAddresses: z.array(z.string().check(z.refine(text => isIP(text) !== 0, 'is not an IP address'))),
  }),
  z.object({ kind: z.literal('copy'), source: keyPair, ca: certificateOnly, ...objects }),
]);

/**
 * A serving certificate to keep in a tenant: issued from the tenant CA, or copied from another Secret of the
 * management cluster. Secrets are in the namespace of the control plane; `secretName`, `caConfigMapName` and `namespace`
 * are objects of the tenant cluster.
 */
export type CertificateRequest = z.infer<typeof certificateRequest>;
/** See `CertificateRequest`. */
export type IssueRequest = Extract<CertificateRequest, { kind: 'issue' }>;
/** See `CertificateRequest`. */
export type CopyRequest = Extract<CertificateRequest, { kind: 'copy' }>;

/** The Secrets of the management cluster that a request names. */
export function secretNames(request: CertificateRequest): string[] {
  return [request.ca.secretName, ...request.kind === 'copy' ? [request.source.secretName] : []];
}
