import { execFileSync } from 'child_process';
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { serveExec } from './exec-server';
import { k0smotronOperator } from './k0smotron';
import { ownNetwork, TESTS_ADDRESS } from './network';
import { Operator } from './operator';
import { StatefulPod } from './stateful-pod';
import { eventually } from '../../../data-path/support/eventually';
import { startIngress } from '../../../data-path/support/ingress';
import { Cluster, EXPOSURE } from '../../../e2e/support/cluster';
import { CertificateAuthority } from '../../../support/certificates';
import { recordRun } from '../../../support/compatibility';

const { name: NAME, namespace: NAMESPACE, api: { host: HOST } } = EXPOSURE;
export const KONNECTIVITY_HOST = 'tenant-01.konnectivity.example.com';
/** Port of the control plane's Service for each public host, of k0smotron's defaults. */
const PORTS: { readonly [host: string]: number } = { [HOST]: 30443, [KONNECTIVITY_HOST]: 30132 };
const NODE = 'node-of-pods';

/** Of scripts/k0s.sh. */
const FOLDER = process.env.K0S_FOLDER!;
export const K0S_VERSION = readFileSync(join(FOLDER, 'version'), 'utf8').trim();
/** Version of the API server that it runs. */
export const K0S_API_SERVER_VERSION = /\d+\.\d+\.\d+/.exec(execFileSync(join(FOLDER, 'bin', 'kube-apiserver'), ['--version'], { encoding: 'utf8' }))![0];

/** A control plane of k0smotron that runs k0s, with its etcd, behind a shared address. */
export class HostedK0s {
  /** @param manifests of the management cluster */
  public static async start(manifests: any[]): Promise<HostedK0s> {
    const management = await Cluster.start({ behindIngress: false, apiServerArgs: ['--service-cluster-ip-range=10.200.0.0/16'] });
    const operator = await Operator.start(management, () => k0smotronOperator(process.env.K0SMOTRON_FOLDER!));
    await management.kubectl(['create', 'namespace', NAMESPACE]);
    await management.apply(manifests);
    const network = ownNetwork(management, 3);
    const withEtcd = process.env.KUBEBUILDER_ASSETS!;
    const etcd = await StatefulPod.start(management, network, NAMESPACE, `kmc-${NAME}-etcd`, [withEtcd]);
    await etcd.report();
    const { spec: { clusterIP } } = await management.get('service', NAMESPACE, `kmc-${NAME}`);
    network.serve(clusterIP, `kmc-${NAME}.${NAMESPACE}.svc`);
    await startIngress(management.folder, Object.fromEntries(Object.entries(PORTS).map(([host, port]) => [host, `${clusterIP}:${port}`])), 443);
    const k0s = await StatefulPod.start(management, network, NAMESPACE, `kmc-${NAME}`, [FOLDER, join(FOLDER, 'bin'), withEtcd]);
    const tenant = new HostedK0s(management, operator, k0s);
    await serveExec(management, {
      name: NODE,
      address: TESTS_ADDRESS,
      authority: await CertificateAuthority.create('kubelet', 'ecdsa'),
      pod: k0s.object(NODE),
      enter: ['sh', k0s.enter],
    });
    await tenant.ready();
    await k0s.report();
    await eventually(() => tenant.kubectl('get', '--raw=/readyz'), 180_000);
    return tenant;
  }

  private constructor(
    public readonly management: Cluster,
    public readonly operator: Operator,
    public readonly k0s: StatefulPod,
  ) {}

  /** Runs kubectl with the kubeconfig that k0smotron made. */
  public async kubectl(...args: string[]): Promise<string> {
    return this.management.kubectl(args, { as: await this.identity() });
  }

  public async get(kind: string, namespace: string, name: string): Promise<any> {
    const text = await this.kubectl('get', kind, '--namespace', namespace, name, '--output', 'json', '--ignore-not-found');
    return text === '' ? undefined : JSON.parse(text);
  }

  /** The tenant, for what plays pods in a cluster of the tests. */
  public get asCluster(): Cluster {
    const kubectl = async (args: string[], options = {}) => this.management.kubectl(args, { ...options, as: await this.identity() });
    return Object.assign(Object.create(this.management), { kubectl });
  }

  /** Who issues its certificates. */
  public async authority(): Promise<CertificateAuthority> {
    const { data } = await this.management.get('secret', NAMESPACE, `${NAME}-ca`);
    const text = (key: string) => Buffer.from(data[key], 'base64').toString();
    return CertificateAuthority.of({ certificate: text('tls.crt'), key: text('tls.key') });
  }

  /** Waits until pods and components find this and nothing else behind the Service `kubernetes`, each by the object that says so: `endpoints <ip>:<port>`, `<slice> <ips>:<port>`. */
  public async publishes(all: string[], timeoutMs: number): Promise<void> {
    await eventually(async () => {
      expect(await this.published()).toEqual(all);
      return true;
    }, timeoutMs);
  }

  private async published(): Promise<string[]> {
    const { subsets } = await this.get('endpoints', 'default', 'kubernetes');
    const slices = await this.kubectl('get', 'endpointslices', '--namespace=default', '--selector=kubernetes.io/service-name=kubernetes', '--output=json');
    return [
      ...subsets.flatMap(({ addresses, ports }: any) => addresses.map(({ ip }: any) => `endpoints ${ip}:${ports[0].port}`)),
      ...JSON.parse(slices).items.map(({ metadata, endpoints, ports }: any) => `${metadata.name} ${endpoints.flatMap(({ addresses }: any) => addresses)}:${ports[0].port}`),
    ];
  }

  /** Writes the run down, as docs/compatibility.md lists it. */
  public async record(what: string, passed: boolean): Promise<void> {
    await recordRun({
      system: 'k0smotron',
      version: this.operator.version,
      with: `k0s ${K0S_VERSION}, kube-apiserver ${K0S_API_SERVER_VERSION}, HAProxy`,
      what,
      result: passed ? 'passed' : 'failed',
    });
  }

  /** A flag of the API server that k0s runs. */
  public async apiServerFlag(name: string): Promise<string | undefined> {
    const running = await this.k0s.execute('sh', '-c', 'for pid in $(ls /proc | grep "^[0-9]*$"); do tr "\\0" "\\n" </proc/$pid/cmdline || true; done 2>/dev/null');
    return running.split('\n').find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  }

  /** Kills k0s with all that it runs, and starts it on the same volume, as the kubelet does with a container that ended; k0s applies all its manifests. */
  public async restart(): Promise<void> {
    // One of them, which it makes again.
    const [kind, namespace, name] = ['configmap', 'kube-system', 'control-plane-endpoint'];
    await this.kubectl('delete', kind, '--namespace', namespace, name);
    await this.k0s.process.kill('SIGKILL');
    await this.k0s.restart();
    await this.ready();
    await eventually(() => this.get(kind, namespace, name), 120_000);
  }

  /** Restarts the rollout. */
  public async replace(): Promise<void> {
    await this.k0s.replace();
    await this.ready();
  }

  /** As the probe of the pod asks. */
  private async ready(): Promise<void> {
    await eventually(() => this.k0s.execute('k0s', 'status'), 120_000).catch(error => {
      throw new Error(`${error}\n${this.k0s.process.output.slice(-8000)}`);
    });
  }

  private async identity(): Promise<string[]> {
    const { data } = await this.management.get('secret', NAMESPACE, `${NAME}-kubeconfig`);
    const file = this.management.file('tenant.conf');
    writeFileSync(file, Buffer.from(data.value, 'base64'));
    return [`--kubeconfig=${file}`];
  }
}
