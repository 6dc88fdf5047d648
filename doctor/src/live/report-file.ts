import { readFileSync, statSync } from 'fs';
import * as z from 'zod/mini';
import { ConfigurationError } from '../../../cli/configuration';
import { PageDocument } from '../../../src/report-page/page-document';

/** That of 10,000 tenants is a tenth of it. */
const MAX_BYTES = 256 * 2 ** 20;
const FORMAT_VERSION = 1;

const text = z.string();
const texts = z.array(text);
const number = z.number();
const records = z.array(z.object({ name: text, type: text, value: text }));

/** What the page shows of the JSON of an ExposureReport. */
const controlPlane = z.object({
  name: text,
  namespace: text,
  platform: z.optional(text),
  kubernetesVersion: z.optional(text),
  replicas: z.optional(number),
  controller: z.optional(text),
  kubeconfigServer: text,
  clusterId: z.optional(text),
  routes: z.array(z.object({
    name: text, hostname: text, foundBy: text, port: number, serviceNamespace: text, serviceName: text, servicePort: number,
  })),
  certSans: texts,
  nodes: z.optional(text),
  kubernetesService: z.optional(z.object({
    way: text,
    description: text,
    endpoints: texts,
    opensTls: z.optional(z.boolean()),
    clientCertificates: z.optional(z.boolean()),
    apiServerKeys: text,
  })),
  tcpProxy: z.optional(z.object({
    name: text,
    namespace: text,
    placement: text,
    replicas: z.optional(number),
    upstream: text,
    upstreamHost: text,
    upstreamPort: number,
    certificate: z.optional(text),
  })),
});

const report = z.object({
  title: text,
  sharedAddresses: texts,
  controlPlanes: z.array(controlPlane),
  dnsRecords: records,
  wildcardDnsRecords: records,
  ports: z.array(z.object({ from: text, to: text, port: number, purposes: texts, controlPlanes: texts })),
  prerequisites: z.optional(z.array(z.object({
    kind: text, apiVersion: z.optional(text), namespace: z.optional(text), name: text, reason: text, clusters: texts,
  }))),
  costs: z.optional(z.object({
    currency: text,
    loadBalancerPerTenant: number,
    sharedEdge: number,
    breakEvenTenants: z.optional(number),
    comparisons: z.array(z.object({ tenants: number, loadBalancers: number, sharedEdge: number, savings: number })),
  })),
});

/**
 * Reads the JSON that an ExposureReport has written.
 *
 * @throws ConfigurationError when it cannot be read, or is something else
 */
export function readReportFile(path: string): PageDocument {
  const refused = (reason: string) => new ConfigurationError(`--report ${JSON.stringify(path)}: ${reason}`);
  let content: unknown;
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw refused(`cannot be read: ${(error as Error).message}`);
  }
  const { formatVersion } = Object(content) as { formatVersion?: unknown };
  if (formatVersion !== FORMAT_VERSION) {
    throw refused(formatVersion === undefined ? 'is not the JSON of an ExposureReport; give exposure-report.json' : 'is of another version than this doctor: use that of the same package');
  }
  const result = z.safeParse(report, content);
  if (result.success) return result.data;
  const [{ path: field }] = result.error.issues;
  throw refused(`is not the JSON of an ExposureReport: ${field.join('.')} is not what it has there`);
}
