import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Agent } from './agent';
import { Client } from './client';
import { MountedFolder } from './mounted-folder';
import { Upstream } from './upstream';
import { tcpProxyHaproxyConfig, TcpProxyHaproxyOptions } from '../../../../src/tcp-proxy/haproxy-config';
import { resolveTcpProxy } from '../../../../src/tcp-proxy/settings';
import { CertificateAuthority, CertificatePair, IssueOptions } from '../../../../test/support/certificates';
import { haproxyBinary } from '../../../../test/support/haproxy';
import { freePorts } from '../../../../test/support/ports';
import { HaproxyProcess, MasterSocket } from '../../src/haproxy/master-socket';

export interface InstallationOptions {
  readonly maxConnections?: number;
  readonly limits?: TcpProxyHaproxyOptions['limits'];
  readonly serving?: Partial<IssueOptions>;
  /**
   * `tcp`: HAProxy passes the bytes and has no certificate.
   * @default 'tls'
   */
  readonly mode?: 'tls' | 'tcp';
  /** Where the gateway is at whose end of the tunnel the upstream is; with mode `tcp`. */
  readonly tunnel?: { readonly port: number; readonly serverName: string };
}

const UPSTREAM_NAME = 'tenant-01.k8s.example.com';

/** Everything a proxy pod has: configuration, mounted certificates, writable folder; and an upstream. */
export class Installation {
  public static async create(options: InstallationOptions = {}): Promise<Installation> {
    const ca = await CertificateAuthority.create('kubernetes', 'ecdsa');
    const serving = await issueServing(ca, options.serving);
    const upstream = await Upstream.start(await issueUpstream(ca));
    return new Installation(options, ca, serving, upstream, (await freePorts(1))[0]);
  }

  public readonly dir = mkdtempSync(join(tmpdir(), 'tcp-proxy-'));
  public readonly runDir = join(this.dir, 'run');
  public readonly config = join(this.dir, 'haproxy.cfg');
  public readonly master = new MasterSocket(join(this.runDir, 'master.sock'));
  public readonly client: Client;
  private readonly tls: MountedFolder;
  private readonly trust: MountedFolder;
  private readonly agents: Agent[] = [];

  private constructor(
    private readonly options: InstallationOptions,
    public readonly ca: CertificateAuthority,
    serving: CertificatePair,
    public upstream: Upstream,
    public readonly port: number,
  ) {
    this.tls = new MountedFolder(join(this.dir, 'tls'), { 'tls.crt': serving.certificate, 'tls.key': serving.key });
    this.trust = new MountedFolder(join(this.dir, 'ca'), { 'ca.crt': ca.certificate });
    this.client = new Client(port, ca.certificate);
    writeFileSync(this.config, this.renderConfig());
  }

  /** Starts the agent, which leaves `default/kubernetes` alone unless these flags say otherwise. */
  public serve(...flags: string[]): Agent {
    return this.serveBehind([], ...flags);
  }

  /** @param prefix words of a command that runs the agent */
  public serveBehind(prefix: string[], ...flags: string[]): Agent {
    const agent = new Agent({
      prefix,
      args: [
        'serve',
        '--endpoints', 'none',
        '--haproxy-config', this.config,
        '--haproxy-binary', haproxyBinary()!,
        '--run-dir', this.runDir,
        '--tls-dir', this.options.mode === 'tcp' ? join(this.dir, 'absent') : this.tls.path,
        '--ca-file', join(this.trust.path, 'ca.crt'),
        '--health-address', '127.0.0.1:0',
        '--propagation-delay', '0s',
        ...flags,
      ],
    });
    this.agents.push(agent);
    return agent;
  }

  public issueServing(options: Partial<IssueOptions> = {}): Promise<CertificatePair> {
    return issueServing(this.ca, options);
  }

  /** What the kubelet does after the Secret changed. */
  public mountServing(pair: CertificatePair): void {
    this.tls.update({ 'tls.crt': pair.certificate, 'tls.key': pair.key });
  }

  public mountCa(pem: string): void {
    this.trust.update({ 'ca.crt': pem });
  }

  /** Starts the upstream again, after `upstream.stop()`. */
  public async restartUpstream(port: number, ca = this.ca): Promise<void> {
    this.upstream = await Upstream.start(await issueUpstream(ca), port);
  }

  /** The process of HAProxy that serves, or that supervises. */
  public async haproxy(type: HaproxyProcess['type']): Promise<number> {
    return (await this.master.processes()).find(process => process.type === type && !process.old)!.pid;
  }

  public async remove(): Promise<void> {
    for (const agent of this.agents) await agent.stop();
    await this.haproxy('master').then(pid => process.kill(pid, 'SIGKILL')).catch(() => undefined);
    await this.upstream.stop().catch(() => undefined);
    rmSync(this.dir, { recursive: true, force: true });
  }

  private renderConfig(): string {
    const { mode = 'tls', maxConnections, tunnel } = this.options;
    // The one client of a test with few connections may have them all.
    const shares = maxConnections === undefined ? undefined : { perSource: maxConnections };
    return tcpProxyHaproxyConfig({
      ...resolveTcpProxy({ maxConnections, shares }, mode).haproxy,
      paths: { run: this.runDir, tls: join(this.dir, 'tls'), ca: join(this.dir, 'ca', 'ca.crt') },
      upstream: { host: '127.0.0.1', port: tunnel?.port ?? this.upstream.port, mode, serverName: UPSTREAM_NAME, tunnel },
      listenAddresses: ['127.0.0.1'],
      families: ['ipv4'],
      listenPort: this.port,
      ...this.options.limits && { limits: this.options.limits },
      hostAliased: false,
    }).render();
  }
}

/** As the certificate of an API server: with the public name and those inside the cluster. */
function issueUpstream(ca: CertificateAuthority): Promise<CertificatePair> {
  return ca.issue({ commonName: 'kube-apiserver', sans: [UPSTREAM_NAME, 'kubernetes'], keyType: 'ecdsa' });
}

function issueServing(ca: CertificateAuthority, options: Partial<IssueOptions> = {}): Promise<CertificatePair> {
  return ca.issue({ commonName: 'tcp-proxy', sans: ['kubernetes', 'kubernetes.default.svc', '127.0.0.1'], keyType: 'ecdsa', ...options });
}
