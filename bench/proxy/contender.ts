import { connect } from 'net';
import { Installation } from './installation';
import { Target } from './load';
import { TCP_PROXY_DEFAULTS } from '../../src/tcp-proxy/settings';
import { EXPOSURE } from '../../test/e2e/support/cluster';
import { Process } from '../../test/e2e/support/process';
import { KeyType } from '../../test/support/certificates';

/** `previous` is the tcp-proxy of the checkout that BENCH_PREVIOUS names, where it names one. */
export type ContenderName = 'tcp-proxy' | 'previous' | 'haproxy' | 'go-relay';
export const NAMES: readonly ContenderName[] = ['tcp-proxy', ...process.env.BENCH_PREVIOUS ? ['previous' as const] : [], 'haproxy', 'go-relay'];

/** Where a contender listens and what it uses. */
export interface ContenderOptions {
  readonly installation: Installation;
  readonly keyType: KeyType;
  /** Address of its node; it listens on port 6443. */
  readonly node: string;
  readonly maxConnections: number;
}

/** A running proxy. */
export interface Contender {
  readonly name: ContenderName;
  /** The first process; all others descend from it. */
  readonly process: Process;
  readonly target: Target;
  stop(): Promise<void>;
}

export const LISTEN_PORT = TCP_PROXY_DEFAULTS.listenPort;

/** How clients in the tenant cluster see a proxy. */
export function targetOf({ installation, node }: ContenderOptions): Target {
  return { address: `${node}:${LISTEN_PORT}`, serverName: EXPOSURE.inClusterNames[0], caFile: installation.cluster.caFile };
}

/** Whether somebody listens. */
export function listens(node: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(LISTEN_PORT, node, () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

/**
 * Starts a contender in a session of its own. The kernel shares the CPUs among sessions (`sched_autogroup_enabled`), and the
 * agent starts HAProxy in one: a proxy that has to wait longer for a CPU finds more to do at once and so uses less of it.
 */
export function contenderProcess(command: string, args: string[]): Process {
  return new Process(command, args, { detached: true });
}

/** Starts a program in the root file system of the image, with the image's environment. */
export function imageProcess(program: string, args: string[], root = process.env.TCP_PROXY_IMAGE_ROOT!): Process {
  return contenderProcess('scripts/image-run.sh', [root, program, ...args]);
}
