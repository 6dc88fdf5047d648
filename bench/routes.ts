import { execFileSync } from 'child_process';
import { join } from 'path';
import { runInNamespace } from './proxy/namespace';

/*
 * Measures how long it takes from the apply of a changed ConfigMap until the shared gateway routes the tenant, with a real
 * kube-apiserver and 10,000 tenants, and writes bench/results/routes.json.
 */
process.chdir(join(__dirname, '..'));
const output = (command: string) => execFileSync(command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).trim();
process.exitCode = runInNamespace(join(__dirname, 'routes', 'run.ts'), [], [], { KUBEBUILDER_ASSETS: output('scripts/kubebuilder-assets.sh') });
