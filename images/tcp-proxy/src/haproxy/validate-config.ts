import { execFile } from 'child_process';
import { promisify } from 'util';
import { parseLogLine } from './log-lines';
import { ConfigurationError } from '../../../../cli/configuration';

/** @throws ConfigurationError with HAProxy's own words when it does not accept the configuration */
export async function validateConfig(binary: string, config: string): Promise<void> {
  try {
    await promisify(execFile)(binary, ['-c', '-f', config], { env: {} });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string | number; stderr?: string };
    if (typeof code === 'string') {
      throw new ConfigurationError(`--haproxy-binary ${JSON.stringify(binary)}: cannot be run (${code}), name the HAProxy program`);
    }
    const lines = stderr.split('\n').filter(line => line !== '').map(parseLogLine);
    const alerts = lines.filter(line => line.level === 'error');
    const reasons = (alerts.length > 0 ? alerts : lines).map(line => line.message).join('; ');
    throw new ConfigurationError(`--haproxy-config ${JSON.stringify(config)}: HAProxy refuses it, correct what it names: ${reasons}`);
  }
}
