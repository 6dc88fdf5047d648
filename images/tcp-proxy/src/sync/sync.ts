import { setFlagsFromString } from 'node:v8';
import type { SyncConfiguration } from './configuration';
import { SyncProgram } from './program';
import { createLogger } from '../cli/logger';
import { HealthServer } from '../health/health-server';
import { shutdownSignal } from '../process/shutdown';

/** Keeps all tenants as their bundles say until SIGTERM or SIGINT, and returns when what was under way has ended. */
export async function sync(configuration: SyncConfiguration): Promise<void> {
  // Much is allocated and little kept: without this, V8 lets the heap grow to several times of what is in it.
  setFlagsFromString('--optimize-for-size');
  const logger = createLogger(configuration.logLevel);
  const program = new SyncProgram(configuration, shutdownSignal(), logger);
  const health = new HealthServer({
    addresses: configuration.healthAddress,
    logger: logger.child({ component: 'health' }),
    registry: program.registry,
    readiness: async () => program.readiness(),
    metrics: async () => program.registry.metrics(),
  });
  const port = await health.start();
  logger.info({ port }, 'answering /healthz, /readyz and /metrics');
  await program.run();
  health.stop();
  logger.info('stopped');
}
