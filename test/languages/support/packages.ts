import { execFileSync } from 'child_process';
import { mkdirSync, symlinkSync } from 'fs';
import { join } from 'path';

const ROOT = join(__dirname, '..', '..', '..');
const NAME = 'cdk8s-hosted-control-plane';

/** The value of an environment variable that scripts/languages.sh sets. */
export function built(variable: 'NPM_PACKAGE' | 'PYTHON' | 'GO_APP'): string {
  const value = process.env[variable];
  if (!value) {
    throw new Error(`${variable}: is not set, as only scripts/languages.sh does. Run "npm run test:languages".`);
  }
  return value;
}

/** Installs the npm package into a project folder, next to links to the packages that its user has beside it. */
export function installNpmPackage(project: string): string {
  const folder = join(project, 'node_modules', NAME);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['--extract', '--file', built('NPM_PACKAGE'), '--directory', folder, '--strip-components', '1']);
  for (const name of ['cdk8s', 'cdk8s-plus-30', 'constructs']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
  return folder;
}
