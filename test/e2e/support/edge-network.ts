import { execFileSync, spawn } from 'child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Process } from './process';
import { keep, Part } from '../../data-path/support/parts';

const ROOT = join(__dirname, '..', '..', '..');
const RECIPES = join(ROOT, 'docs', 'ha-address');

/** The tests' own end: clients, the API server and DNS. */
export const OUTSIDE = '198.51.100.2';
export const SHARED_ADDRESS = '192.0.2.100';

/** A machine with a network of its own: a network namespace, in which programs are started. */
export class Machine implements Part {
  public static start(): Machine {
    return keep(new Machine());
  }

  public readonly pid: number;
  private readonly holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });

  private constructor() {
    this.pid = this.holder.pid!;
    // Until it has its namespace.
    const own = execFileSync('readlink', ['/proc/self/ns/net'], { encoding: 'utf8' });
    while (execFileSync('readlink', [`/proc/${this.pid}/ns/net`], { encoding: 'utf8' }) === own);
    this.run('ip link set lo up');
  }

  /** Words before a command that is to run there. */
  public get prefix(): string[] {
    return ['nsenter', `--net=/proc/${this.pid}/ns/net`];
  }

  public run(...commands: string[]): string {
    return commands.map(command => execFileSync(this.prefix[0], [...this.prefix.slice(1), 'sh', '-euc', command], { encoding: 'utf8', env: toolEnvironment() })).join('');
  }

  public start(command: string, ...args: string[]): Process {
    return new Process(this.prefix[0], [...this.prefix.slice(1), command, ...args], { env: toolEnvironment() });
  }

  /** Connections that are open at a port. */
  public connectionsAt(port: number): number {
    const local = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
    return readFileSync(`/proc/${this.pid}/net/tcp`, 'utf8').split('\n').filter(line => line.includes(local) && / 01 /.test(line.slice(30)) && line.indexOf(local) < 25).length;
  }

  public stop(): void {
    this.holder.kill('SIGKILL');
  }
}

export interface EdgeNetwork {
  readonly router: Machine;
  readonly edges: [Machine, Machine];
}

/** Clients, a router, and two edges in a network behind it: 192.0.2.1, .11 and .12. */
export function makeEdgeNetwork(): EdgeNetwork {
  const router = Machine.start();
  const here = (command: string) => execFileSync('sh', ['-euc', command]);
  here(`ip link add outside type veth peer name inside netns ${router.pid}; ip address add ${OUTSIDE}/24 dev outside; ip link set outside up`);
  router.run(
    'ip address add 198.51.100.1/24 dev inside; ip link set inside up',
    'ip link add lan type bridge; ip address add 192.0.2.1/24 dev lan; ip link set lan up',
    'sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.fib_multipath_hash_policy=1',
  );
  here('ip route add 192.0.2.0/24 via 198.51.100.1');
  const edges = [1, 2].map(number => {
    const edge = Machine.start();
    router.run(`ip link add edge-${number} type veth peer name eth0 netns ${edge.pid}; ip link set edge-${number} master lan up`);
    edge.run(`ip link set eth0 address 02:00:00:00:00:0${number}; ip address add 192.0.2.1${number}/24 dev eth0; ip link set eth0 up; ip route add default via 192.0.2.1`);
    return edge;
  });
  return { router, edges: [edges[0], edges[1]] };
}

/** Takes the network down again, so that the next test may make it. The kernel does so itself a while after the machines ended. */
export function removeEdgeNetwork(): void {
  execFileSync('sh', ['-c', 'ip link delete outside 2>/dev/null || true']);
}

/** Runs the recipe's script on an edge. */
export function giveSecondChance({ edges }: EdgeNetwork): void {
  edges.forEach((edge, i) => edge.run(`${RECIPES}/second-chance.sh eth0 ${SHARED_ADDRESS} 192.0.2.1${2 - i} 02:00:00:00:00:0${2 - i}`));
}

/** Only what every edge needs: the address on loopback, of which ARP is told only where it lies on the interface too. */
export function holdAddress({ edges }: EdgeNetwork): void {
  edges.forEach(edge => edge.run(`sysctl -q -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2; ip address replace ${SHARED_ADDRESS}/32 dev lo`));
}

/** A file of the recipe in a folder of its own, which daemons may keep their sockets in. */
export function recipe(name: string, change: (text: string) => string = text => text): { file: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ha-'));
  const file = join(folder, name);
  writeFileSync(file, change(readFileSync(join(RECIPES, name), 'utf8')), { mode: 0o644 });
  return { file, folder };
}

/** As keepalived runs on an edge. */
export function startKeepalived(edge: Machine, number: number): Process {
  const { file, folder } = recipe('keepalived.conf');
  // Debian's refuses to start without a file that its package has in /etc.
  const etc = join(daemon('keepalived'), '..', '..', '..', 'etc');
  const own = etc === '/etc' ? [] : ['unshare', '--mount', '--propagation', 'private', 'sh', '-euc', `mount -t overlay overlay -o lowerdir=${etc}:/etc /etc; exec "$@"`, 'sh'];
  const [program, ...words] = [...own, daemon('keepalived')];
  return edge.start(program, ...words, '--dont-fork', '--log-console', '--log-detail', `--config-id=edge-${number}`, `--use-file=${file}`,
    ...['pid', 'vrrp_pid', 'checkers_pid', 'bfd_pid'].map(name => `--${name}=${folder}/${name}`));
}

/** BIRD, and what `birdc` of it says. */
export function startBird(machine: Machine, name: string, change?: (text: string) => string): (command: string) => string {
  const { file, folder } = recipe(name, change);
  machine.start(daemon('bird'), '-f', '-c', file, '-s', `${folder}/bird.ctl`);
  return command => machine.run(`${daemon('birdc')} -s ${folder}/bird.ctl '${command}'`);
}

function daemon(name: string): string {
  return process.env.ADDRESS_DAEMONS!.split('\n').find(path => path.endsWith(`/${name}`))!;
}

/** The recipe's script finds nft on PATH. */
function toolEnvironment(): NodeJS.ProcessEnv {
  const folder = daemon('nft').replace(/\/nft$/, '');
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin:${folder}` };
}
