import { Logger } from 'pino';
import { canonicalAddresses, familyOf, whyUnusable } from './addresses';
import { Change, changesBetween } from './changes';
import { desiredAddresses, ProxyPod, turn, View } from './desired-addresses';
import { EndpointsMetrics } from './metrics';
import { Endpoints, EndpointSlice, endpointSliceOf, endpointsOf, publishedAddresses } from './objects';
import { EndpointsOptions, EndpointsStatus } from './options';
import { proxyPod } from './proxy-pod';
import { LONGEST_REPAIR_DELAY_MS, RepairPacing } from './repair-pacing';
import { SHORT_WITHDRAWAL_MS, Withdrawal } from './withdrawal';
import { isConflict, isForbidden, PATHS, write } from './writer';
import { AddressFamily, kubernetesEndpoints, SERVICE_NAME_LABEL } from '../../../../src/agent/contract/kubernetes-endpoints';
import { KUBERNETES_SERVICE } from '../../../../src/agent/contract/rbac';
import { Backoff } from '../kubernetes/backoff';
import { mountedCredentials } from '../kubernetes/credentials';
import { KubernetesApi } from '../kubernetes/kubernetes-api';
import { KubernetesObject } from '../kubernetes/objects';
import { Reflector } from '../kubernetes/reflector';
import { Wakeup } from '../kubernetes/wakeup';

/**
 * A watch on which nothing arrives for this long counts as dead. Whoever takes the endpoints away while all proxies sit on dead watches, as after a
 * load balancer in front of the API server has failed, is undone within this time. It costs a request for each watch every 20 seconds.
 */
const WATCH_SILENCE_MS = 30_000;

/** Pods and endpoints arrive on separate watches: time for the slower one, so that no change is undone that was right. */
const WATCHES_MEET_MS = 20;

/** How long a proxy gives the one before it to make a repair, and the most it waits for all before it together. */
const TURN_MS = 50;
const LONGEST_WAIT_FOR_TURN_MS = 500;

/** First and longest delay before a write is repeated. A conflict is over as soon as the watch delivers the other write. */
const CONFLICT_DELAYS_MS = [20, 1_000] as const;
const ERROR_DELAYS_MS = [200, 5_000] as const;

interface PendingWrite {
  readonly desired: string;
  /** When, on the clock of `performance.now()`. */
  readonly due: number;
  /** Somebody changed what was right before. */
  readonly repair: boolean;
}

/**
 * Owns the endpoints of the Service `default/kubernetes` in the tenant cluster: the Endpoints and the EndpointSlices.
 *
 * Level-triggered: any change of the proxy pods, of the objects or of the own readiness leads to the same decision from
 * the state as it is, and to writes only if something differs. There is no leader: all proxies come to the same result
 * (see `desiredAddresses`), take turns at writing, and write only over the version they saw.
 */
export class EndpointsController {
  private readonly advertiseAddresses: readonly string[];
  private readonly hostIps: readonly string[];
  private readonly api: KubernetesApi;
  private readonly metrics: EndpointsMetrics;
  private readonly logger: Logger;
  private readonly pods: Reflector<ProxyPod>;
  private readonly services: Reflector<AddressFamily | undefined>;
  private readonly endpoints: Reflector<Endpoints>;
  private readonly slices: Reflector<EndpointSlice>;

  private readonly stopping = new AbortController();
  private readonly wakeup = new Wakeup();
  private readonly pacing = new RepairPacing();
  private readonly conflictBackoff = new Backoff(...CONFLICT_DELAYS_MS);
  private readonly errorBackoff = new Backoff(...ERROR_DELAYS_MS);
  private running: Promise<unknown> = Promise.resolve();

  private locallyReady = false;
  private readonly withdrawal = new Withdrawal();
  private published = false;
  private problem = 'not started';
  private pending?: PendingWrite;

  /** @throws when the API server or an advertise address cannot be used. */
  constructor(private readonly options: EndpointsOptions) {
    for (const address of options.advertiseAddresses) {
      const reason = whyUnusable(address);
      if (reason) throw new Error(`advertiseAddresses: '${address}' ${reason}; give an address that every pod can reach`);
    }
    this.advertiseAddresses = canonicalAddresses(options.advertiseAddresses);
    this.hostIps = canonicalAddresses(options.hostIps);
    const { apiServer } = options;
    this.api = new KubernetesApi({ apiServer, credentials: mountedCredentials(options), watchSilenceMs: WATCH_SILENCE_MS }, this.stopping.signal);
    this.metrics = new EndpointsMetrics(options.registry);
    this.logger = options.logger.child({ component: 'endpoints' });
    const byName = { fieldSelector: `metadata.name=${KUBERNETES_SERVICE.name}` };
    this.pods = this.reflector('pods', `/api/v1/namespaces/${options.namespace}/pods`, { labelSelector: options.podSelector }, proxyPod);
    this.services = this.reflector('services', PATHS.services, byName, primaryFamily);
    this.endpoints = this.reflector('endpoints', PATHS.Endpoints, byName, endpointsOf);
    this.slices = this.reflector(
      'endpointslices',
      PATHS.EndpointSlice,
      { labelSelector: `${SERVICE_NAME_LABEL}=${KUBERNETES_SERVICE.name}` },
      endpointSliceOf,
    );
  }

  /** Starts to follow the API server, which need not be reachable yet. */
  async start(): Promise<void> {
    this.problem = 'not synchronized';
    const { signal } = this.stopping;
    this.running = Promise.all([...this.reflectors().map(async (reflector) => reflector.run(signal)), this.reconcileLoop()]);
  }

  /** Tells whether this proxy would serve a connection now. */
  setLocalReady(ready: boolean): void {
    if (this.locallyReady === ready) return;
    this.locallyReady = ready;
    this.wakeup.notify();
  }

  /**
   * Takes the own addresses out of the endpoints, before this proxy stops. Afterwards nothing is written any more: what
   * follows is up to the proxies that remain. When there is none, the addresses stay, because endpoints that refuse
   * connections are no worse than none, and the next proxy replaces them. So do fixed advertise addresses, which other
   * proxies serve too.
   *
   * As long as it is published, connections come: it tries again and again while the API server cannot be told.
   *
   * @param longestMs resolves when done, at the latest after this time; where nothing was published or may be, after 5 seconds. Never rejects
   */
  async withdraw(longestMs: number): Promise<void> {
    const { withdrawal } = this;
    if (withdrawal.ended) return;
    withdrawal.begun = true;
    this.pending = undefined;
    this.errorBackoff.reset();
    this.wakeup.notify();
    const done = await withdrawal.wait(this.published ? longestMs : Math.min(longestMs, SHORT_WITHDRAWAL_MS));
    if (!done) this.logger.warn({ reason: this.problem }, 'could not withdraw the own addresses in time');
  }

  /** Stops at once, without a change to the endpoints. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wakeup.notify();
    this.api.close();
    await this.running;
  }

  status(): EndpointsStatus {
    if (this.withdrawal.ended) return { published: false, detail: 'withdrawn' };
    const problems = this.reflectors().flatMap(({ resource, problem }) => problem ? [`${resource}: ${problem}`] : []);
    if (this.problem) problems.push(this.problem);
    if (this.withdrawal.begun) return { published: false, detail: `withdrawing: ${problems.join('; ')}` };
    return { published: this.published, detail: problems.length > 0 ? problems.join('; ') : 'in sync' };
  }

  private async reconcileLoop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.wakeup.wait(await this.reconcile());
    }
  }

  /** @returns milliseconds until it must run again, undefined when only a change makes that necessary */
  private async reconcile(): Promise<number | undefined> {
    if (this.withdrawal.ended || !this.reflectors().every(({ synced }) => synced)) return undefined;
    const present = { endpoints: this.endpoints.items()[0], slices: this.slices.items() };
    const view = this.view(publishedAddresses(present));
    const addresses = desiredAddresses(view);
    this.metrics.addresses.set(addresses.length);
    if (addresses.length === 0) return this.idle('no proxy is ready yet');

    const family = this.services.items()[0] ?? familyOf(addresses[0]);
    const changes = changesBetween(present, kubernetesEndpoints(addresses, this.options.endpointPort, family));
    const desired = addresses.join();
    if (changes.length === 0) return this.inSync(desired);

    this.problem = `${changes.length} object(s) of ${KUBERNETES_SERVICE.name} differ`;
    this.metrics.inSync.set(0);
    // Who does not see the pods as they are would undo what others do who see them.
    const outdated = this.pods.problem !== undefined || this.services.problem !== undefined;
    if (outdated && !this.withdrawal.begun) {
      this.pending = undefined;
      return undefined;
    }
    if (this.pending?.desired !== desired) this.pending = this.schedule(desired, view);
    const wait = this.pending.due - performance.now();
    if (wait > 0) return wait;
    return this.writeAll(changes, this.pending);
  }

  private view(published: string[]): View {
    const self = { name: this.options.podName, hostIps: this.hostIps, locallyReady: this.locallyReady, withdrawn: this.withdrawal.begun };
    return { self, pods: this.pods.items(), published, advertiseAddresses: this.advertiseAddresses };
  }

  private schedule(desired: string, view: View): PendingWrite {
    // A proxy that leaves has no time for turns.
    if (this.withdrawal.begun) return { desired, due: performance.now(), repair: false };
    const { repair, delayMs, say } = this.pacing.deviated(desired);
    const wait = WATCHES_MEET_MS + Math.min(turn(view.self, view.pods) * TURN_MS, LONGEST_WAIT_FOR_TURN_MS);
    if (say) this.logger.warn({ longestDelayMs: LONGEST_REPAIR_DELAY_MS }, 'another writer keeps changing the endpoints, repairs wait for up to this time');
    return { desired, due: performance.now() + delayMs + wait, repair };
  }

  private async writeAll(changes: readonly Change[], pending: PendingWrite): Promise<number> {
    try {
      for (const change of changes) await this.writeOne(change);
    } catch (error) {
      return this.failed(error as Error, pending);
    }
    this.pending = undefined;
    this.pacing.settled(pending.desired);
    this.conflictBackoff.reset();
    this.errorBackoff.reset();
    if (pending.repair) this.metrics.repairs.inc();
    this.logger.info({ addresses: pending.desired, changes: changes.map(({ verb, object }) => `${verb} ${object.kind} ${object.metadata.name}`) },
      pending.repair ? 'endpoints repaired' : 'endpoints written');
    // The answers of the API server are the next state to compare with.
    return 0;
  }

  private async writeOne(change: Change): Promise<void> {
    const reflector = change.object.kind === 'Endpoints' ? this.endpoints : this.slices;
    const stored = await write(this.api, change);
    this.metrics.writes.inc({ kind: change.object.kind, verb: change.verb });
    if (stored) reflector.observe(stored);
    else reflector.forget(change.object);
  }

  private failed(error: Error, pending: PendingWrite): number {
    if (this.stopping.signal.aborted) return 0;
    const conflict = isConflict(error);
    if (conflict) this.metrics.conflicts.inc();
    else this.metrics.errors.inc({ operation: 'write' });
    if (this.withdrawal.begun && isForbidden(error)) this.withdrawal.hurry();
    this.problem = error.message;
    this.logger[conflict ? 'debug' : 'warn']({ reason: error.message }, 'endpoints not written, retrying');
    const wait = (conflict ? this.conflictBackoff : this.errorBackoff).next();
    this.pending = { ...pending, due: performance.now() + wait };
    return wait;
  }

  private inSync(desired: string): undefined {
    this.pending = undefined;
    this.pacing.settled(desired);
    this.problem = '';
    this.published = true;
    this.metrics.inSync.set(1);
    return this.idle('');
  }

  /** Nothing to write: what is there is right, or nothing better is known. */
  private idle(problem: string): undefined {
    this.pending = undefined;
    this.problem = problem;
    if (this.withdrawal.begun) this.withdrawal.end();
    return undefined;
  }

  private reflectors(): Reflector<unknown>[] {
    return [this.pods, this.services, this.endpoints, this.slices];
  }

  private reflector<Item>(
    resource: string,
    path: string,
    selector: Readonly<Record<string, string>>,
    project: (object: KubernetesObject) => Item,
  ): Reflector<Item> {
    return new Reflector({
      api: this.api,
      resource,
      path,
      selector,
      project,
      logger: this.logger,
      onChange: () => this.wakeup.notify(),
      onError: () => this.metrics.errors.inc({ operation: `watch ${resource}` }),
    });
  }
}

function primaryFamily(object: KubernetesObject): AddressFamily | undefined {
  const { spec } = object as KubernetesObject & { readonly spec?: { readonly ipFamilies?: readonly AddressFamily[] } };
  return spec?.ipFamilies?.[0];
}

