import { mkdirSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { Network, TESTS_NETWORK } from './network';
import { filesOf } from './volumes';
import { eventually } from '../../../data-path/support/eventually';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';

/**
 * The kube-apiserver of an operator's Deployment, as a kubelet would run it: its arguments to the letter, but for where files
 * are, with the Secrets and ConfigMaps of its volumes, at the address of its Service.
 */
export class TenantApiServer {
  public static async start(cluster: Cluster, namespace: string, name: string, network: Network = TESTS_NETWORK): Promise<TenantApiServer> {
    const { spec: { clusterIP } } = await eventually(() => cluster.get('service', namespace, name), 60_000);
    const { spec: { template: { spec: pod } } } = await eventually(() => cluster.get('deployment', namespace, name), 300_000);
    const container = pod.containers.find((found: any) => found.name === 'kube-apiserver');
    const root = cluster.file(`${namespace}-${name}`);
    for (const { name: volume, mountPath } of container.volumeMounts) {
      const files = await eventually(() => filesOf(cluster, namespace, pod.volumes.find((found: any) => found.name === volume)), 60_000);
      mkdirSync(join(root, mountPath), { recursive: true });
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(root, mountPath, path)), { recursive: true });
        // The configuration of the egress selector names a socket of another volume.
        const text = content.toString();
        writeFileSync(join(root, mountPath, path), text.startsWith('-----') ? content : text.replace(/(?<=: )(?=\/run\/)/g, root));
      }
    }
    const host = `${name}.${namespace}.svc`;
    network.serve(clusterIP, host);
    const mounts: string[] = container.volumeMounts.map(({ mountPath }: any) => mountPath);
    const args = [...(container.command ?? []).slice(1), ...container.args ?? []].map((arg: string) =>
      mounts.some(path => arg.includes(`=${path}`)) ? arg.replace('=', `=${root}`) : arg);
    const server = new TenantApiServer(cluster, namespace, name, { address: clusterIP, host }, network, args);
    await server.restart();
    return server;
  }

  private process?: Process;

  private constructor(
    private readonly cluster: Cluster,
    private readonly namespace: string,
    private readonly name: string,
    private readonly service: { readonly address: string; readonly host: string },
    private readonly network: Network,
    public readonly args: string[],
  ) {}

  /** Starts the process, again if it was stopped. */
  public async restart(): Promise<void> {
    const [command, ...words] = [...this.network.prefix, join(process.env.KUBEBUILDER_ASSETS!, 'kube-apiserver'), ...this.args];
    this.process = new Process(command, words);
    await this.ready();
  }

  public async stop(): Promise<void> {
    await this.process!.kill('SIGTERM');
  }

  /** Runs kubectl with a kubeconfig that the operator made. */
  public async kubectl(key: string, ...args: string[]): Promise<string> {
    return this.cluster.kubectl(args, { as: await this.as(key) });
  }

  /** Flags of kubectl for a kubeconfig, at the address of the Service. */
  public async as(key: string): Promise<string[]> {
    const { data } = await this.cluster.get('secret', this.namespace, `${this.name}-admin-kubeconfig`);
    const kubeconfig = this.cluster.file(`${this.name}-${key}`);
    writeFileSync(kubeconfig, Buffer.from(data[key], 'base64'));
    // The name is known in the network of the management cluster alone.
    return [`--kubeconfig=${kubeconfig}`, ...key.endsWith('.svc') ? this.atService : []];
  }

  /** Flags of kubectl that lead to the Service, which the port is of. */
  public get atService(): string[] {
    const { address, host } = this.service;
    return [`--server=https://${address}:6443`, `--tls-server-name=${host}`];
  }

  /** A file with certificates to trust. */
  public caFile(certificates: string): string {
    const file = this.cluster.file(`${this.name}-trusted.crt`);
    writeFileSync(file, certificates);
    return file;
  }

  public async get(kind: string, namespace: string, name: string): Promise<any> {
    const text = await this.kubectl('super-admin.svc', 'get', kind, '--namespace', namespace, name, '--output', 'json', '--ignore-not-found');
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Says of the Deployment what the controller manager and the kubelets say when its pods are ready. */
  public async report(): Promise<void> {
    const { metadata: { generation }, spec: { replicas } } = await this.cluster.get('deployment', this.namespace, this.name);
    const status = { observedGeneration: generation, replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
    await this.cluster.kubectl(['patch', 'deployment', this.name, '--namespace', this.namespace, '--subresource=status', '--type=merge', '--patch', JSON.stringify({ status })]);
  }

  private async ready(): Promise<void> {
    await eventually(async () => {
      const { alive, output } = this.process!;
      if (!alive) {
        throw new Error(`kube-apiserver ended:\n${output.slice(-4000)}`);
      }
      return await this.kubectl('super-admin.svc', 'get', '--raw=/readyz') === 'ok';
    }, 120_000);
    await this.report();
  }
}
