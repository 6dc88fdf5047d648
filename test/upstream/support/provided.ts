import { execFileSync } from 'child_process';
import { join } from 'path';

/**
 * What scripts/<name>.sh prints, line by line. scripts/upstream.sh has run it before, as it finds the calls of this function in the test
 * files: programs are built where there is a network, and tests have none.
 */
export function provided(name: string): string[] {
  const script = join(__dirname, '../../../scripts', `${name}.sh`);
  return execFileSync(script, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim().split('\n');
}
