import { get } from 'http';
import { connect } from 'net';
import { Installation } from './installation';
import { Target } from './load';
import { HEALTH_PORT } from '../../src/agent/contract/health';
import { TCP_PROXY_DEFAULTS } from '../../src/tcp-proxy/settings';
import { EXPOSURE } from '../../test/e2e/support/cluster';
import { Process } from '../../test/e2e/support/process';
import { KeyType } from '../../test/support/certificates';

/** They open TLS on the node. `previous` is the tcp-proxy of the checkout that BENCH_PREVIOUS names, where it names one. */
export type OpeningName = 'tcp-proxy' | 'previous' | 'haproxy' | 'go-relay';
/** Ways that leave the client's TLS closed, with all that each takes; and the edge behind those that open it. */
export type PassingName = 'sni-edge' | 'shared-gateway' | 'port' | 'ipv6-address' | 'tunnel';
export type ContenderName = OpeningName | PassingName;

export const OPENING: readonly OpeningName[] = ['tcp-proxy', ...process.env.BENCH_PREVIOUS ? ['previous' as const] : [], 'haproxy', 'go-relay'];
export const PASSING: readonly PassingName[] = ['sni-edge', 'shared-gateway', 'port', 'ipv6-address', 'tunnel'];

/** Who is measured. The type of the serving key is nothing to those that leave TLS closed: they are measured once. */
export function contendersFor(keyType: KeyType): readonly ContenderName[] {
  return keyType === 'ecdsa' ? [...OPENING, ...PASSING] : OPENING;
}

/** Where a contender listens and what it uses. */
export interface ContenderOptions {
  readonly installation: Installation;
  readonly keyType: KeyType;
  /** Address of its node; it listens on port 6443. */
  readonly node: string;
  readonly maxConnections: number;
}

/** Where a part of a way runs: on a node of the tenant, or at the shared address. */
export const SIDES = ['node', 'edge'] as const;
export type Side = typeof SIDES[number];

/** A running proxy, or all that runs of a way. */
export interface Contender {
  readonly name: ContenderName;
  /** The first process on each side; all others descend from these. */
  readonly processes: { readonly [side in Side]?: Process };
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

const POLL_MS = 5;

/** Waits until the agent says that it is ready. */
export async function untilReady(agent: Process, node: string, deadlineMs: number): Promise<void> {
  const began = performance.now();
  while (!await isReady(node)) {
    if (!agent.alive || performance.now() - began > deadlineMs) {
      throw new Error(`the agent on ${node} does not become ready:\n${agent.output}`);
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

function isReady(node: string): Promise<boolean> {
  return new Promise(resolve => {
    get({ host: node, port: HEALTH_PORT, path: '/readyz', agent: false }, response => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    }).on('error', () => resolve(false));
  });
}
