import { existsSync } from 'fs';
import { mkdir } from 'fs/promises';
import { dirname, join } from 'path';
import { setTimeout as sleep } from 'timers/promises';
import { setFlagsFromString } from 'v8';
import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { AddressBook } from './address-book';
import type { GatewayConfiguration } from './configuration';
import { LiveConfiguration } from './live-configuration';
import { RouteFiles } from './route-files';
import { RouteWatch } from './route-watch';
import { Routing } from './routing';
import { TunnelEnd } from './tunnel-end';
import { ConfigurationError } from '../../../../cli/configuration';
import { unansweredTarget } from '../../../../src/agent/contract/connection-log';
import { METRICS } from '../../../../src/agent/contract/metrics';
import { MAPS_FOLDER, SOCKETS } from '../../../../src/agent/contract/paths';
import { CertificateSync } from '../certificates/certificate-sync';
import { FolderWatches } from '../certificates/folder-watches';
import { createLogger } from '../cli/logger';
import { HealthSocket } from '../haproxy/health-socket';
import { MasterSocket } from '../haproxy/master-socket';
import { RefusedConnections } from '../haproxy/refused-connections';
import { RuntimeApi } from '../haproxy/runtime-api';
import { HaproxySupervisor } from '../haproxy/supervisor';
import { AgentMetrics } from '../health/agent-metrics';
import { described } from '../health/described';
import { HealthServer } from '../health/health-server';
import { Readiness } from '../health/readiness';
import { mountedCredentials } from '../kubernetes/credentials';
import { KubernetesApi } from '../kubernetes/kubernetes-api';
import { aborted, shutdownSignal } from '../process/shutdown';
import { DataPath } from '../serve/data-path';

const RETRY_MS = 1_000;
const NAMES_IN_DETAIL = 10;

/**
 * Runs the shared gateway until SIGTERM or SIGINT, and returns after it has drained.
 *
 * @throws ConfigurationError when a setting or the configuration of HAProxy cannot be used
 */
export async function gateway(configuration: GatewayConfiguration): Promise<void> {
  // Each change leaves a table behind: without this, V8 lets them be until the heap has several times of what is in it.
  setFlagsFromString('--optimize-for-size');
  const { runDir, haproxyBinary, haproxyConfig, routesDir, tunnelDir } = configuration;
  const shutdown = shutdownSignal();
  const logger = createLogger(configuration.logLevel);
  const registry = new Registry();
  const metrics = new AgentMetrics(registry);
  const mapsDir = join(runDir, MAPS_FOLDER);
  await mkdir(mapsDir, { recursive: true });
  if (!existsSync(routesDir)) {
    throw new ConfigurationError(`--routes-dir ${JSON.stringify(routesDir)}: does not exist, mount the ConfigMaps with the routes there`);
  }

  const master = new MasterSocket(join(runDir, SOCKETS.master));
  const runtime = new RuntimeApi(join(runDir, SOCKETS.runtime));
  const health = new HealthSocket(join(runDir, SOCKETS.health));
  const addresses = new AddressBook({
    nameservers: configuration.nameserver,
    intervalMs: configuration.resolveInterval,
    deadlineMs: configuration.resolveDeadline,
    logger: logger.child({ component: 'addresses' }),
  });
  const ended = new AbortController();
  const routeWatch = watchOf(configuration, ended.signal, () => reconciler.trigger(), logger.child({ component: 'routes' }), registry);
  const routing = new Routing({
    files: new RouteFiles(routesDir, routeWatch),
    addresses,
    mapsDir,
    runtime,
    closeRemoved: configuration.closeRemoved,
    logger: logger.child({ component: 'routing' }),
    registry,
  });
  const live = new LiveConfiguration({
    binary: haproxyBinary,
    mounted: haproxyConfig,
    runDir,
    master,
    reloadIntervalMs: configuration.reloadInterval,
    logger: logger.child({ component: 'configuration' }),
    registry,
  });
  const supervisor = new HaproxySupervisor({
    binary: haproxyBinary,
    config: live.file,
    master,
    logger: logger.child({ component: 'haproxy' }),
    onConnection: line => {
      const target = unansweredTarget(line);
      if (target !== undefined) routing.unanswered(target);
    },
  });
  const dataPath = new DataPath({ supervisor, health, refusal: () => undefined });
  const reconciler = new Reconciler(routing, live, supervisor, logger);
  const afterReload = () => reconciler.restarted();
  const tunnel = tunnelDir === undefined ? undefined : new TunnelEnd({ folder: tunnelDir, runDir, runtime, master, afterReload });
  const certificates = new CertificateSync({ parts: tunnel ? [tunnel] : [], logger: logger.child({ component: 'certificates' }), registry });
  const changed = () => {
    reconciler.trigger();
    certificates.trigger();
  };
  const watches = new FolderWatches({ onChange: changed, logger: logger.child({ component: 'files' }), registry });
  countOldWorkers(registry, master);

  const refused = new RefusedConnections({ health, logger: logger.child({ component: 'haproxy' }), registry });

  const healthServer = new HealthServer({
    addresses: configuration.healthAddress,
    logger: logger.child({ component: 'health' }),
    registry,
    readiness: async () => readiness(await dataPath.readiness(), { routing, routeWatch, live, addresses, certificates, tunnel, shutdown }),
    metrics: () => metrics.render(() => health.metrics()),
  });
  supervisor.on('exited', () => metrics.restarts.inc());
  dataPath.on('alive', () => {
    reconciler.restarted();
    certificates.trigger();
  });

  await routing.prepare();
  addresses.on('changed', () => reconciler.trigger());
  const port = await healthServer.start();
  logger.info({ port }, 'answering /healthz, /readyz and /metrics');
  await certificates.usable(shutdown);
  if (!shutdown.aborted) {
    await live.prepare();
    await supervisor.start();
    dataPath.start();
    refused.start();
    addresses.start();
    watches.open([routesDir, dirname(haproxyConfig), ...tunnelDir === undefined ? [] : [tunnelDir]]);
    void routeWatch?.run(ended.signal);
    await aborted(shutdown);
    logger.info('shutting down: not ready');
    await sleep(configuration.propagationDelay);
    dataPath.stop();
    refused.stop();
    watches.close();
    ended.abort();
    addresses.stop();
    await reconciler.stop();
    logger.info({ graceMs: configuration.gracePeriod }, 'no longer listening, waiting for open streams');
    await supervisor.stop(configuration.gracePeriod);
  }
  healthServer.stop();
  logger.info('stopped');
}

/** Follows the ConfigMaps that the flags name. */
function watchOf(
  { routeConfigMap: configMaps, namespace, apiServer, caFile, tokenFile }: GatewayConfiguration,
  signal: AbortSignal, onChange: () => void, logger: Logger, registry: Registry,
): RouteWatch | undefined {
  if (configMaps.length === 0) return undefined;
  const api = new KubernetesApi({ apiServer, credentials: mountedCredentials({ caFile, tokenFile }) }, signal);
  return new RouteWatch({ api, namespace: namespace!, configMaps, onChange, logger, registry });
}

/** Brings HAProxy up to date, one change after the other. */
class Reconciler {
  private running?: Promise<void>;
  private again = false;
  private stopped = false;
  private alive = false;
  private failure?: string;

  constructor(
    private readonly routing: Routing,
    private readonly live: LiveConfiguration,
    private readonly supervisor: HaproxySupervisor,
    private readonly logger: Logger,
  ) {
    supervisor.on('exited', () => {
      this.alive = false;
    });
  }

  /** HAProxy answers after a start: it has what was in the files then. */
  public restarted(): void {
    this.alive = true;
    this.routing.forget();
    this.trigger();
  }

  /** Something may have changed; calls during the work lead to one more round. */
  public trigger(): void {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.reconcile().then(() => {
      this.running = undefined;
      if (!this.again) return;
      this.again = false;
      this.trigger();
    });
  }

  public async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async reconcile(): Promise<void> {
    try {
      await this.routing.reconcile(this.alive);
      if (this.alive && this.supervisor.status().running && await this.live.reconcile(() => this.trigger())) {
        this.routing.forget();
        await this.routing.reconcile(this.alive);
      }
      this.failure = undefined;
    } catch (error) {
      const reason = (error as Error).message;
      if (reason !== this.failure) this.logger.warn({ reason }, 'HAProxy not brought up to date, trying every second');
      this.failure = reason;
      this.routing.forget();
      setTimeout(() => this.trigger(), RETRY_MS).unref();
    }
  }
}

interface Parts {
  readonly routing: Routing;
  readonly routeWatch?: RouteWatch;
  readonly live: LiveConfiguration;
  readonly addresses: AddressBook;
  readonly certificates: CertificateSync;
  readonly tunnel?: TunnelEnd;
  readonly shutdown: AbortSignal;
}

/** What is refused does not make the gateway unready: it serves with what it had. */
function readiness({ haproxy }: Pick<Readiness, 'haproxy'>, { routing, routeWatch, live, addresses, certificates, tunnel, shutdown }: Parts): Readiness {
  const { services, unresolved, failing } = addresses.status();
  const failures = [...failing].slice(0, NAMES_IN_DETAIL).map(([service, reason]) => `${service} (${reason})`);
  const { count, examples } = routing.refusals;
  return {
    haproxy,
    configuration: { ok: true, detail: live.refusal ? `refused, the one before is in use: ${live.refusal}` : 'as mounted' },
    routes: { ok: true, detail: [...count > 0 ? [`${count} refused: ${examples.slice(0, 5).join('; ')}`] : [], sourceOf(routeWatch)].join('; ') },
    // A pod that DNS never answered knows nobody: better that the pods before it go on.
    addresses: {
      ok: addresses.ready,
      detail: `${services - unresolved} of ${services} services have one${failing.size === 0 ? '' : `; DNS fails for ${failing.size}: ${failures.join(', ')}`}`,
    },
    ...(tunnel ? { tunnel: { ok: true, detail: tunnelDetail(tunnel, certificates) } } : {}),
    ...(shutdown.aborted ? { shutdown: { ok: false, detail: 'draining' } } : {}),
  };
}

function tunnelDetail({ notAfter }: TunnelEnd, { refusal }: CertificateSync): string {
  return `certificate valid until ${notAfter()?.toISOString()}${refusal === undefined ? '' : `; the files were refused: ${refusal}`}`;
}

function sourceOf(routeWatch?: RouteWatch): string {
  const behind = routeWatch?.behind ?? [];
  return routeWatch && behind.length === 0 ? 'as the API has them' : ['as mounted', ...behind.slice(0, 1)].join(', not followed by the API: ');
}

function countOldWorkers(registry: Registry, master: MasterSocket): void {
  new Gauge({
    ...described(METRICS.gatewayOldWorkers, registry),
    async collect() {
      const processes = await master.processes(1_000).catch(() => []);
      this.set(processes.filter(process => process.type === 'worker' && process.old).length);
    },
  });
}
