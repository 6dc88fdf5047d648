import { ChildProcess, spawn } from 'child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { MasterSocket } from '../../images/tcp-proxy/src/haproxy/master-socket';
import { HaproxyConfig } from '../../src/haproxy/config';
import { TLV_TYPE } from '../../test/data-path/support/gateway';
import { haproxyBinary } from '../../test/support/haproxy';

/**
 * A gateway whose configuration has a backend and an ACL for each tenant and each frontend, and which is reloaded for
 * every change, as HyperShift does it. Here the reload comes at once; HyperShift waits for five seconds without a change.
 */
export class HypershiftWay {
  public readonly master: MasterSocket;
  private readonly folder = mkdtempSync(join(tmpdir(), 'hypershift-'));
  private readonly config = join(this.folder, 'haproxy.cfg');
  private child?: ChildProcess;

  constructor(private readonly sniPort: number, public readonly clusterIdPort: number, private readonly backendPort: number) {
    this.master = new MasterSocket(join(this.folder, 'master.sock'));
  }

  public start(clusterIds: string[]): void {
    writeFileSync(this.config, this.render(clusterIds));
    this.child = spawn(haproxyBinary()!, ['-db', '-W', '-S', this.master.path, '-f', this.config], { stdio: 'ignore' });
  }

  /** Writes the configuration and reloads. */
  public async change(clusterIds: string[]): Promise<void> {
    writeFileSync(this.config, this.render(clusterIds));
    const { success, log } = await this.master.reload(120_000);
    if (!success) {
      throw new Error(log);
    }
  }

  public stop(): void {
    this.child?.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private render(clusterIds: string[]): string {
    const config = new HaproxyConfig();
    config.section('global').add('maxconn', 5_000).add('nbthread', 2);
    config.section('defaults').add('mode', 'tcp').add('timeout', 'connect', '10s').add('timeout', 'client', '24h').add('timeout', 'server', '24h');
    const cluster = config.section('frontend', 'dataplane-kas-svc')
      .add('bind', `127.0.0.1:${this.clusterIdPort}`, 'accept-proxy')
      .add('tcp-request', 'inspect-delay', '5s')
      .add('tcp-request', 'content', 'set-var(sess.cluster_id)', `fc_pp_tlv(0x${TLV_TYPE.toString(16)})`)
      .add('tcp-request', 'content', 'accept', 'if', '{', 'req_ssl_hello_type', 1, '}');
    clusterIds.forEach((id, i) => cluster.add('acl', `is_kas_${i}`, 'var(sess.cluster_id)', '-m', 'str', id));
    clusterIds.forEach((_, i) => cluster.add('use_backend', `kas_${i}`, 'if', `is_kas_${i}`));
    cluster.add('default_backend', 'no-match');
    const external = config.section('frontend', 'external-dns')
      .add('bind', `127.0.0.1:${this.sniPort}`)
      .add('tcp-request', 'inspect-delay', '5s')
      .add('tcp-request', 'content', 'accept', 'if', '{', 'req_ssl_hello_type', 1, '}');
    for (const kind of ['k8s', 'konnectivity']) {
      clusterIds.forEach((_, i) => external.add('acl', `is_${kind}_${i}`, 'req_ssl_sni', '-i', `tenant-${i}.${kind}.example.com`));
      clusterIds.forEach((_, i) => external.add('use_backend', `${kind}_${i}`, 'if', `is_${kind}_${i}`));
    }
    external.add('default_backend', 'no-match');
    // Quadratic in the builder's search for equal names, so written as text.
    const backends = ['kas', 'k8s', 'konnectivity'].flatMap(kind =>
      clusterIds.map((_, i) => `backend ${kind}_${i}\n  server ${kind}_${i} 127.0.0.1:${this.backendPort}\n`));
    return `${config.render()}\n${backends.join('\n')}\nbackend no-match\n  tcp-request content reject\n`;
  }
}
