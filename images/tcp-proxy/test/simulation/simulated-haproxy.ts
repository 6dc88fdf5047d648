import { createPrivateKey, X509Certificate } from 'crypto';
import { dirname, join } from 'path';
import type { SimulatedFiles } from './simulated-files';
import { VirtualClock } from './virtual-clock';
import { SERVING_CERTIFICATE, TUNNEL_CERTIFICATE } from '../../../../src/agent/contract/haproxy-names';
import { CA_FILE, RUN_FOLDER, TICKET_KEYS_FILE, TLS_FILES, TUNNEL_FOLDER } from '../../../../src/agent/contract/paths';
import { ADDRESS_TABLE, mapFile, ROUTING_TABLES, RoutingTable } from '../../../../src/agent/contract/routing-tables';

const START_MS = 40;
/** Two tries to connect to an address that does not answer, as `src/haproxy/timeouts.ts` has them. */
const CONNECT_MS = 5_000;
/** What open streams take after the last connection. */
const DRAIN_MS = 1_500;

type Table = Map<string, string>;

/** What a worker has in memory. */
interface Worker {
  readonly pid: number;
  readonly maps: Map<string, Table>;
  /** By what the runtime API calls them. */
  readonly certificates: Map<string, X509Certificate>;
  /** Fingerprints, by file. */
  readonly authorities: ReadonlyMap<string, readonly string[]>;
  /** The one that makes tickets is the last but one. */
  readonly ticketKeys: string[];
  readonly configuration: string;
}

const TICKET_KEYS = join(RUN_FOLDER, TUNNEL_FOLDER, TICKET_KEYS_FILE);

/** HAProxy in master-worker mode, as far as the agent sees it: what it answers on its sockets, and what it serves. */
export class SimulatedHaproxy {
  /** The process exists. */
  public running = true;
  /** It takes connections. */
  public listening = false;
  public reloads = 0;
  /** Nothing but SIGKILL ends it. */
  public stuck = false;
  /** What a check says that does not pass. */
  public failedCheck = 'L4CON';
  /** Where open connections lead, by what `show sess` calls them. */
  public readonly sessions = new Map<string, string>();
  private worker?: Worker;
  private oldWorkers: number[] = [];
  private readonly transactions = new Map<string, string>();
  private readonly prepared = new Map<string, Table>();
  private version = 0;

  constructor(
    private readonly pid: number,
    private readonly clock: VirtualClock,
    private readonly files: SimulatedFiles,
    private readonly config: string,
    private readonly exited: (code: number | null, signal: string | null) => void,
  ) {}

  /** Is told the line of a connection that has ended; set by who started it. */
  public log: (line: string) => void = () => undefined;

  /** A connection to this target was not taken at its address. */
  public unanswered(target: string, address: string): void {
    this.clock.schedule(CONNECT_MS, () => {
      if (this.running) this.log(`10.0.0.1:1 frontend=sni target=${target} address=${address} ended=sC times=1/-1/${CONNECT_MS} bytes=0 connections=1 error=""`);
    });
  }

  /** Whether the verified check of the upstream passes; set by the world. */
  public upstream: () => boolean = () => true;

  /** Ends by itself where it cannot read what it needs. */
  public start(): void {
    this.clock.schedule(START_MS, () => {
      if (!this.running) return;
      try {
        this.worker = this.load();
        this.listening = true;
      } catch {
        this.end(1, null);
      }
    });
  }

  /** SIGKILL, or the machine. */
  public kill(): void {
    this.running = this.listening = false;
  }

  /** Dies of itself. */
  public crash(): void {
    this.end(null, 'SIGSEGV');
  }

  public signal(signal: string): boolean {
    this.listening = false;
    if (this.stuck && signal !== 'SIGKILL') return true;
    if (signal === 'SIGUSR1') this.clock.schedule(DRAIN_MS, () => this.end(0, null));
    else this.end(null, signal);
    return true;
  }

  public get certificate(): X509Certificate | undefined {
    return this.worker?.certificates.get(SERVING_CERTIFICATE.name);
  }

  /** That of the tunnel, on either side. */
  public get tunnelCertificate(): X509Certificate | undefined {
    return this.worker?.certificates.get(TUNNEL_CERTIFICATE.name);
  }

  public get ticketKeys(): readonly string[] {
    return this.worker?.ticketKeys ?? [];
  }

  /** The configuration that it runs with. */
  public get configuration(): string | undefined {
    return this.worker?.configuration;
  }

  public get authorityCount(): number {
    return [...this.worker?.authorities.values() ?? []].flat().length;
  }

  /** Fingerprints of those that the other end of a tunnel must be of. */
  public get tunnelAuthorities(): readonly string[] {
    return this.worker?.authorities.get(join(RUN_FOLDER, TUNNEL_FOLDER, CA_FILE)) ?? [];
  }

  public map(name: RoutingTable | typeof ADDRESS_TABLE): ReadonlyMap<string, string> {
    return this.worker?.maps.get(join(dirname(this.config), 'maps', mapFile(name))) ?? new Map();
  }

  public master(command: string): string | undefined {
    if (command === 'reload') return this.reload();
    const lines = ['#<PID>          <type>          <reloads>       <uptime>        <version>', `${this.pid} master ${this.reloads} 0d00h00m00s 3.0.11`, '# workers'];
    if (this.worker) lines.push(`${this.worker.pid} worker 0 0d00h00m00s 3.0.11`);
    return [...lines, '# old workers', ...this.oldWorkers.map(pid => `${pid} worker 1 0d00h00m00s 3.0.11`), ''].join('\n');
  }

  public health(path: string): { status: number; body: string } | undefined {
    if (!this.worker) return undefined;
    switch (path) {
      case '/ready': return this.upstream() ? { status: 200, body: 'ok' } : { status: 503, body: 'down' };
      case '/refused': return { status: 200, body: 'total=0 source=0:- tenant=0:-' };
      default: return { status: 200, body: 'haproxy_up 1\n' };
    }
  }

  public runtime(text: string): string | undefined {
    if (!this.worker) return '';
    const [command, ...payload] = text.split('\n');
    if (command.endsWith(' <<')) return this.document(command.slice(0, -3), payload.filter(line => line !== ''));
    return command.split('; ').map(part => this.single(part)).join('');
  }

  private reload(): string {
    try {
      const next = this.load();
      if (this.worker) this.oldWorkers = [...this.oldWorkers.slice(-3), this.worker.pid];
      this.worker = next;
      this.reloads++;
      return 'Success=1\n--\n[NOTICE]   (1) : New worker forked\n';
    } catch (error) {
      return `Success=0\n--\n[ALERT]    (1) : ${(error as Error).message}\n`;
    }
  }

  private load(): Worker {
    const configuration = this.files.read(this.config).toString();
    const folder = dirname(this.config);
    const maps = new Map<string, Table>();
    for (const table of [...ROUTING_TABLES, ADDRESS_TABLE] as const) {
      const file = join(folder, 'maps', mapFile(table));
      if (this.files.exists(file)) maps.set(file, parsed(this.files.read(file).toString().split('\n')));
    }
    const tunnel = join(RUN_FOLDER, TUNNEL_FOLDER);
    const certificates = new Map<string, X509Certificate>();
    const authorities = new Map<string, string[]>();
    for (const [name, at] of [[SERVING_CERTIFICATE.name, folder], [TUNNEL_CERTIFICATE.name, tunnel]]) {
      const [certificate, key, ca] = [TLS_FILES.certificate, TLS_FILES.key, CA_FILE].map(file => join(at, file));
      if (this.files.exists(certificate)) {
        const leaf = new X509Certificate(this.files.read(certificate));
        if (!leaf.checkPrivateKey(createPrivateKey(this.files.read(key)))) throw new Error(`${key}: inconsistencies between private key and certificate`);
        certificates.set(name, leaf);
      }
      if (this.files.exists(ca)) authorities.set(ca, fingerprints(this.files.read(ca).toString()));
    }
    const ticketKeys = this.files.exists(TICKET_KEYS) ? this.files.read(TICKET_KEYS).toString().trimEnd().split('\n') : [];
    return { configuration, pid: this.pid * 100 + ++this.version, maps, certificates, authorities, ticketKeys };
  }

  private document(command: string, lines: readonly string[]): string {
    const worker = this.worker!;
    if (command.startsWith('set ssl cert ')) {
      this.transactions.set(command.slice(13), lines.join('\n'));
      return `Transaction created for certificate ${command.slice(13)}!\n`;
    }
    const [, version, file] = /^add map (?:@(\d+) )?(.+)$/.exec(command) ?? [];
    const table = version === undefined ? worker.maps.get(file) : this.prepared.get(version);
    if (!table) return 'Unknown map identifier. Please use #<id> or <file>.\n';
    parsed(lines).forEach((value, key) => table.set(key, value));
    return '';
  }

  private single(command: string): string {
    const worker = this.worker!;
    const words = command.split(' ');
    const verb = words.slice(0, 3).join(' ');
    switch (verb) {
      case 'show ssl ca-file': return (worker.authorities.get(words[3]) ?? []).map(fingerprint => `SHA1 FingerPrint: ${fingerprint}\n`).join('');
      case 'show ssl cert': return this.shown(words[3]);
      case 'commit ssl cert': return this.commit(words[3]);
      case 'abort ssl cert':
        this.transactions.delete(words[3]);
        return 'Transaction aborted!\n';
      case 'set ssl tls-key':
        worker.ticketKeys.push(words[4]);
        worker.ticketKeys.shift();
        return 'TLS ticket key updated!\n';
      case `show tls-keys ${TICKET_KEYS}`: return worker.ticketKeys.map((key, i) => `0.${i} ${key}\n`).join('');
      case 'show sess all': return [...this.sessions].map(([id, address]) => `${id}: proto=tcpv4\n  server=tenant (id=1) addr=${address} source=10.0.0.9:1\n`).join('');
      case 'show stat': return this.stat();
      case 'show servers state': return `1\n# be_id be_name srv_id srv_name srv_addr srv_port\n2 ${words[3]} 1 upstream 10.0.0.7 443\n`;
      default:
        if (words[0] === 'shutdown') return this.sessions.delete(words[2]) ? '' : 'No such session (use \'show sess\').\n';
        return this.mapCommand(words);
    }
  }

  private shown(name: string): string {
    const certificate = this.worker!.certificates.get(name);
    return certificate ? `Filename: ${name}\nSHA1 FingerPrint: ${certificate.fingerprint.replace(/:/g, '')}\n` : 'Can\'t display\n';
  }

  private stat(): string {
    return `# pxname,svname,check_status,check_code\nprobe,upstream,${this.upstream() ? 'L7OK,200' : `${this.failedCheck},`}\n`;
  }

  private commit(name: string): string {
    const pem = this.transactions.get(name);
    if (pem === undefined) return "No ongoing transaction! !\nCan't commit!\n";
    this.worker!.certificates.set(name, new X509Certificate(pem));
    this.transactions.delete(name);
    return `Committing ${name}.\nSuccess!\n`;
  }

  private mapCommand([verb, what, ...rest]: readonly string[]): string {
    const { maps } = this.worker!;
    if (what !== 'map') return '';
    const unknown = 'Unknown map identifier. Please use #<id> or <file>.\n';
    if (verb === 'commit') {
      const table = this.prepared.get(rest[0].slice(1));
      if (!table || !maps.has(rest[1])) return unknown;
      maps.set(rest[1], table);
      return '';
    }
    const table = maps.get(rest[0]);
    if (!table) return unknown;
    switch (verb) {
      case 'show': return [...table].map(([key, value], i) => `0x${(i + 1).toString(16)} ${key} ${value}\n`).join('');
      case 'prepare':
        this.prepared.set(String(++this.version), new Map());
        return `New version created: ${this.version}\n`;
      case 'del': return table.delete(rest[1]) ? '' : 'Key not found.\n';
      case 'set':
        if (!table.has(rest[1])) return 'Key not found.\n';
        table.set(rest[1], rest[2]);
        return '';
      default: return '';
    }
  }

  private end(code: number | null, signal: string | null): void {
    if (!this.running) return;
    this.kill();
    this.exited(code, signal);
  }
}

function parsed(lines: readonly string[]): Table {
  return new Map(lines.filter(line => line !== '').map(line => line.split(' ', 2) as [string, string]));
}

function fingerprints(pem: string): string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map(block => new X509Certificate(block).fingerprint.replace(/:/g, ''));
}
