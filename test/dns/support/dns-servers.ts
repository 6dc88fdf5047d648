import { ChildProcess, execFile, spawn, spawnSync } from 'child_process';
import { promises as dns } from 'dns';
import { once } from 'events';
import { mkdtemp, rm, writeFile } from 'fs/promises';
import { tmpdir } from 'os';
import { join } from 'path';
import { promisify } from 'util';
import { DnsFile } from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { keep, Part } from '../../data-path/support/parts';
import { freePorts } from '../../support/ports';

const SCRIPT = join(__dirname, '..', '..', '..', 'scripts', 'dns-servers.sh');
/** The first run downloads packages. */
const SCRIPT_TIMEOUT_MS = 300_000;

interface Programs {
  readonly named: string;
  readonly namedCheckzone: string;
  readonly dnsmasq: string;
}
let lookup: { readonly programs?: Programs; readonly remedy?: string } | undefined;

/** `describe` for tests that need BIND and dnsmasq; skipped, with the remedy in its name, where they cannot be had. */
export function describeWithDnsServers(name: string, tests: () => void): void {
  const { programs: found, remedy } = findPrograms();
  if (found) {
    describe(name, tests);
  } else {
    describe.skip(`${name} (skipped: no BIND 9 or dnsmasq; ${remedy})`, tests);
  }
}

/** Checks a zone file with `named-checkzone`; a warning counts as an error. Gives what it complains about, empty when the zone is good. */
export async function checkZone(zone: string, text: string): Promise<string> {
  return inFolder(async folder => {
    const file = join(folder, 'zone');
    await writeFile(file, text);
    try {
      const { stdout } = await promisify(execFile)(programs().namedCheckzone, ['-i', 'local', zone, file]);
      return stdout.split('\n').filter(line => line && line !== 'OK' && !/^zone \S+: loaded serial \d+$/.test(line)).join('\n');
    } catch (error: any) {
      return error.stdout || String(error);
    }
  });
}

/** Checks a configuration with `dnsmasq --test`. Gives what it complains about, empty when the configuration is good. */
export async function checkDnsmasq(text: string): Promise<string> {
  return inFolder(async folder => {
    const file = join(folder, 'dnsmasq.conf');
    await writeFile(file, text);
    try {
      await promisify(execFile)(programs().dnsmasq, ['--test', `--conf-file=${file}`]);
      return '';
    } catch (error: any) {
      return error.stderr || String(error);
    }
  });
}

/** What a server says of a name: the values of each type, or the code of its refusal: `ENODATA`, `ENOTFOUND`. */
export interface Answers {
  readonly A: string[] | string;
  readonly AAAA: string[] | string;
  readonly CNAME: string[] | string;
}

/** A DNS server on loopback. */
export class DnsServer implements Part {
  /** Starts BIND as the primary of zones given by their files, named `<zone>.zone`. */
  public static async named(files: DnsFile[]): Promise<DnsServer> {
    return DnsServer.start(async (folder, port) => {
      await Promise.all(files.map(({ name, text }) => writeFile(join(folder, name), text)));
      const config = [
        `options { directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; notify no;`,
        '  pid-file none; session-keyfile none; dnssec-validation no; allow-transfer { none; }; };',
        'controls { };',
        ...files.map(({ name }) => `zone "${name.replace(/\.zone$/, '')}" { type primary; file "${name}"; };`),
      ];
      await writeFile(join(folder, 'named.conf'), config.join('\n'));
      return [programs().named, '-g', '-n', '1', '-c', join(folder, 'named.conf')];
    });
  }

  /** Starts dnsmasq with a configuration file and nobody to ask for what it does not know. */
  public static async dnsmasq(text: string): Promise<DnsServer> {
    return DnsServer.start(async (folder, port) => {
      await writeFile(join(folder, 'dnsmasq.conf'), text);
      return [programs().dnsmasq, '--keep-in-foreground', `--conf-file=${folder}/dnsmasq.conf`, '--no-resolv', '--no-hosts', '--log-facility=-',
        '--listen-address=127.0.0.1', '--bind-interfaces', `--port=${port}`, '--pid-file=', '--user='];
    });
  }

  /** Starts a server and waits until it answers. */
  public static async start(prepare: (folder: string, port: number) => Promise<string[]>): Promise<DnsServer> {
    const folder = await mkdtemp(join(tmpdir(), 'dns-server-'));
    const [port] = await freePorts(1);
    const [program, ...args] = await prepare(folder, port);
    const server = keep(new DnsServer(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }), folder, port));
    await Promise.race([eventually(() => server.answers()), server.ended]);
    return server;
  }

  private readonly resolver = new dns.Resolver({ timeout: 2000, tries: 3 });
  private readonly log: string[] = [];
  /** Rejected when the server ends. */
  private readonly ended: Promise<never>;

  private constructor(private readonly child: ChildProcess, private readonly folder: string, public readonly port: number) {
    this.resolver.setServers([`127.0.0.1:${port}`]);
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => this.log.push(text));
    }
    this.ended = once(child, 'close').then(() => {
      throw new Error(`the server ended: ${this.log.join('')}`);
    });
    this.ended.catch(() => undefined);
  }

  /** Asks for a name. Addresses come sorted. */
  public async ask(name: string): Promise<Answers> {
    const [A, AAAA, CNAME] = await Promise.all([
      settled(this.resolver.resolve4(name)), settled(this.resolver.resolve6(name)), settled(this.resolver.resolveCname(name)),
    ]);
    return { A, AAAA, CNAME };
  }

  /** The time to live of a name's IPv4 addresses. */
  public async ttlOf(name: string): Promise<number> {
    return (await this.resolver.resolve4(name, { ttl: true }))[0].ttl;
  }

  /** The SOA record of a zone. */
  public soaOf(zone: string) {
    return this.resolver.resolveSoa(zone);
  }

  /** The name servers of a zone. */
  public nameServersOf(zone: string): Promise<string[]> {
    return this.resolver.resolveNs(zone);
  }

  public async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exit;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    const code = await settled(this.resolver.resolve4('is-it-up.invalid'));
    return code !== 'ECONNREFUSED' && code !== 'ETIMEOUT';
  }
}

async function settled(answer: Promise<string[]>): Promise<string[] | string> {
  return answer.then(values => values.sort(), error => error.code);
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dns-check-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function programs(): Programs {
  return findPrograms().programs!;
}

function findPrograms() {
  if (!lookup) {
    const { status, stdout, stderr, error } = spawnSync(SCRIPT, { encoding: 'utf8', timeout: SCRIPT_TIMEOUT_MS });
    const [named, namedCheckzone, dnsmasq] = (stdout ?? '').trim().split('\n');
    lookup = status === 0
      ? { programs: { named, namedCheckzone, dnsmasq } }
      : { remedy: error?.message ?? stderr.trim().split('\n').pop() };
  }
  return lookup;
}
