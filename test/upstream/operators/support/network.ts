import { execFileSync } from 'child_process';
import { appendFileSync, writeFileSync } from 'fs';
import { Cluster } from '../../../e2e/support/cluster';
import { Machine } from '../../../e2e/support/edge-network';

/** An address of the tests themselves that every network reaches; scripts/e2e.sh gives it to them. */
export const TESTS_ADDRESS = '10.77.0.2';

/** Where an operator and the API servers of its control planes run. */
export interface Network {
  /** Address of a program that listens on all. */
  readonly address: string;
  /** Words before a command that is to run there. */
  readonly prefix: string[];
  /** Gives it the address of a Service, which has this name there. */
  serve(address: string, name: string): void;
  /** Gives its own address further names. */
  call(...names: string[]): void;
}

/** That of the tests: enough for one operator, which has fixed ports. */
export const TESTS_NETWORK: Network = {
  address: '127.0.0.1',
  prefix: [],
  serve(address, name) {
    execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo']);
    appendFileSync('/etc/hosts', `${address} ${name}\n`);
  },
  call(...names) {
    appendFileSync('/etc/hosts', `127.0.0.1 ${names.join(' ')}\n`);
  },
};

/** One of a management cluster's own, beside others: the names of its Services are those of theirs. */
export function ownNetwork(cluster: Cluster, number: number): Network {
  const [here, there] = [`10.78.${number}.1`, `10.78.${number}.2`];
  const machine = Machine.start();
  execFileSync('sh', ['-euc', `ip link add site-${number} type veth peer name eth0 netns ${machine.pid}; ip address add ${here}/24 dev site-${number}; ip link set site-${number} up`]);
  machine.run(`ip address add ${there}/24 dev eth0; ip link set eth0 up; ip route add default via ${here}`);
  const hosts = cluster.file('hosts');
  writeFileSync(hosts, '127.0.0.1 localhost\n');
  return {
    address: there,
    prefix: [...machine.prefix, 'unshare', '--mount', '--propagation', 'private', 'sh', '-euc', 'mount --bind "$0" /etc/hosts; exec "$@"', hosts],
    serve(address, name) {
      machine.run(`ip address add ${address}/32 dev lo`);
      execFileSync('ip', ['route', 'add', `${address}/32`, 'via', there]);
      appendFileSync(hosts, `${address} ${name}\n`);
    },
    call(...names) {
      appendFileSync(hosts, `${there} ${names.join(' ')}\n`);
    },
  };
}
