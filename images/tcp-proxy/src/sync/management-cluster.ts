import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Bundle, bundlePart, ConfigMap, isLabelValue } from './bundle';
import { attempt, isNotFound, SyncError } from './errors';
import { parseObjects } from './objects-yaml';
import { NamedObject } from './reference';
import { Secret, TenantSecrets } from './tenant-secrets';
import { BUNDLE_LABEL_VALUE, INSTANCE_LABEL, NAME_LABEL, OBJECTS_KEY, TenantRecord } from '../../../../src/agent/contract/bundle';
import { KubernetesApi } from '../kubernetes/kubernetes-api';

/** What is read from the management cluster for one tenant. */
export class ManagementCluster {
  /** By tenant, the objects of its bundle: reading them again costs more than drift is worth. Compressed, they are small. */
  private readonly known = new Map<string, { readonly checksum: string; readonly objects: Buffer }>();

  /** @param namespace that of the bundles */
  constructor(private readonly api: KubernetesApi, private readonly namespace: string) {}

  /**
   * The objects of a bundle, in its order.
   *
   * @throws SyncError when they cannot be read, or the bundle has changed in the meantime
   */
  async objects(key: string, bundle: Bundle): Promise<NamedObject[]> {
    const known = this.known.get(key);
    if (known?.checksum === bundle.checksum) return JSON.parse(inflateRawSync(known.objects).toString('utf8')) as NamedObject[];
    const objects = await this.read(bundle);
    // A copy: what the compression returns is a small part of a large buffer.
    this.known.set(key, { checksum: bundle.checksum, objects: Buffer.from(deflateRawSync(JSON.stringify(objects))) });
    return objects;
  }

  forget(key: string): void {
    this.known.delete(key);
  }

  private async read(bundle: Bundle): Promise<NamedObject[]> {
    const objects: NamedObject[] = [];
    for (const name of bundle.configMaps) {
      const configMap = await attempt('management', `ConfigMap ${name}`, async () =>
        this.api.call<ConfigMap>('GET', `/api/v1/namespaces/${this.namespace}/configmaps/${encodeURIComponent(name)}`));
      if (bundlePart(configMap).settings?.checksum !== bundle.checksum) throw new SyncError('management', `ConfigMap ${name} has just changed`);
      objects.push(...parseObjects(configMap.data?.[OBJECTS_KEY] ?? '', `ConfigMap ${name} ${OBJECTS_KEY}`));
    }
    return objects;
  }

  /** Whether there is a bundle now, whatever the watch has seen so far. */
  async hasBundle(key: string): Promise<boolean> {
    const collection = `/api/v1/namespaces/${this.namespace}/configmaps`;
    return attempt('management', 'bundle', async () => {
      if (!isLabelValue(key)) return this.isBundle(`${collection}/${encodeURIComponent(key)}`);
      const labelSelector = `${NAME_LABEL}=${BUNDLE_LABEL_VALUE},${INSTANCE_LABEL}=${key}`;
      const { items } = await this.api.call<{ readonly items: readonly unknown[] }>('GET', collection, { query: { labelSelector, limit: 1 } });
      // Without the label, the key is the name.
      return items.length > 0 || this.isBundle(`${collection}/${encodeURIComponent(key)}`);
    });
  }

  /** The Secrets of a tenant as they are now, or as they were when this was first asked for one. */
  secrets({ tenant: { namespace } }: TenantRecord): TenantSecrets {
    return new TenantSecrets(namespace, async (name) => this.secret(namespace, name));
  }

  private async isBundle(path: string): Promise<boolean> {
    try {
      const { metadata: { labels = {} } } = await this.api.call<ConfigMap>('GET', path);
      return labels[NAME_LABEL] === BUNDLE_LABEL_VALUE && labels[INSTANCE_LABEL] === undefined;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** Undefined when there is none. */
  private async secret(namespace: string, name: string): Promise<Secret | undefined> {
    try {
      return await this.api.call<Secret>('GET', `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
