import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge, Registry } from 'prom-client';
import type { RegisterConfiguration } from './configuration';
import { Outcome, Registrar } from './registrar';
import { readRegistrations } from './registrations-file';
import { METRICS } from '../../../../src/agent/contract/metrics';
import { createLogger } from '../cli/logger';
import { described } from '../health/described';
import { HealthServer } from '../health/health-server';
import { measureProcess } from '../health/process-metrics';
import { mountedCredentials } from '../kubernetes/credentials';
import { KubernetesApi } from '../kubernetes/kubernetes-api';
import { shutdownSignal } from '../process/shutdown';

/** As long as client-go uses a token before it reads its file again. */
const TOKEN_AGE_MS = 10_000;

/** Keeps registrations until SIGTERM or SIGINT. Several processes do no harm: each writes what the others would. */
export async function register(configuration: RegisterConfiguration): Promise<void> {
  const { apiServer, caFile, tokenFile, registrations: file, interval } = configuration;
  const logger = createLogger(configuration.logLevel);
  const stop = shutdownSignal();
  const registry = new Registry();
  measureProcess(registry);
  const tenants = new Gauge(described(METRICS.registerTenants, registry));
  const failures = new Counter(described(METRICS.registerFailedRounds, registry));
  let problem: string | undefined = 'no look at the tenants has ended yet';
  const health = new HealthServer({
    addresses: configuration.healthAddress,
    logger: logger.child({ component: 'health' }),
    registry,
    readiness: async () => ({ registrations: { ok: problem === undefined, detail: problem ?? 'all tenants were looked at' } }),
    metrics: async () => registry.metrics(),
  });
  logger.info({ port: await health.start() }, 'answering /healthz, /readyz and /metrics');

  const api = new KubernetesApi({ apiServer, credentials: mountedCredentials({ caFile, tokenFile, maxAgeMs: TOKEN_AGE_MS }) }, stop);
  const registrar = new Registrar(api, logger);
  while (!stop.aborted) {
    try {
      const counts = await registrar.round(await readRegistrations(file));
      for (const [outcome, count] of Object.entries(counts) as [Outcome, number][]) tenants.set({ outcome }, count);
      problem = undefined;
    } catch (error) {
      if (stop.aborted) break;
      failures.inc();
      if (problem !== (error as Error).message) logger.error({ reason: (error as Error).message }, 'no tenant was looked at');
      problem = (error as Error).message;
    }
    await delay(interval, undefined, { signal: stop }).catch(() => undefined);
  }
  api.close();
  health.stop();
  logger.info('stopped');
}
