import { existsSync } from 'fs';
import { access, constants, mkdir } from 'fs/promises';
import { join } from 'path';
import { setTimeout as sleep } from 'timers/promises';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { AcceptedFiles } from './accepted-files';
import type { ServeConfiguration } from './configuration';
import { DataPath } from './data-path';
import { UpstreamCause } from './upstream-cause';
import { ConfigurationError } from '../../../../cli/configuration';
import { SOCKETS } from '../../../../src/agent/contract/paths';
import { STOP_MARGIN_SECONDS } from '../../../../src/agent/contract/stopping';
import { CertificateSync } from '../certificates/certificate-sync';
import { ServingCertificate } from '../certificates/serving-certificate';
import { TrustBundle } from '../certificates/trust-bundle';
import { TunnelFiles } from '../certificates/tunnel-files';
import { createLogger } from '../cli/logger';
import type { EndpointsController } from '../endpoints';
import { HealthSocket } from '../haproxy/health-socket';
import { MasterSocket } from '../haproxy/master-socket';
import { RefusedConnections } from '../haproxy/refused-connections';
import { RuntimeApi } from '../haproxy/runtime-api';
import { HaproxySupervisor } from '../haproxy/supervisor';
import { AgentMetrics } from '../health/agent-metrics';
import { HealthServer } from '../health/health-server';
import { Readiness } from '../health/readiness';
import { aborted, shutdownSignal } from '../process/shutdown';

/**
 * Runs the proxy of a tenant cluster until SIGTERM or SIGINT, and returns after it has drained.
 *
 * @throws ConfigurationError when a setting or the configuration of HAProxy cannot be used
 */
export async function serve(configuration: ServeConfiguration): Promise<void> {
  const { runDir, caFile, haproxyBinary, tunnelDir } = configuration;
  const shutdown = shutdownSignal();
  const logger = createLogger(configuration.logLevel);
  const registry = new Registry();
  const metrics = new AgentMetrics(registry);
  await ensureWritable(runDir);
  const accepted = new AcceptedFiles(configuration);
  await accepted.prepare();

  const master = new MasterSocket(join(runDir, SOCKETS.master));
  const runtime = new RuntimeApi(join(runDir, SOCKETS.runtime));
  const health = new HealthSocket(join(runDir, SOCKETS.health));
  const supervisor = new HaproxySupervisor({
    binary: haproxyBinary,
    config: accepted.config,
    master,
    logger: logger.child({ component: 'haproxy' }),
  });
  const servingFolder = existsSync(configuration.tlsDir) ? configuration.tlsDir : undefined;
  const serving = servingFolder ? new ServingCertificate({
    folder: servingFolder,
    caFile,
    names: configuration.servingName,
    runtime,
    keep: (certificate, key) => accepted.writePair(certificate, key),
  }) : undefined;
  const tunnel = tunnelDir === undefined ? undefined : new TunnelFiles({ folder: tunnelDir, runDir, usage: 'client', runtime, master });
  const trust = new TrustBundle({ file: caFile, accepted: accepted.ca, keep: pem => accepted.writeAuthorities(pem), runtime, master });
  const certificates = new CertificateSync({
    parts: [trust, ...serving ? [serving] : [], ...tunnel ? [tunnel] : []],
    logger: logger.child({ component: 'certificates' }),
    registry,
  });
  const upstreamLogger = logger.child({ component: 'upstream' });
  const cause = new UpstreamCause({ runtime, haproxyConfig: accepted.config, caFile: accepted.ca, tunnel, logger: upstreamLogger });
  const certificate = serving ?? tunnel;
  const dataPath = new DataPath({ supervisor, health, certificate, cause: () => cause.text(), refusal: () => certificates.refusal });
  const endpoints = await createEndpoints(configuration, logger, registry);

  const refused = new RefusedConnections({ health, logger: logger.child({ component: 'haproxy' }), registry });

  const healthServer = new HealthServer({
    addresses: configuration.healthAddress,
    logger: logger.child({ component: 'health' }),
    registry,
    readiness: () => readiness(dataPath, endpoints, shutdown),
    metrics: () => metrics.render(() => health.metrics()),
  });
  supervisor.on('exited', () => metrics.restarts.inc());
  dataPath.on('alive', () => certificates.trigger());
  dataPath.on('upstream', verified => void cause.tell(verified));
  dataPath.on('servable', servable => endpoints?.setLocalReady(servable));

  const port = await healthServer.start();
  logger.info({ port }, 'answering /healthz, /readyz and /metrics');
  await certificates.usable(shutdown);
  if (!shutdown.aborted) {
    await supervisor.validate();
    await supervisor.start();
    certificates.start();
    dataPath.start();
    refused.start();
    await endpoints?.start();
    await aborted(shutdown);
    logger.info('shutting down: not ready, withdrawing the own address');
    const graceMs = await withdrawn(endpoints, configuration.gracePeriod);
    await sleep(configuration.propagationDelay);
    certificates.stop();
    dataPath.stop();
    refused.stop();
    logger.info({ graceMs }, 'no longer listening, waiting for open streams');
    await supervisor.stop(graceMs);
    await endpoints?.stop();
  }
  healthServer.stop();
  logger.info('stopped');
}

/** @returns what is left of the grace period for open streams, once the own address is withdrawn: until then this proxy serves new ones, too */
async function withdrawn(endpoints: EndpointsController | undefined, gracePeriod: number): Promise<number> {
  const unbooked = 1_000 * STOP_MARGIN_SECONDS.withdrawal;
  const began = performance.now();
  await endpoints?.withdraw(Math.max(gracePeriod, unbooked));
  const elapsed = performance.now() - began;
  return Math.max(0, gracePeriod - Math.max(0, Math.round(elapsed - unbooked)));
}

async function ensureWritable(runDir: string): Promise<void> {
  try {
    // Not recursive: Node.js 20 loops for ever when a file system such as /proc answers ENOENT.
    if (!existsSync(runDir)) await mkdir(runDir);
    await access(runDir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`--run-dir ${JSON.stringify(runDir)}: cannot be written (${code}), mount an emptyDir volume there`);
  }
}

async function createEndpoints(configuration: ServeConfiguration, logger: Logger, registry: Registry): Promise<EndpointsController | undefined> {
  const { endpoints, caFile } = configuration;
  if (!endpoints) return undefined;
  const { EndpointsController: Controller } = await import('../endpoints');
  try {
    return new Controller({ ...endpoints, advertiseAddresses: endpoints.advertiseAddress ?? [], caFile, logger, registry });
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
}

async function readiness(dataPath: DataPath, endpoints: EndpointsController | undefined, shutdown: AbortSignal): Promise<Readiness> {
  const parts: Record<string, Readiness[string]> = await dataPath.readiness();
  if (endpoints) {
    const { published, detail } = endpoints.status();
    parts.endpoints = { ok: published, detail };
  }
  if (shutdown.aborted) parts.shutdown = { ok: false, detail: 'draining' };
  return parts;
}
