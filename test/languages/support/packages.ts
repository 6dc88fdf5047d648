import { execFileSync } from 'child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'fs';
import { join } from 'path';

const ROOT = join(__dirname, '..', '..', '..');

/** The value of an environment variable that scripts/languages.sh sets. */
export function built(variable: 'NPM_PACKAGE' | 'PYTHON' | 'PYTHONPATH' | 'WHEEL' | 'GO_APP' | 'GO_MODULE' | 'GO_PEERS' | 'JAVA_REPOSITORY' | 'DOTNET_SOURCES' | 'NEWER_PLUS' | 'LOWEST_PEERS'): string {
  const value = process.env[variable];
  if (!value) {
    throw new Error(`${variable}: is not set, as only scripts/languages.sh does. Run "npm run test:languages".`);
  }
  return value;
}

/**
 * Installs the npm package into a project folder, next to links to the packages that its user has beside it.
 *
 * @param peers folder with these packages
 */
export function installNpmPackage(project: string, peers = ROOT): void {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{}');
  // Offline: without its peers, it has no dependencies to download.
  const options = ['--offline', '--legacy-peer-deps', '--no-audit', '--no-fund', '--no-save', '--loglevel', 'error'];
  execFileSync('npm', ['install', ...options, built('NPM_PACKAGE')], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const name of ['cdk8s', 'cdk8s-plus-30', 'constructs']) {
    symlinkSync(join(peers, 'node_modules', name), join(project, 'node_modules', name));
  }
}
