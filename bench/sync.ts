import { execFileSync } from 'child_process';
import { join } from 'path';
import { runInNamespace } from './proxy/namespace';

/*
 * Measures sync with 1,000 unchanged tenants, and with 200 of which 20 cannot be reached, and writes bench/results/sync.json.
 * With --smoke it does a little of everything in about a minute, and writes nothing. It needs what the end-to-end tests need.
 */
process.chdir(join(__dirname, '..'));
execFileSync('npx', ['projen', 'bundle'], { cwd: 'images/tcp-proxy', stdio: ['ignore', 2, 2] });
process.exitCode = runInNamespace(join(__dirname, 'sync', 'run.ts'), process.argv.slice(2), [], {
  KUBEBUILDER_ASSETS: output('scripts/kubebuilder-assets.sh'),
  TCP_PROXY_IMAGE_ROOT: output('scripts/image.sh').split('\n')[0],
});

function output(command: string): string {
  return execFileSync(command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).trim();
}
