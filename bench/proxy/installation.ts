import { mkdirSync, writeFileSync } from 'fs';
import { join } from 'path';
import { ApiClient } from './api-client';
import { Target } from './load';
import { NODE_NETWORK } from './namespace';
import { Cluster, EXPOSURE } from '../../test/e2e/support/cluster';
import { Process } from '../../test/e2e/support/process';
import { KeyType } from '../../test/support/certificates';

export const KEY_TYPES: KeyType[] = ['rsa', 'ecdsa'];

/** Everything around the proxies: the tenant's API server, the upstream of the load, and the certificates. */
export class Installation {
  public static async start(): Promise<Installation> {
    const cluster = await Cluster.start();
    await cluster.applyAddon();
    const installation = new Installation(cluster, new ApiClient(cluster));
    await installation.writeCertificates();
    installation.upstreamProcess = new Process(process.env.BENCH_LOAD!, [
      'upstream', '-listen', installation.upstream, '-cert', cluster.file('upstream.crt'), '-key', cluster.file('upstream.key'),
    ], { stdio: ['ignore', 'ignore', 'inherit'] });
    return installation;
  }

  /** host:port of the load's upstream. It answers as EXPOSURE.api.host, like the API server. */
  public readonly upstream = `${NODE_NETWORK}.1:8443`;
  private upstreamProcess!: Process;
  private nodes = 1;

  private constructor(public readonly cluster: Cluster, public readonly api: ApiClient) {}

  /** The way without a proxy. */
  public get direct(): Target {
    return { address: this.upstream, serverName: EXPOSURE.api.host, caFile: this.cluster.caFile };
  }

  /** Whether the upstream gives out session tickets; at first it does, as kube-apiserver. */
  public allowResumption(allow: boolean): void {
    this.upstreamProcess.signal(allow ? 'SIGUSR2' : 'SIGUSR1');
  }

  /** The address of one more node. */
  public node(): string {
    return `${NODE_NETWORK}.${++this.nodes}`;
  }

  /** Folder with the serving certificate, as `tls.crt`, `tls.key`, and both in one as `tls.pem`. */
  public servingFolder(keyType: KeyType): string {
    return this.cluster.file(`serving-${keyType}`);
  }

  private async writeCertificates(): Promise<void> {
    const { cluster } = this;
    // kubeadm and Kamaji give API servers RSA keys, whatever key the proxy has.
    cluster.writePair('upstream', await cluster.ca.issue({ commonName: 'kube-apiserver', sans: EXPOSURE.certSans, keyType: 'rsa' }));
    for (const keyType of KEY_TYPES) {
      const folder = this.servingFolder(keyType);
      mkdirSync(folder);
      const { certificate, key } = await cluster.ca.issue({ commonName: 'kubernetes', sans: EXPOSURE.inClusterNames, keyType });
      writeFileSync(join(folder, 'tls.crt'), certificate);
      writeFileSync(join(folder, 'tls.key'), key);
      writeFileSync(join(folder, 'tls.pem'), certificate + key);
    }
  }
}
