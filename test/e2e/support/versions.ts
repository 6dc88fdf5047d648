import { execFileSync } from 'child_process';
import { join } from 'path';

/** The version of the API server that the tests run, e.g. `1.32.13`. */
export const KUBERNETES_VERSION = /\d+\.\d+\.\d+/.exec(
  execFileSync(join(process.env.KUBEBUILDER_ASSETS!, 'kube-apiserver'), ['--version'], { encoding: 'utf8' }))![0];
