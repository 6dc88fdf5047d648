import { execFileSync } from 'child_process';
import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { runInNamespace } from './proxy/namespace';
import { EXPOSURE } from '../test/e2e/support/cluster';

/*
 * Measures the complete tcp-proxy against HAProxy with a minimal configuration and against a relay in Go, and writes
 * bench/results/proxy.json. README.md says what the figures mean. With --smoke it does a little of everything in about
 * two minutes, and writes nothing.
 *
 * It needs what the end-to-end tests need, and Go.
 */
process.chdir(join(__dirname, '..'));
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  execFileSync('npx', ['projen', 'bundle'], { cwd: 'images/tcp-proxy', stdio: ['ignore', 2, 2] });
  process.exitCode = runInNamespace(join(__dirname, 'proxy', 'run.ts'), process.argv.slice(2), [EXPOSURE.api.host], {
    KUBEBUILDER_ASSETS: output('scripts/kubebuilder-assets.sh'),
    TCP_PROXY_IMAGE_ROOT: output('scripts/image.sh').split('\n')[0],
    ...previousImage(),
    BENCH_LOAD: goProgram('load'),
    BENCH_RELAY: goProgram('relay'),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The image of the checkout that BENCH_PREVIOUS names. */
function previousImage(): { PREVIOUS_IMAGE_ROOT?: string } {
  const cwd = process.env.BENCH_PREVIOUS;
  if (!cwd) {
    return {};
  }
  execFileSync('npx', ['projen', 'bundle'], { cwd: join(cwd, 'images/tcp-proxy'), stdio: ['ignore', 2, 2] });
  return { PREVIOUS_IMAGE_ROOT: execFileSync('scripts/image.sh', { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).split('\n')[0] };
}

function goProgram(name: string): string {
  const program = join(folder, name);
  execFileSync('go', ['build', '-o', program, '.'], {
    cwd: join(__dirname, name),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 2, 2],
  });
  return program;
}

function output(command: string): string {
  return execFileSync(command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).trim();
}
