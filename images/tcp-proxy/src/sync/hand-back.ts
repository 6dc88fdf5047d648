import type { Logger } from 'pino';
import { attemptTenant, isNotFound } from './errors';
import { Phase } from './status';
import { TenantCluster } from './tenant-cluster';
import { MANAGED_BY, MANAGED_BY_LABEL, SERVICE_NAME_LABEL } from '../../../../src/agent/contract/kubernetes-endpoints';
import { KUBERNETES_SERVICE } from '../../../../src/agent/contract/rbac';
import { EndpointSlice } from '../endpoints/objects';
import { PATHS } from '../endpoints/writer';
import { KubernetesObject } from '../kubernetes/objects';

/** An API server writes its endpoints every ten seconds; its operator may take a while to restart it without the flag. */
const PATIENCE_MS = 120_000;

/** How often to look whether it has: at first, and at last. */
const LOOK_MS = [2_000, 60_000] as const;

/** A tcp-proxy has two slices. Whatever else bears its label goes in later visits. */
const MOST_DELETIONS = 20;

const FLAG = '--endpoint-reconciler-type=none';

/** That nobody publishes `default/kubernetes` yet, in the words of a status. */
export interface Awaited {
  readonly phase: Phase;
  readonly message: string;
  /** When to look again, in milliseconds. */
  readonly lookMs: number;
}

/** A tenant that has no endpoints of `default/kubernetes`. */
interface Waiting {
  /** On the clock of `performance.now()`. */
  readonly since: number;
  /** Whether it was said that this takes too long. */
  told: boolean;
}

/**
 * Gives `default/kubernetes` back to the API server, after the proxies that owned it are gone, and says so once the API server
 * has taken it: it writes its own endpoints as soon as it runs without `--endpoint-reconciler-type=none`, but never removes the
 * slices of others. Until then pods have no API server.
 *
 * Every visit looks at what is there; none of them waits.
 */
export class HandBack {
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly logger: Logger, private readonly now: () => number = () => performance.now()) {}

  /** @returns what is still awaited; undefined once somebody else publishes addresses */
  async visit(key: string, tenant: TenantCluster): Promise<Awaited | undefined> {
    const log = this.logger.child({ tenant: key });
    const removed = await attemptTenant('default/kubernetes', async () => removeOurs(tenant));
    if (removed > 0) log.info({ objects: removed }, 'our endpoints of default/kubernetes are removed');
    if (await attemptTenant('default/kubernetes', async () => isPublished(tenant))) {
      this.waiting.delete(key);
      log.info('default/kubernetes is given back: others publish it');
      return undefined;
    }
    const waiting = this.waiting.get(key) ?? { since: this.now(), told: false };
    this.waiting.set(key, waiting);
    return this.awaited(waiting, log);
  }

  forget(key: string): void {
    this.waiting.delete(key);
  }

  private awaited(waiting: Waiting, log: Logger): Awaited {
    const elapsed = this.now() - waiting.since;
    const lookMs = Math.min(Math.max(elapsed / 2, LOOK_MS[0]), LOOK_MS[1]);
    if (elapsed < PATIENCE_MS) {
      return { phase: 'Pruning', message: `default/kubernetes has no endpoints: waits until the API server writes its own, which takes its restart without ${FLAG}`, lookMs };
    }
    const message = `default/kubernetes has no endpoints, as the API server does not write its own: most likely ${FLAG} is still set. `
      + 'Apply the management manifests without the tcp-proxy or the endpoints, and see that the control plane restarts without the flag';
    if (!waiting.told) log.warn(message);
    waiting.told = true;
    return { phase: 'Failed', message, lookMs };
  }
}

/**
 * The Endpoints go first, because the slices tell whose they are: the API server's own carry no such label. The proxies lost
 * the permission to write them again when they left the bundle.
 *
 * @returns how many objects there were
 */
async function removeOurs(tenant: TenantCluster): Promise<number> {
  const slices = (await slicesWith(tenant, `${MANAGED_BY_LABEL}=${MANAGED_BY}`)).slice(0, MOST_DELETIONS);
  if (slices.some(({ metadata }) => metadata.name === KUBERNETES_SERVICE.name)) await remove(tenant, `${PATHS.Endpoints}/${KUBERNETES_SERVICE.name}`);
  for (const { metadata: { name, uid, resourceVersion } } of slices) {
    await remove(tenant, `${PATHS.EndpointSlice}/${encodeURIComponent(name)}`, { uid, resourceVersion });
  }
  return slices.length;
}

/** Whether somebody else publishes an address: the API server, or the controller of EndpointSlices for a Service with a selector. */
async function isPublished(tenant: TenantCluster): Promise<boolean> {
  const slices = await slicesWith(tenant, `${SERVICE_NAME_LABEL}=${KUBERNETES_SERVICE.name}`);
  return slices.some(({ metadata, endpoints }) => metadata.labels?.[MANAGED_BY_LABEL] !== MANAGED_BY
    && endpoints?.some(({ addresses, conditions }) => addresses.length > 0 && conditions?.ready !== false));
}

async function slicesWith(tenant: TenantCluster, labelSelector: string): Promise<readonly EndpointSlice[]> {
  const { items } = await tenant.api.call<{ readonly items: readonly (KubernetesObject & EndpointSlice)[] }>('GET', PATHS.EndpointSlice, { query: { labelSelector } });
  return items;
}

async function remove(tenant: TenantCluster, path: string, preconditions?: object): Promise<void> {
  try {
    await tenant.api.call('DELETE', path, { body: preconditions && { preconditions } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
