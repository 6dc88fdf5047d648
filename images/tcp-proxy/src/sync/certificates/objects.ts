import { AuthorityCertificate, parseAuthorities } from './authority';
import type { TenantObject } from './clusters';
import type { KeyPair } from './key-pair';
import type { Settling } from './renewal';
import type { TrustRecord } from './trusted-authorities';
import { CertificateRequest, HELD_BY } from '../../../../../src/agent/contract/bundle';
import { CA_FILE, TLS_FILES } from '../../../../../src/agent/contract/paths';
import { JsonLimits, parseBounded } from '../../kubernetes/bounded-json';

/** Kubernetes refuses to change the type of a Secret. */
export const TLS_SECRET_TYPE = 'kubernetes.io/tls';

const LABELS = { 'app.kubernetes.io/managed-by': 'tenant-sync' };
/** What a change of the CA needs to know from one look to the next; sync itself remembers nothing. */
const STATE_ANNOTATION = 'tcp-proxy.cdk8s-hosted-control-plane/ca-rotation';
const STATE: JsonLimits = { bytes: 16 * 2 ** 10, depth: 3, nodes: 1_000 };

/** What the ConfigMap with the tenant CA holds. */
export interface CaState {
  readonly certificates: readonly AuthorityCertificate[];
  readonly record: TrustRecord;
  readonly settling?: Settling;
}

/** An object by its name. */
export interface ObjectReference {
  readonly apiVersion: 'v1';
  readonly kind: TenantObject['kind'];
  readonly namespace: string;
  readonly name: string;
}

/** The objects in the tenant that a request leads to: delete them when it is withdrawn. */
export function certificateObjects({ namespace, secretName, caConfigMapName }: CertificateRequest): ObjectReference[] {
  return [
    { apiVersion: 'v1', kind: 'Secret', namespace, name: secretName },
    { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: caConfigMapName },
  ];
}

export function servingSecret({ namespace, secretName }: CertificateRequest, { certificate, key }: KeyPair): TenantObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName, namespace, labels: LABELS },
    type: TLS_SECRET_TYPE,
    data: { [TLS_FILES.certificate]: base64(certificate), [TLS_FILES.key]: base64(key) },
  };
}

/** @param holder who holds the tenant; undefined where that is said elsewhere alone */
export function caConfigMap({ namespace, caConfigMapName }: CertificateRequest, state: CaState, holder?: string): TenantObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: caConfigMapName,
      namespace,
      labels: LABELS,
      annotations: { [STATE_ANNOTATION]: serialize(state), ...holder !== undefined && { [HELD_BY]: holder } },
    },
    data: { [CA_FILE]: state.certificates.map(({ pem }) => pem).join('') },
  };
}

/** What the ConfigMap holds; a part that cannot be read counts as empty. `known` certificates are not parsed again. */
export function readCaState(configMap: TenantObject | undefined, known: readonly AuthorityCertificate[]): CaState {
  return { certificates: readAuthorities(configMap, known), ...deserialize(configMap?.metadata.annotations?.[STATE_ANNOTATION]) };
}

/** The certificates in `ca.crt` of a ConfigMap; none when there is none, or they cannot be read. */
export function readAuthorities(configMap: TenantObject | undefined, known: readonly AuthorityCertificate[]): AuthorityCertificate[] {
  try {
    return parseAuthorities(configMap?.data?.[CA_FILE] ?? '', CA_FILE, known);
  } catch {
    return [];
  }
}

/** Whether an object in the tenant has what the wanted one says, whatever else it has. */
export function holds(actual: TenantObject | undefined, wanted: TenantObject): boolean {
  const includes = (all: Readonly<Record<string, string>> = {}, some: Readonly<Record<string, string>> = {}) =>
    Object.entries(some).every(([key, value]) => all[key] === value);
  return actual !== undefined
    && includes(actual.data, wanted.data)
    && includes(actual.metadata.labels, wanted.metadata.labels)
    && includes(actual.metadata.annotations, wanted.metadata.annotations);
}

function serialize({ record, settling }: CaState): string {
  return JSON.stringify({
    authorities: Object.fromEntries([...record].map(([fingerprint, idleSince]) => [fingerprint, idleSince?.toISOString() ?? 'needed'])),
    ...settling && { settling: { authority: settling.authority, since: settling.since.toISOString() } },
  });
}

interface SerializedState {
  readonly authorities: Record<string, string>;
  readonly settling?: { readonly authority: string; readonly since: string };
}

function deserialize(text = ''): Pick<CaState, 'record' | 'settling'> {
  try {
    const { authorities, settling } = parseBounded<SerializedState>(text, STATE);
    const since = settling && validTime(settling.since);
    return {
      record: new Map(Object.entries(authorities).map(([fingerprint, idleSince]) => [fingerprint, validTime(idleSince)])),
      settling: since && { authority: String(settling!.authority), since },
    };
  } catch {
    return { record: new Map() };
  }
}

function validTime(text: string): Date | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
