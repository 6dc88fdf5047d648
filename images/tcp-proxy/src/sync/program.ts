import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { BundlePart, bundlePart } from './bundle';
import type { SyncConfiguration } from './configuration';
import { InventoryStore } from './inventory-store';
import { EndpointsKeepers } from './kept-endpoints/keepers';
import { LeaderElection, Term } from './leader-election';
import { ManagementCluster } from './management-cluster';
import { SyncMetrics } from './metrics';
import { StoredStatus, storedStatus } from './status';
import { StatusWriter } from './status-writer';
import { TenantCluster } from './tenant-cluster';
import { TenantSync } from './tenant-sync';
import { Tenants } from './tenants';
import { VisitJournal } from './visit-journal';
import { Visits } from './visits';
import { WorkQueue } from './work-queue';
import { WrittenObjects } from './written-objects';
import { BUNDLE_LABEL_VALUE, NAME_LABEL, STATUS_LABEL_VALUE } from '../../../../src/agent/contract/bundle';
import { measureProcess } from '../health/process-metrics';
import type { Readiness } from '../health/readiness';
import { mountedCredentials } from '../kubernetes/credentials';
import { KubernetesApi, KubernetesApiOptions } from '../kubernetes/kubernetes-api';
import { KubernetesObject } from '../kubernetes/objects';
import { Reflector } from '../kubernetes/reflector';
import { Wakeup } from '../kubernetes/wakeup';

/** The durations of client-go's leader election. */
const LEASE = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };

/** Two attempts to renew fit into the deadline. */
const LEASE_TIMEOUT_MS = LEASE.renewDeadlineMs / 2;

/** The parts of a bundle come one after the other. */
const PARTS_MEET_MS = 50;

/** Bundles are up to 1 MiB each. */
const PAGE_SIZE = 20;

/** First and longest delay after a tenant failed. */
const BACKOFF_MS = [1_000, 300_000] as const;

/** For each tenant that is worked on, how many more may be waited for. */
const AWAITED = 16;

/** As long as client-go uses a token before it reads its file again. */
const TOKEN_AGE_MS = 10_000;

/** How long a request may go on after SIGTERM. */
const SHUTDOWN_MS = 5_000;

/**
 * Keeps all tenants as their bundles say, whenever this process leads.
 *
 * The bundles are watched even while another process leads, so that this one can go on at once.
 */
export class SyncProgram {
  readonly registry = new Registry();
  private readonly metrics: SyncMetrics;
  private readonly watching: KubernetesApi;
  private readonly parts: Reflector<BundlePart>;
  private readonly statuses: Reflector<StoredStatus>;
  private readonly tenants: Tenants;
  private readonly election: LeaderElection;
  private readonly journal: VisitJournal;
  private readonly wakeup = new Wakeup();
  private readonly ended = new AbortController();
  private queue?: WorkQueue;
  private keepers?: EndpointsKeepers;

  /** @param shutdown ends it: what is under way is brought to an end, and the Lease given back */
  constructor(private readonly configuration: SyncConfiguration, private readonly shutdown: AbortSignal, private readonly logger: Logger) {
    const { namespace, podName, leaseName, visitsFile } = configuration;
    this.journal = new VisitJournal(visitsFile, (reason) => logger.warn({ visitsFile, reason }, 'cannot remember who is being visited'));
    const tenants = this.journal.setAside();
    if (tenants.length > 0) logger.error({ tenants }, 'sync ended while it visited these tenants: they are set aside, the others go on');
    this.metrics = new SyncMetrics({
      registry: this.registry,
      phases: () => this.queue && this.tenants.phases(),
      queueDepth: () => this.queue?.depth ?? 0,
      setAside: () => this.journal.setAside().length,
      keptEndpoints: () => this.keepers?.following() ?? [],
    });
    measureProcess(this.registry);
    this.watching = this.api({});
    this.parts = this.reflector('bundles', BUNDLE_LABEL_VALUE, bundlePart);
    this.statuses = this.reflector('statuses', STATUS_LABEL_VALUE, storedStatus);
    this.tenants = new Tenants({ parts: () => this.parts.items(), statuses: () => this.statuses.items() });
    this.election = new LeaderElection({
      api: this.api({ requestTimeoutMs: LEASE_TIMEOUT_MS }),
      namespace,
      name: leaseName,
      identity: podName,
      ...LEASE,
      logger: logger.child({ component: 'lease' }),
    });
    shutdown.addEventListener('abort', () => this.wakeup.notify());
  }

  /** Runs until the shutdown. */
  async run(): Promise<void> {
    const { signal } = this.ended;
    for (const reflector of [this.parts, this.statuses]) void reflector.run(signal);
    await this.election.run(this.shutdown, async (term) => this.lead(term));
    this.ended.abort();
  }

  readiness(): Readiness {
    const problems = [this.parts, this.statuses].flatMap(({ resource, problem }) => problem ? [`${resource}: ${problem}`] : []);
    return {
      bundles: { ok: this.parts.synced && this.statuses.synced, detail: problems.join('; ') || `${this.parts.items().length} ConfigMaps` },
      leader: { ok: true, detail: this.queue ? 'this process' : this.election.holder || 'unknown' },
      ...this.shutdown.aborted ? { shutdown: { ok: false, detail: 'stopping' } } : {},
    };
  }

  private async lead(term: Term): Promise<void> {
    const isOver = () => !term.holds() || this.shutdown.aborted;
    const requests = new AbortController();
    // Every request listens.
    setMaxListeners(0, requests.signal);
    term.signal.addEventListener('abort', () => {
      requests.abort();
      this.wakeup.notify();
    });
    const gate = () => {
      if (isOver()) throw new Error('no longer leading');
    };
    const api = this.api({ gate, signal: requests.signal, connections: this.configuration.concurrency });
    const queue = this.workQueue(api, gate, requests.signal);
    this.queue = queue;
    this.metrics.leader.set(1);
    // What is not listed yet is not gone.
    while (!isOver() && !(this.parts.synced && this.statuses.synced)) await this.wakeup.wait();
    this.tenants.changed();
    for (const key of this.tenants.keys()) queue.add(key);
    while (!isOver()) {
      await this.wakeup.wait();
      await delay(PARTS_MEET_MS, undefined, { signal: this.shutdown }).catch(() => undefined);
      for (const key of this.tenants.changed()) queue.add(key);
    }
    const timer = setTimeout(() => requests.abort(), SHUTDOWN_MS);
    await Promise.all([queue.stop(), this.keepers?.stop()]);
    clearTimeout(timer);
    api.close();
    this.queue = undefined;
    this.keepers = undefined;
    this.metrics.leader.set(0);
  }

  private workQueue(api: KubernetesApi, gate: () => void, signal: AbortSignal): WorkQueue {
    const { journal, logger, metrics, tenants } = this;
    const { namespace, concurrency, requestTimeout, resyncInterval, secretsInterval, caSettleTime, caOverlap, certificatesOnly } = this.configuration;
    const queue: WorkQueue = new WorkQueue({
      concurrency: concurrency * AWAITED,
      backoffMs: BACKOFF_MS,
      work: async (key) => tenantSync.work(key),
      onFailure: (tenant, { message: reason }, retryMs) => logger.warn({ tenant, reason, retryMs: Math.round(retryMs) }, 'tenant not synced, retrying'),
    });
    const isFailing = (key: string) => queue.isFailing(key);
    const inventoryOf = (tenant: TenantCluster, key: string) =>
      certificatesOnly ? new WrittenObjects(tenant, tenants.get(key).status?.record) : new InventoryStore(tenant);
    const visits = new Visits({ concurrency, requestTimeoutMs: requestTimeout, signal, gate, isFailing, journal, inventoryOf, logger });
    const statuses = new StatusWriter({ api, namespace, reflector: this.statuses, tenants, metrics });
    const management = new ManagementCluster(api, namespace);
    const keepers = new EndpointsKeepers({
      management,
      journal,
      metrics,
      concurrency,
      requestTimeoutMs: requestTimeout,
      gate,
      signal,
      // What else its bundle holds need not wait for the rest of a long delay.
      onAnswer: (key) => {
        if (isFailing(key)) queue.add(key);
      },
      hold: (key) => tenants.get(key).status?.record?.hold,
      onMoved: (key) => {
        tenantSync.visitSoon(key);
        queue.add(key);
      },
      logger,
    });
    this.keepers = keepers;
    const tenantSync: TenantSync = new TenantSync({
      tenants,
      keepers,
      statuses,
      management,
      visits,
      metrics,
      logger,
      resyncMs: resyncInterval,
      secretsMs: secretsInterval,
      certificatesOnly,
      caTiming: { settleMs: caSettleTime, overlapMs: caOverlap },
    });
    return queue;
  }

  private api(options: { gate?: () => void; signal?: AbortSignal } & Pick<KubernetesApiOptions, 'connections' | 'requestTimeoutMs'>): KubernetesApi {
    const { gate, signal = this.ended.signal, ...rest } = options;
    const mounted = mountedCredentials({ ...this.configuration, maxAgeMs: TOKEN_AGE_MS });
    const credentials = async () => {
      gate?.();
      return mounted();
    };
    return new KubernetesApi({ apiServer: this.configuration.apiServer, credentials, ...rest }, signal);
  }

  private reflector<Item>(resource: string, name: string, project: (object: KubernetesObject) => Item): Reflector<Item> {
    return new Reflector({
      api: this.watching,
      resource,
      path: `/api/v1/namespaces/${this.configuration.namespace}/configmaps`,
      selector: { labelSelector: `${NAME_LABEL}=${name}` },
      pageSize: PAGE_SIZE,
      project,
      onChange: () => {
        this.tenants.invalidate();
        this.wakeup.notify();
      },
      onError: () => this.metrics.errors.inc({ reason: 'management' }),
      logger: this.logger,
    });
  }
}
