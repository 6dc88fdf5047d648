import { isNotFound } from './errors';
import { SyncMetrics } from './metrics';
import { saysTheSame, Status, statusConfigMap, StoredStatus } from './status';
import { Tenants } from './tenants';
import { NAME_LABEL, STATUS_LABEL_VALUE, STATUS_SUFFIX } from '../../../../src/agent/contract/bundle';
import { KubernetesApi } from '../kubernetes/kubernetes-api';
import { KubernetesObject } from '../kubernetes/objects';
import { Reflector } from '../kubernetes/reflector';

const LONGEST_NAME = 253;

export interface StatusWriterOptions {
  readonly api: KubernetesApi;
  readonly namespace: string;
  readonly reflector: Reflector<StoredStatus>;
  readonly tenants: Tenants;
  readonly metrics: SyncMetrics;
}

/** Keeps the statuses as they should be, with no write for what is so already. */
export class StatusWriter {
  private readonly collection: string;

  constructor(private readonly options: StatusWriterOptions) {
    this.collection = `/api/v1/namespaces/${options.namespace}/configmaps`;
  }

  async write(key: string, status: Status): Promise<void> {
    const { api, namespace, reflector, tenants, metrics } = this.options;
    const { status: stored, parts } = tenants.get(key);
    if (saysTheSame(stored, status)) return;
    const name = stored?.configMap ?? statusName(parts.map(({ configMap }) => configMap).sort(byLength)[0] ?? key);
    const configMap = statusConfigMap(status, { namespace, name, key, now: new Date() });
    // Nobody else writes it, and what it held is of no use: no version is needed.
    const written = await api.call<KubernetesObject>('PUT', `${this.collection}/${name}`, { body: configMap }).catch(async (error: Error) => {
      if (!isNotFound(error)) throw error;
      return api.call<KubernetesObject>('POST', this.collection, { body: configMap });
    });
    metrics.statusWrites.inc();
    reflector.observe(written);
    tenants.invalidate();
  }

  async delete(key: string): Promise<void> {
    const { api, reflector, tenants } = this.options;
    const { status } = tenants.get(key);
    if (!status) return;
    const path = `${this.collection}/${status.configMap}`;
    try {
      const present = await api.call<KubernetesObject>('GET', path);
      // A ConfigMap that is not ours any more, since its label is gone, stays.
      if (present.metadata.labels?.[NAME_LABEL] !== STATUS_LABEL_VALUE) return;
      await api.call('DELETE', path, { body: { preconditions: { uid: present.metadata.uid, resourceVersion: present.metadata.resourceVersion } } });
      reflector.forget(present);
      tenants.invalidate();
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** The first part has the shortest name. */
function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function statusName(bundle: string): string {
  return `${bundle.slice(0, LONGEST_NAME - STATUS_SUFFIX.length)}${STATUS_SUFFIX}`;
}
