import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { get } from 'http';
import { tmpdir } from 'os';
import { join } from 'path';
import { Agent } from './agent';
import { Cluster, EXPOSURE } from './cluster';
import { MountedFolder } from '../../../images/tcp-proxy/test/support/mounted-folder';
import { HEALTH_PORT } from '../../../src/agent/contract/health';
import { Endpoint } from '../../../src/model/endpoint';
import { tcpProxyHaproxyConfig, TcpProxyHaproxyOptions } from '../../../src/tcp-proxy/haproxy-config';
import { resolveTcpProxy, TCP_PROXY_DEFAULTS } from '../../../src/tcp-proxy/settings';
import { eventually } from '../../data-path/support/eventually';
import { keep, Part } from '../../data-path/support/parts';
import { CertificatePair, KeyType } from '../../support/certificates';

const { name: SERVICE_ACCOUNT, namespace: NAMESPACE } = TCP_PROXY_DEFAULTS;
const LABELS = { 'app.kubernetes.io/name': 'tcp-proxy', 'app.kubernetes.io/instance': 'tcp-proxy' };
const KUBELET_PERIOD_MS = 100;
export const LISTEN_PORT = TCP_PROXY_DEFAULTS.listenPort;

/** What is mounted into the pod. */
export interface Mounts {
  readonly certificate: CertificatePair;
  readonly caFile: string;
}

/** What a pod may differ in. */
export interface ProxySettings {
  /** Options of its HAProxy's configuration. */
  readonly config?: Partial<TcpProxyHaproxyOptions>;
  /** Words of a command that runs it. */
  readonly prefix?: string[];
  /** Further flags of the agent. */
  readonly flags?: string[];
}

/** A pod of the tcp-proxy on one of the two nodes; the tests play its kubelet. */
export class Proxy implements Part {
  /** Creates the pod and starts the agent from the image's root file system. */
  public static async start(cluster: Cluster, name: string, nodeAddress: string, mounts?: Mounts, settings: ProxySettings = {}): Promise<Proxy> {
    const proxy = new Proxy(cluster, name, nodeAddress, mounts?.caFile ?? cluster.caFile, settings);
    if (mounts) {
      proxy.mount(mounts.certificate);
    } else {
      await proxy.mountCertificate();
    }
    writeFileSync(join(proxy.folder, 'token'), await cluster.token(NAMESPACE, SERVICE_ACCOUNT));
    writeFileSync(join(proxy.folder, 'haproxy.cfg'), proxy.haproxyConfig());
    await cluster.apply([proxy.pod()]);
    await cluster.kubectl(['patch', 'pod', '--namespace', NAMESPACE, name, '--subresource=status', '--patch', JSON.stringify({
      status: { phase: 'Running', hostIP: nodeAddress, hostIPs: [{ ip: nodeAddress }], podIP: nodeAddress, podIPs: [{ ip: nodeAddress }] },
    })]);
    proxy.run();
    keep(proxy);
    proxy.kubelet = proxy.playKubelet();
    return proxy;
  }

  public agent!: Agent;
  public readonly folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  private mounted = 0;
  private kubelet?: Promise<void>;
  private deleted = false;

  private constructor(
    private readonly cluster: Cluster,
    public readonly name: string,
    public readonly address: string,
    private readonly caFile: string,
    private readonly settings: ProxySettings,
  ) {}

  /** Starts the agent, as the kubelet does after a container died. */
  public run(): void {
    this.agent = new Agent([
      'serve',
      `--haproxy-config=${this.folder}/haproxy.cfg`,
      `--run-dir=${this.folder}/run`,
      `--tls-dir=${this.folder}/tls`,
      `--ca-file=${this.caFile}`,
      `--token-file=${this.folder}/token`,
      `--api-server=${EXPOSURE.kubeconfigServer}`,
      `--endpoint-port=${LISTEN_PORT}`,
      `--namespace=${NAMESPACE}`,
      `--pod-name=${this.name}`,
      `--host-ips=${this.address}`,
      `--pod-selector=${Object.entries(LABELS).map(([key, value]) => `${key}=${value}`).join(',')}`,
      `--health-address=${new Endpoint(this.address, HEALTH_PORT)}`,
      '--propagation-delay=1s',
      '--grace-period=10s',
      ...this.settings.flags ?? [],
    ], this.settings.prefix);
  }

  /** Mounts a certificate of the tenant CA. */
  public async mountCertificate(keyType: KeyType = 'ecdsa'): Promise<CertificatePair> {
    const pair = await this.cluster.ca.issue({ commonName: 'tcp-proxy', sans: [...EXPOSURE.inClusterNames, ...EXPOSURE.kubernetesServiceIps], keyType });
    this.mount(pair);
    return pair;
  }

  /** Puts a certificate into the folder as the kubelet updates a mounted Secret: by the swap of a symbolic link. */
  public mount(pair: CertificatePair): void {
    const tls = join(this.folder, 'tls');
    const data = `..${++this.mounted}`;
    mkdirSync(join(tls, data), { recursive: true });
    writeFileSync(join(tls, data, 'tls.crt'), pair.certificate);
    writeFileSync(join(tls, data, 'tls.key'), pair.key);
    symlinkSync(data, join(tls, '..data.new'));
    renameSync(join(tls, '..data.new'), join(tls, '..data'));
    for (const file of this.mounted === 1 ? ['tls.crt', 'tls.key'] : []) {
      symlinkSync(`..data/${file}`, join(tls, file));
    }
  }

  /** Waits for `/readyz`. */
  public ready(deadlineMs = 30_000): Promise<unknown> {
    return eventually(async () => {
      const { status, body } = await this.http('/readyz');
      if (status !== 200) {
        throw new Error(`${this.name}: ${body}\n${this.agent.output}`);
      }
      return true;
    }, deadlineMs);
  }

  public http(path: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      get({ host: this.address, port: HEALTH_PORT, path, agent: false }, response => {
        let body = '';
        response.setEncoding('utf8').on('data', text => body += text).on('end', () => resolve({ status: response.statusCode!, body }));
      }).on('error', reject);
    });
  }

  /** Deletes the pod as `kubectl delete` and the kubelet do: mark, SIGTERM, wait for the process, remove. */
  public async delete(): Promise<{ code: number | null }> {
    await this.cluster.kubectl(['delete', 'pod', '--namespace', NAMESPACE, this.name, '--wait=false', '--grace-period=30']);
    this.agent.signal('SIGTERM');
    const exit = await this.agent.exited;
    await this.stop();
    await this.cluster.kubectl(['delete', 'pod', '--namespace', NAMESPACE, this.name, '--force', '--grace-period=0', '--ignore-not-found']);
    return exit;
  }

  /** Ends the proxy with its HAProxy, as the end of its container does. */
  public async stop(): Promise<void> {
    this.deleted = true;
    await this.kubelet;
    if (this.agent.alive) {
      await this.agent.kill('SIGTERM');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }


  private haproxyConfig(): string {
    const { maxConnections } = resolveTcpProxy({}, 'tls').haproxy;
    return tcpProxyHaproxyConfig({
      // All clients of the tests have one address.
      ...resolveTcpProxy({ shares: { perSource: maxConnections } }, 'tls').haproxy,
      paths: { run: `${this.folder}/run`, tls: `${this.folder}/tls`, ca: this.caFile },
      upstream: { host: EXPOSURE.api.host, port: EXPOSURE.api.port, mode: 'tls', serverName: EXPOSURE.api.host },
      // Both nodes are in one network namespace, so each proxy listens on its own.
      listenAddresses: [this.address],
      families: [this.address.includes(':') ? 'ipv6' : 'ipv4'],
      hostAliased: true,
      // Shorter than the library's, so that a test can wait for the end of connections that a reload left behind.
      reloadGraceSeconds: 10,
      ...this.settings.config,
    }).render();
  }

  private pod(): object {
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: this.name, namespace: NAMESPACE, labels: LABELS },
      spec: {
        nodeName: `node-${this.address.replace(/:+/g, '-')}`,
        hostNetwork: true,
        serviceAccountName: SERVICE_ACCOUNT,
        containers: [{ name: 'tcp-proxy', image: 'tcp-proxy' }],
      },
    };
  }

  /** Reports the readiness probe to the API server when it changes. */
  private async playKubelet(): Promise<void> {
    let reported: boolean | undefined;
    while (!this.deleted) {
      const ready = await this.http('/readyz').then(({ status }) => status === 200, () => false);
      if (ready !== reported) {
        const status = ready ? 'True' : 'False';
        const conditions = ['Ready', 'ContainersReady'].map(type => ({ type, status }));
        await this.cluster.kubectl(['patch', 'pod', '--namespace', NAMESPACE, this.name, '--subresource=status', '--patch',
          JSON.stringify({ status: { conditions } })]).then(() => reported = ready, () => undefined);
      }
      await new Promise(resolve => setTimeout(resolve, KUBELET_PERIOD_MS));
    }
  }
}

/** A pod of a tcp-proxy with what was delivered to the tenant for it, once it is ready. */
export async function deliveredProxy(tenant: Cluster, name: string, nodeAddress: string): Promise<Proxy> {
  const text = async (kind: string, of: string, key: string) => {
    const { data } = await tenant.get(kind, 'kube-system', of);
    return kind === 'secret' ? Buffer.from(data[key], 'base64').toString() : data[key];
  };
  const folder = new MountedFolder(join(mkdtempSync(join(tmpdir(), 'ca-')), 'ca'), { 'ca.crt': await text('configmap', 'tcp-proxy-ca', 'ca.crt') });
  const started = await Proxy.start(tenant, name, nodeAddress, {
    certificate: { certificate: await text('secret', 'tcp-proxy-tls', 'tls.crt'), key: await text('secret', 'tcp-proxy-tls', 'tls.key') },
    caFile: join(folder.path, 'ca.crt'),
  });
  await started.ready();
  return started;
}
