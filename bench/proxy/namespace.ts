import { spawnSync } from 'child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

/** Every address of this network is local in the namespace: the nodes of the proxies. */
export const NODE_NETWORK = '10.77.0';
/** So is every address of this IPv6 network, as where it is routed to a gateway's node: the first four groups of a /64. */
export const ADDRESS_NETWORK = '2001:db8:77:1';

/**
 * Runs a program of this folder in network and mount namespaces of its own, as scripts/e2e.sh does for the tests: its only
 * addresses are loopback, and its /etc/hosts knows the public hosts.
 *
 * @returns its exit status
 */
export function runInNamespace(program: string, args: string[], hosts: string[], environment: NodeJS.ProcessEnv): number {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const hostsFile = join(folder, 'hosts');
    writeFileSync(hostsFile, `127.0.0.1 ${['localhost', ...hosts].join(' ')}\n`);
    const setup = [
      'mount --bind "$1" /etc/hosts',
      'shift',
      'ip link set lo up',
      // Some ten thousand connections a minute lead to one upstream: without free ports, connect() looks for one for milliseconds.
      'sysctl -qw net.ipv4.tcp_tw_reuse=1 net.ipv4.ip_local_port_range="30000 65000"',
      `ip address add ${NODE_NETWORK}.1/24 dev lo`,
      `ip -6 route add local ${ADDRESS_NETWORK}::/64 dev lo`,
      'exec "$@"',
    ].join('\n');
    const { status, error } = spawnSync('unshare', [
      '--net', '--mount', '--propagation', 'private', ...process.getuid!() === 0 ? [] : ['--map-root-user'],
      'bash', '-euc', setup, 'bash', hostsFile, process.execPath, ...process.execArgv, program, ...args,
    ], { stdio: 'inherit', env: { ...process.env, ...environment } });
    if (error) {
      throw error;
    }
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
