import { execFile } from 'child_process';
import { promisify } from 'util';
import { parseLogLine } from './log-lines';
import { ConfigurationError } from '../../../../cli/configuration';

/** It reads files and no more; who waits for longer waits for something that hangs, and with it waits all that would be done next. */
const LIMIT_MS = 60_000;

/** HAProxy has said no: only another configuration helps. */
export class RefusedConfigurationError extends ConfigurationError {}

/**
 * @param limitMs HAProxy is killed when it takes longer. Default: a minute
 * @throws RefusedConfigurationError with HAProxy's own words when it does not accept the configuration, ConfigurationError when it cannot be asked
 */
export async function validateConfig(binary: string, config: string, limitMs = LIMIT_MS): Promise<void> {
  try {
    await promisify(execFile)(binary, ['-c', '-f', config], { env: {}, timeout: limitMs, killSignal: 'SIGKILL' });
  } catch (error) {
    const { code, killed, stderr = '' } = error as { code?: string | number | null; killed?: boolean; stderr?: string };
    if (typeof code === 'string') {
      throw new ConfigurationError(`--haproxy-binary ${JSON.stringify(binary)}: cannot be run (${code}), name the HAProxy program`);
    }
    if (killed) {
      throw new ConfigurationError(`--haproxy-config ${JSON.stringify(config)}: HAProxy has not checked it within ${limitMs / 1000} s, look for what keeps the node busy`);
    }
    const lines = stderr.split('\n').filter(line => line !== '').map(parseLogLine);
    const alerts = lines.filter(line => line.level === 'error');
    const reasons = (alerts.length > 0 ? alerts : lines).map(line => line.message).join('; ');
    throw new RefusedConfigurationError(`--haproxy-config ${JSON.stringify(config)}: HAProxy refuses it, correct what it names: ${reasons}`);
  }
}
