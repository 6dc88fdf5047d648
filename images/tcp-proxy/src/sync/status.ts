import { ConfigMap, isLabelValue, keyOf, parseJson, tenantRecord } from './bundle';
import { ObjectKind } from './reference';
import { INSTANCE_LABEL, NAME_LABEL, SETTINGS_KEY, STATUS_LABEL_VALUE, TenantRecord } from '../../../../src/agent/contract/bundle';
import { KubernetesObject } from '../kubernetes/objects';

/**
 * Where a tenant is:
 * - `Waiting`: parts of the bundle are missing or of different versions.
 * - `Applying`: its objects are on their way for the first time.
 * - `Pruning`: everything is applied, and what left the bundle is going, or others have not yet taken what it gave back.
 * - `Synced`: as the bundle says.
 * - `Failed`: something is wrong; the message says what.
 * - `Moved`: another sync, of another management cluster, holds the tenant: nothing is written to it or removed there.
 * - `Removing`: the bundle is gone, and its objects are going.
 */
export const PHASES = ['Waiting', 'Applying', 'Pruning', 'Synced', 'Failed', 'Moved', 'Removing'] as const;
export type Phase = typeof PHASES[number];

/** What users see of a tenant, and what is remembered of it. */
export interface Status {
  readonly phase: Phase;
  /** For people; anything in it may be from the tenant. */
  readonly message: string;
  /** Checksum of the bundle that was applied last as a whole. */
  readonly checksum?: string;
  /** How to reach the tenant; undefined as long as nothing was written to it. */
  readonly record?: TenantRecord;
}

/** A status with the ConfigMap that holds it. */
export interface StoredStatus extends Status {
  readonly configMap: string;
  readonly key: string;
  /** Why the record cannot be read. */
  readonly recordFault?: string;
}

const RECORD_KEY = SETTINGS_KEY;
/** The key of the bundle, which as a label might be too long. */
const KEY_KEY = 'bundle';

const LONGEST_MESSAGE = 500;

/** Keeps of a status' ConfigMap what is in it. */
export function storedStatus(object: KubernetesObject): StoredStatus {
  const { data = {}, metadata } = object as ConfigMap;
  const { phase, message = '', checksum } = data;
  const stored = {
    configMap: metadata.name,
    key: data[KEY_KEY] ?? keyOf(object),
    phase: PHASES.find((known) => known === phase) ?? 'Failed',
    message,
    ...checksum === undefined ? {} : { checksum },
  };
  if (data[RECORD_KEY] === undefined) return stored;
  try {
    return { ...stored, record: parseJson(tenantRecord, RECORD_KEY, data[RECORD_KEY]) };
  } catch (error) {
    return { ...stored, recordFault: (error as Error).message };
  }
}

/** Whether the two say the same, whenever they said it. */
export function saysTheSame(stored: StoredStatus | undefined, status: Status): boolean {
  return stored !== undefined
    && stored.recordFault === undefined
    && stored.phase === status.phase
    && stored.message === printable(status.message)
    && stored.checksum === status.checksum
    && JSON.stringify(stored.record) === JSON.stringify(recordOf(status));
}

export interface StatusConfigMapOptions {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  readonly now: Date;
}

/** The ConfigMap of a status. */
export function statusConfigMap(status: Status, { namespace, name, key, now }: StatusConfigMapOptions): ConfigMap & ObjectKind {
  const { phase, message, checksum } = status;
  const record = recordOf(status);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { [NAME_LABEL]: STATUS_LABEL_VALUE, ...isLabelValue(key) ? { [INSTANCE_LABEL]: key } : {} } },
    data: {
      [KEY_KEY]: key,
      phase,
      message: printable(message),
      ...checksum === undefined ? {} : { checksum },
      observedTime: now.toISOString(),
      ...record === undefined ? {} : { [RECORD_KEY]: JSON.stringify(record) },
    },
  };
}

/** In one order and without what else a bundle has. */
function recordOf({ record }: Status): TenantRecord | undefined {
  return record && tenantRecord.parse(record);
}

/** One line of a length that people read, without what would move a terminal's cursor or the direction of the text. */
export function printable(text: string): string {
  const line = text.slice(0, 2 * LONGEST_MESSAGE).replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE - 1)}…` : line;
}
