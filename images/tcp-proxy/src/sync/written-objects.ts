import { OBJECT } from './answer-limits';
import { certificateObjects } from './certificates';
import { InventoryEntry } from './inventory';
import { Inventory } from './inventory-store';
import { NamedObject } from './reference';
import { TenantCluster } from './tenant-cluster';
import type { CertificateRequest, TenantRecord, WrittenObject } from '../../../../src/agent/contract/bundle';

/**
 * The inventory of a program that keeps certificates alone: a Secret and a ConfigMap, which the record of the tenant's status
 * names. Nothing of it is in the tenant.
 */
export class WrittenObjects implements Inventory {
  readonly entries: readonly InventoryEntry[];

  constructor(private readonly tenant: TenantCluster, record: TenantRecord | undefined) {
    this.entries = (record?.written ?? []).map((object) => ({ apiVersion: 'v1', ...object }));
  }

  /** The first request to a tenant, which shows whether there is one. */
  async read(timeoutMs: number): Promise<void> {
    await this.tenant.api.call('GET', '/version', { timeoutMs, largestAnswer: OBJECT });
  }

  /** The record is written before. */
  async write(): Promise<void> {}

  /** The record goes with the status. */
  async delete(): Promise<void> {}
}

/** What is written for a certificate, after what was written before. */
export function writtenFor({ namespace, secretName, caConfigMapName }: CertificateRequest, before: readonly WrittenObject[] = []): WrittenObject[] {
  const objects: WrittenObject[] = [{ kind: 'Secret', namespace, name: secretName }, { kind: 'ConfigMap', namespace, name: caConfigMapName }];
  const lines = objects.map(lineOf);
  return [...before.filter((object) => !lines.includes(lineOf(object))), ...objects];
}

function lineOf({ kind, namespace, name }: WrittenObject): string {
  return `${kind} ${namespace}/${name}`;
}

/** The objects that a bundle with a request for a certificate brings besides its manifests. */
export function objectsOfCertificate(certificate: CertificateRequest | undefined): NamedObject[] {
  if (!certificate) return [];
  return certificateObjects(certificate).map(({ apiVersion, kind, namespace, name }) => ({ apiVersion, kind, metadata: { namespace, name } }));
}
