import { isIP } from 'net';
import * as z from 'zod/mini';
import { SyncError } from './errors';
import {
  BUNDLE_VERSION, BundleSettings, CertificateRequest, INSTANCE_LABEL, MOST_PARTS, SETTINGS_KEY, TenantRecord,
} from '../../../../src/agent/contract/bundle';
import { JsonLimits, parseBounded } from '../kubernetes/bounded-json';
import { KubernetesObject } from '../kubernetes/objects';

const text = z.string().check(z.minLength(1), z.maxLength(253));
const count = z.number().check(z.int(), z.minimum(1), z.maximum(MOST_PARTS));

/** The settings hold a few names, and those of one certificate. */
const SETTINGS: JsonLimits = { bytes: 64 * 2 ** 10, depth: 16, nodes: 5_000 };

/** Of what is wrong with a text, what is worth telling. */
const FAULTS_TOLD = 3;

/** A Secret and a ConfigMap, and those of before; more only when names change at every visit. */
const MOST_WRITTEN = 100;

const name = z.string().check(z.minLength(1));
const certificateOnly = { secretName: name, certificateKey: name };
const keyPair = z.object({ ...certificateOnly, privateKeyKey: name });
const requestedObjects = { secretName: name, caConfigMapName: name, namespace: name };

/** The `certificate` of the settings: what the management chart asks of sync. */
export const certificateRequest: z.ZodMiniType<CertificateRequest> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('issue'),
    ca: keyPair,
    ...requestedObjects,
    dnsNames: z.array(name),
    ipAddresses: z.array(z.string().check(z.refine(address => isIP(address) !== 0, 'is not an IP address'))),
  }),
  z.object({ kind: z.literal('copy'), purpose: z.optional(z.literal('client')), source: keyPair, ca: z.object(certificateOnly), ...requestedObjects }),
]);

const record = {
  version: z.literal(BUNDLE_VERSION, 'is a version that this program does not know; run the image of the same release as the library'),
  tenant: z.object({ namespace: text, name: text }),
  kubeconfig: z.object({ secretName: text, keys: z.array(text).check(z.minLength(1)) }),
  kubernetesEndpoints: z.optional(z.enum(['owned', 'kept'])),
};

export const tenantRecord: z.ZodMiniType<TenantRecord> = z.object({
  ...record,
  written: z.optional(z.array(z.object({ kind: z.enum(['Secret', 'ConfigMap']), namespace: text, name: text })).check(z.maxLength(MOST_WRITTEN))),
  hold: z.optional(z.object({ id: text, taking: z.optional(z.boolean()) })),
} satisfies Schemas<TenantRecord>);

const settings: z.ZodMiniType<BundleSettings> = z.object({
  ...record,
  part: count,
  parts: count,
  checksum: text,
  certificate: z.optional(certificateRequest),
} satisfies Schemas<BundleSettings>);

/** One for each field, also for those that may be missing. */
type Schemas<Settings> = Record<keyof Settings, z.ZodMiniType>;

/** One ConfigMap of a bundle, without its objects. */
export interface BundlePart {
  readonly configMap: string;
  readonly resourceVersion: string;
  /** What all parts of the tenant and its status have in common. */
  readonly key: string;
  /** Undefined when they cannot be read. */
  readonly settings?: BundleSettings;
  /** Why they cannot be read. */
  readonly fault?: string;
}

/** All parts of a tenant that belong together. */
export interface Bundle extends BundleSettings {
  /** Names of the ConfigMaps, in the order of their parts. */
  readonly configMaps: readonly string[];
}

/** `v1 ConfigMap`, the fields used here. */
export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The label that bundle and status share; the name of the ConfigMap where it is missing. */
export function keyOf({ metadata }: KubernetesObject): string {
  return metadata.labels?.[INSTANCE_LABEL] ?? metadata.name;
}

/** Whether a key may be the value of a label. */
export function isLabelValue(key: string): boolean {
  return /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(key);
}

/** Keeps of a bundle's ConfigMap what the decision needs. */
export function bundlePart(object: KubernetesObject): BundlePart {
  const { metadata, data = {} } = object as ConfigMap;
  const part = { configMap: metadata.name, resourceVersion: metadata.resourceVersion ?? '', key: keyOf(object) };
  try {
    return { ...part, settings: parseSettings(data[SETTINGS_KEY]) };
  } catch (error) {
    return { ...part, fault: (error as Error).message };
  }
}

/**
 * Puts the parts of one tenant together.
 *
 * @returns undefined while parts are missing or of different versions, as in the middle of `kubectl apply`, with what is
 * awaited
 * @throws SyncError when a part cannot be read, or they are of different tenants
 */
export function assemble(parts: readonly BundlePart[]): { readonly bundle?: Bundle; readonly awaited: string } {
  const faulty = parts.find(({ fault }) => fault !== undefined);
  if (faulty) throw new SyncError('bundle', `ConfigMap ${faulty.configMap}: ${faulty.fault}`);
  const all = parts.map(({ configMap, settings: of }) => ({ configMap, settings: of! }));
  const tenants = new Set(all.map(({ settings: { tenant } }) => `${tenant.namespace}/${tenant.name}`));
  if (tenants.size > 1) {
    throw new SyncError('bundle', `${INSTANCE_LABEL}: is the same for the bundles of ${[...tenants].sort().join(' and ')}; give each tenant a value of its own`);
  }
  if (new Set(all.map(({ settings: { checksum } }) => checksum)).size > 1) return { awaited: 'waits for parts with the same checksum' };
  const numbered = all.sort((a, b) => a.settings.part - b.settings.part);
  const { settings: first } = numbered[0];
  const missing = Array.from({ length: first.parts }, (_, i) => i + 1).filter((part) => !numbered.some((found) => found.settings.part === part));
  if (missing.length > 0) return { awaited: `waits for part ${missing.slice(0, 10).join(', ')} of ${first.parts}` };
  if (numbered.length > first.parts) return { awaited: `waits until ${numbered.length - first.parts} more than ${first.parts} part(s) are gone` };
  return { awaited: '', bundle: { ...first, configMaps: numbered.map(({ configMap }) => configMap) } };
}

function parseSettings(json: string | undefined): BundleSettings {
  return parseJson(settings, SETTINGS_KEY, json);
}

/** @throws SyncError with field, value, reason and remedy in one line */
export function parseJson<Output>(schema: z.ZodMiniType<Output>, key: string, json: string | undefined, limits = SETTINGS): Output {
  if (json === undefined) throw new SyncError('bundle', `${key} is missing; apply the manifests of the library again`);
  let value: unknown;
  try {
    value = parseBounded(json, limits);
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not JSON (${error.message})` : (error as Error).message;
    throw new SyncError('bundle', `${key} ${reason}; apply the manifests of the library again`);
  }
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const faults = result.error.issues.slice(0, FAULTS_TOLD).map(({ path, message }) => `${key} ${path.join('.')}: ${message}`);
  throw new SyncError('bundle', `${faults.join('; ')}; apply the manifests of the library again`);
}
