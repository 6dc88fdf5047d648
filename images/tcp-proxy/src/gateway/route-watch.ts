import type { Logger } from 'pino';
import { pino } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { METRICS } from '../../../../src/agent/contract/metrics';
import { mapFile, mountedMapFile, ROUTING_TABLES } from '../../../../src/agent/contract/routing-tables';
import { described } from '../health/described';
import { KubernetesApi } from '../kubernetes/kubernetes-api';
import { KubernetesObject } from '../kubernetes/objects';
import { Reflector } from '../kubernetes/reflector';

/**
 * How much later than a watch the kubelet may update a mounted ConfigMap: its sync period of a minute, and as much for its cache
 * (Kubernetes, "Mounted ConfigMaps are updated automatically"), with reserve.
 */
const KUBELET_LAG_MS = 180_000;

export interface RouteWatchOptions {
  readonly api: KubernetesApi;
  readonly namespace: string;
  /** Those with the routes, in the order of their shards. */
  readonly configMaps: readonly string[];
  readonly onChange: () => void;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Default: 3 minutes. */
  readonly kubeletLagMs?: number;
}

/** The texts of a ConfigMap, by key. */
interface Texts {
  readonly [key: string]: string | undefined;
}

/** One ConfigMap, followed by the API. */
interface Followed {
  readonly reflector: Reflector<Texts>;
  /** Since when it is not followed, by `performance.now()`; undefined while it is. */
  brokenSince?: number;
}

/**
 * Follows the ConfigMaps with the routes by the API, as the kubelet takes a minute or two to update mounted ones.
 *
 * The mounted files are there before the API answers, and when it does not: they count until a ConfigMap was read, after it was deleted,
 * and where they changed later than what was read last.
 */
export class RouteWatch {
  private readonly byFile = new Map<string, { readonly followed: Followed; readonly key: string }>();
  private readonly all: Followed[];
  /** What was mounted when the API's text was known to be as new, by file: what tells it from others. */
  private readonly mountedThen = new Map<string, string>();
  private readonly lagMs: number;

  constructor({ api, namespace, configMaps, onChange, logger, registry, kubeletLagMs = KUBELET_LAG_MS }: RouteWatchOptions) {
    this.lagMs = kubeletLagMs;
    const errors = new Counter(described(METRICS.gatewayRouteWatchErrors, registry));
    this.all = configMaps.map((name, shard) => {
      const followed: Followed = {
        brokenSince: -Infinity,
        reflector: new Reflector({
          api,
          resource: name,
          path: `/api/v1/namespaces/${namespace}/configmaps`,
          // RBAC grants the list of one name.
          selector: { fieldSelector: `metadata.name=${name}` },
          project: textsOf,
          onChange: () => {
            if (followed.reflector.problem !== undefined) return;
            if (followed.brokenSince !== undefined) logger.info({ configMap: name }, 'routes are followed by the API');
            followed.brokenSince = undefined;
            onChange();
          },
          onError: () => {
            errors.inc();
            // It is tried again all the time: said once.
            if (followed.brokenSince === undefined || followed.brokenSince === -Infinity) {
              logger.warn({ configMap: name, reason: followed.reflector.problem }, 'routes are not followed by the API; the mounted file counts where it changes');
              followed.brokenSince = performance.now();
            }
          },
          logger: pino({ level: 'silent' }),
        }),
      };
      for (const table of ROUTING_TABLES) this.byFile.set(mountedMapFile(table, shard), { followed, key: mapFile(table) });
      return followed;
    });
    const behind = () => this.behind.length;
    new Gauge({
      ...described(METRICS.gatewayUnfollowed, registry),
      collect() {
        this.set(behind());
      },
    });
  }

  /** Why each ConfigMap is not followed that is not. */
  public get behind(): string[] {
    return this.all.flatMap(({ reflector: { resource, problem } }) => problem === undefined ? [] : [`${resource}: ${problem}`]);
  }

  /** The files of which the API has a text. */
  public get files(): string[] {
    return [...this.byFile.keys()].filter(file => this.textOf(file) !== undefined);
  }

  /** Runs until the signal aborts. */
  public async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.all.map(({ reflector }) => reflector.run(signal)));
  }

  /**
   * The text of a file, where that of the API counts.
   *
   * @param mounted what tells what is mounted from another content, or undefined when that cannot be read
   * @returns undefined where the API knows nothing newer
   */
  public newest(file: string, mounted: string | undefined): string | undefined {
    const text = this.textOf(file);
    if (text === undefined) return undefined;
    const { followed } = this.byFile.get(file)!;
    const isFresh = followed.brokenSince === undefined || performance.now() - followed.brokenSince < this.lagMs;
    if (isFresh && mounted !== undefined) this.mountedThen.set(file, mounted);
    return isFresh || mounted === undefined || mounted === this.mountedThen.get(file) ? text : undefined;
  }

  private textOf(file: string): string | undefined {
    const { followed, key } = this.byFile.get(file) ?? {};
    return followed?.reflector.items()[0]?.[key!];
  }
}

function textsOf(object: KubernetesObject): Texts {
  const { data = {} } = object as KubernetesObject & { readonly data?: Texts };
  return Object.fromEntries(ROUTING_TABLES.map(table => [mapFile(table), data[mapFile(table)]]));
}
