import { openSync } from 'fs';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';

/** Runs Envoy. It opens /dev/stdout for its access log, which must be no socket, as pipes of Node.js are. */
export function startEnvoy(program: string, cluster: Cluster, args: string[], env: NodeJS.ProcessEnv = {}): Process {
  return new Process(program, args, { cwd: cluster.folder, env, stdio: ['ignore', openSync(cluster.file('access.log'), 'a'), 'pipe'] });
}
