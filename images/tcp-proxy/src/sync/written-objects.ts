import { IGNORED, OBJECT } from './answer-limits';
import { certificateObjects } from './certificates';
import { InventoryEntry } from './inventory';
import { Inventory } from './inventory-store';
import { NamedObject } from './reference';
import { METADATA, TenantCluster } from './tenant-cluster';
import { CertificateRequest, HELD_BY, TenantRecord, WrittenObject } from '../../../../src/agent/contract/bundle';

/**
 * The inventory of a program that keeps certificates alone: a Secret and a ConfigMap, which the record of the tenant's status
 * names. Nothing of it is in the tenant but who holds it, which the ConfigMap says.
 */
export class WrittenObjects implements Inventory {
  readonly entries: readonly InventoryEntry[];
  holder?: string;
  /** The ConfigMaps that are in the tenant, by path, with the version of each. */
  private readonly present = new Map<string, string | undefined>();

  constructor(private readonly tenant: TenantCluster, record: TenantRecord | undefined) {
    this.entries = (record?.written ?? []).map((object) => ({ apiVersion: 'v1', ...object }));
  }

  /** The first requests to a tenant, which show whether there is one. */
  async read(timeoutMs: number): Promise<void> {
    const configMaps = this.entries.filter(({ kind }) => kind === 'ConfigMap');
    if (configMaps.length === 0) await this.tenant.api.call('GET', '/version', { timeoutMs, largestAnswer: OBJECT });
    for (const { namespace = '', name } of configMaps) {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps/${encodeURIComponent(name)}`;
      const found = await this.tenant.read(path, { timeoutMs, largestAnswer: OBJECT, accept: METADATA });
      if (!found) continue;
      this.present.set(path, found.metadata.resourceVersion);
      this.holder ??= found.metadata.annotations?.[HELD_BY];
    }
  }

  /** Says in the ConfigMaps that were read who holds the tenant, unless they have changed; the record is written before, and a new ConfigMap says it itself. */
  async write(_entries: readonly InventoryEntry[], holder = this.holder): Promise<void> {
    if (holder === undefined || holder === this.holder) return;
    for (const [path, resourceVersion] of this.present) {
      await this.tenant.api.send('PATCH', path, {
        body: { metadata: { resourceVersion, annotations: { [HELD_BY]: holder } } }, contentType: 'application/merge-patch+json', largestAnswer: IGNORED,
      });
    }
    this.holder = holder;
  }

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
