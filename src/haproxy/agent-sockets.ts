import { HaproxyConfig } from './config';
import { addRefusalCounters } from './connection-limits';
import { Section, Word } from './section';
import { addAgentTimeout } from './timeouts';
import { HEALTH_SOCKET_PATHS } from '../agent/contract/haproxy-names';
import { SOCKETS } from '../agent/contract/paths';

/** The section `global` with what the agent needs of it: log lines to read, and the runtime API. */
export function addGlobalSection(config: HaproxyConfig, runFolder: string): Section {
  return config.section('global')
    .add('log', 'stdout', 'format', 'raw', 'local0', 'info')
    .add('stats', 'socket', `unix@${runFolder}/${SOCKETS.runtime}`, 'mode', '600', 'level', 'admin');
}

/** What a health frontend depends on. */
export interface HealthFrontendOptions {
  readonly runFolder: string;
  /** Whether `defaults` has a log, which these requests would fill. */
  readonly logs: boolean;
  /** Conditions of readiness; empty for a proxy that is ready when it answers. */
  readonly readyIf: Word[];
}

/** For the agent alone, which merges it with its own state and serves both on a TCP port. */
export function addHealthFrontend(config: HaproxyConfig, { runFolder, logs, readyIf }: HealthFrontendOptions): void {
  const { ready, metrics } = HEALTH_SOCKET_PATHS;
  const health = config.section('frontend', 'health')
    .add('bind', `unix@${runFolder}/${SOCKETS.health}`, 'mode', '600')
    .add('mode', 'http');
  if (logs) {
    health.comment('The agent asks once a second.').add('no', 'log');
  }
  addAgentTimeout(health)
    .add('http-request', 'use-service', 'prometheus-exporter', 'if', '{', 'path', metrics, '}')
    .add('http-request', 'return', 'status', 200, 'if', '{', 'path', ready, '}', ...readyIf)
    .addIf(readyIf.length > 0, 'http-request', 'return', 'status', 503, 'if', '{', 'path', ready, '}');
  addRefusalCounters(health);
  health.add('http-request', 'return', 'status', 404);
}
