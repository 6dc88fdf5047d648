import type { Logger } from 'pino';
import { EndpointsKeeper, Session } from './keeper';
import { withoutEndpoints } from './objects';
import { TenantHold } from '../../../../../src/agent/contract/bundle';
import { SharedBudget } from '../../kubernetes/answer';
import { KubernetesApi } from '../../kubernetes/kubernetes-api';
import { LIST, longAnswersOfTenants } from '../answer-limits';
import { Bundle } from '../bundle';
import { SyncError } from '../errors';
import { HeldElsewhereError, standing } from '../hold';
import { readHolder } from '../inventory-store';
import { parseKubeconfig } from '../kubeconfig';
import { ManagementCluster } from '../management-cluster';
import { SyncMetrics } from '../metrics';
import { Places } from '../places';
import { VisitJournal } from '../visit-journal';

/** A look begins no request after this time, however slowly the tenant answers. */
const LONGEST_LOOK_MS = 20_000;

/** A tenant that does not answer within this time gives its place to others. */
const LONGEST_ANSWER_MS = 5_000;

/**
 * The watches end by themselves after two and a half minutes or more, and each end costs a look. Sync is beside the API servers, where
 * hardly any load balancer drops silent connections.
 */
const WATCH_SILENCE_MS = 300_000;

export interface EndpointsKeepersOptions {
  readonly management: ManagementCluster;
  readonly journal: VisitJournal;
  readonly metrics: SyncMetrics;
  /** How many tenants are looked at, at once. */
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  /** Throws when no further request may be made. */
  readonly gate: () => void;
  /** Ends all requests. */
  readonly signal: AbortSignal;
  /** A tenant answers that did not before. */
  readonly onAnswer: (key: string) => void;
  /** By what a tenant is known as our own. */
  readonly hold: (key: string) => TenantHold | undefined;
  /** Another holds a tenant that was ours. */
  readonly onMoved: (key: string) => void;
  readonly logger: Logger;
}

interface Kept {
  readonly checksum: string;
  readonly keeper: EndpointsKeeper;
}

/** Keeps the endpoints of `default/kubernetes` in all tenants whose bundles say so. */
export class EndpointsKeepers {
  private readonly byKey = new Map<string, Kept>();
  private readonly places: Places;
  private readonly placesOfFailing: Places;
  private readonly budget: SharedBudget = longAnswersOfTenants();

  constructor(private readonly options: EndpointsKeepersOptions) {
    this.places = new Places(options.concurrency);
    this.placesOfFailing = new Places(Math.ceil(options.concurrency / 4));
  }

  /** Of each tenant, whether changes of its endpoints are seen at once. */
  following(): boolean[] {
    return [...this.byKey.values()].map(({ keeper }) => keeper.following);
  }

  /** Keeps those of a tenant as its bundle says, from now on; or keeps them no more, and resolves when nothing is written any more. */
  async follow(key: string, bundle: Bundle): Promise<void> {
    const known = this.byKey.get(key);
    if (bundle.kubernetesEndpoints === 'kept' && known?.checksum === bundle.checksum) return;
    await this.leave(key);
    if (bundle.kubernetesEndpoints === 'kept') this.byKey.set(key, { checksum: bundle.checksum, keeper: this.keeper(key, bundle) });
  }

  /** Resolves when nothing is written to a tenant any more. */
  async leave(key: string): Promise<void> {
    const known = this.byKey.get(key);
    this.byKey.delete(key);
    await known?.keeper.stop();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.byKey.keys()].map(async (key) => this.leave(key)));
  }

  private keeper(key: string, bundle: Bundle): EndpointsKeeper {
    const { logger, management, metrics, onAnswer, onMoved } = this.options;
    const keeper: EndpointsKeeper = new EndpointsKeeper({
      connect: async () => this.connect(key, bundle, () => keeper.failing),
      desired: async () => withoutEndpoints(await management.objects(key, bundle), 'kept').kept!,
      onAnswer: () => onAnswer(key),
      onMoved: () => onMoved(key),
      onRepair: () => metrics.endpointRepairs.inc(),
      logger: logger.child({ tenant: key }),
    });
    return keeper;
  }

  /** Anew after each failure, as the kubeconfig may have changed. */
  private async connect(key: string, bundle: Bundle, isFailing: () => boolean): Promise<Session> {
    const { gate, journal, management, requestTimeoutMs, signal } = this.options;
    journal.requireVisitable(key);
    const { apiServer, serverName, credentials } = parseKubeconfig(await management.secrets(bundle).kubeconfig(bundle));
    let lookEnds = Infinity;
    const api = new KubernetesApi({
      apiServer,
      serverName,
      credentials: async () => {
        gate();
        if (performance.now() > lookEnds) throw new SyncError('unreachable', 'the tenant answers so slowly that a look took too long');
        return credentials;
      },
      requestTimeoutMs: Math.min(requestTimeoutMs, LONGEST_ANSWER_MS),
      watchSilenceMs: WATCH_SILENCE_MS,
      largestAnswer: LIST,
      budget: this.budget,
    }, signal);
    const look = async <T>(action: () => Promise<T>) => {
      const place = await (isFailing() ? this.placesOfFailing : this.places).take();
      journal.begin(key);
      lookEnds = performance.now() + LONGEST_LOOK_MS;
      try {
        return await action();
      } finally {
        lookEnds = Infinity;
        journal.end(key);
        place.leave();
      }
    };
    const requireHeld = async () => {
      // Pods need their endpoints even from an API server that can read nothing else.
      const of = standing(this.options.hold(key), await readHolder(api).catch(() => undefined));
      if (of === 'moved') throw new HeldElsewhereError();
      if (of === 'to take') throw new Error('the tenant is taken over by its first visit');
    };
    return { api, look, requireHeld, close: () => api.close() };
  }
}
