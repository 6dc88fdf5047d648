import { execFile } from 'child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { join } from 'path';
import { promisify } from 'util';
import { Network } from './network';
import { filesOf } from './volumes';
import { eventually } from '../../../data-path/support/eventually';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';

/** Makes a root of the machine's own folders, in which whatever a container writes is its own, and runs the command in it. */
const ENTER = `
root=$1 name=$2
shift 2
mount -t tmpfs tmpfs "$root"
for path in /*; do
  case $path in
    /etc) cp --archive /etc "$root/etc"; mount --bind /etc/hosts "$root/etc/hosts" ;;
    /var | /run | /tmp) mkdir "$root$path" ;;
    /proc) mkdir "$root/proc"; mount -t proc proc "$root/proc" ;;
    *) if [ -L "$path" ]; then cp --no-dereference "$path" "$root$path"; elif [ -d "$path" ]; then mkdir "$root$path"; mount --rbind "$path" "$root$path"; fi ;;
  esac
done
echo "$name" >/proc/sys/kernel/hostname
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$root$2"; else mkdir -p "$(dirname "$root$2")"; touch "$root$2"; fi
  mount --bind "$1" "$root$2"
  [ "$3" = rw ] || mount -o remount,bind,ro "$root$2"
  shift 3
done
shift
exec chroot "$root" "$@"
`;

/**
 * The first pod of a StatefulSet, as a kubelet would run it: its containers with their commands, environment and volumes to the letter, in
 * namespaces of processes, mounts and host names of its own. Images are not there: a container has the programs of this machine.
 */
export class StatefulPod {
  /** @param programs folders of programs, before those on PATH */
  public static async start(cluster: Cluster, network: Network, namespace: string, name: string, programs: string[]): Promise<StatefulPod> {
    const set = await eventually(() => cluster.get('statefulset', namespace, name), 300_000);
    const pod = new StatefulPod(cluster, network, set, programs);
    await pod.begin();
    return pod;
  }

  public process!: Process;
  public readonly name: string;
  private readonly folder: string;
  private updates = 0;

  private constructor(
    private readonly cluster: Cluster,
    private readonly network: Network,
    private readonly set: any,
    private readonly programs: string[],
  ) {
    this.name = `${set.metadata.name}-0`;
    this.folder = cluster.file(`pod-${this.name}`);
    mkdirSync(join(this.folder, 'root'), { recursive: true });
    const { serviceName } = set.spec;
    network.call(this.name, ...serviceName ? [serviceName, `${this.name}.${serviceName}`, `${this.name}.${serviceName}.${set.metadata.namespace}.svc`] : []);
  }

  /** Starts the container, again after it ended. */
  public async restart(): Promise<void> {
    this.process = await this.run(this.spec.containers[0]);
    const { pid } = this.process;
    const first = await eventually(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').find(isFirst));
    writeFileSync(this.enter, `exec nsenter --target=${first} --mount --uts --net --pid --root --wdns=/ env 'PATH=${this.path}' "$@"\n`);
  }

  /** Ends it, and starts the pod anew, as when somebody restarts the rollout: with volumes and certificates of its own. */
  public async replace(): Promise<void> {
    await this.process.kill('SIGKILL');
    rmSync(join(this.folder, 'volumes'), { recursive: true });
    await this.begin();
  }

  /** A script that runs a command in the container. */
  public get enter(): string {
    return join(this.folder, 'enter');
  }

  /** What a command in the container prints. */
  public async execute(...command: string[]): Promise<string> {
    if (!this.process.alive) {
      throw new Error(`${this.name} ended:\n${this.process.output.slice(-8000)}`);
    }
    const { stdout } = await promisify(execFile)('sh', [this.enter, ...command], { maxBuffer: 2 ** 26 });
    return stdout;
  }

  /** Writes the Secrets and ConfigMaps of its volumes as they are now, as the kubelet does: by the swap of a symbolic link. */
  public async updateVolumes(): Promise<void> {
    const data = `..${++this.updates}`;
    for (const volume of this.spec.volumes ?? []) {
      const folder = this.volume(volume.name);
      if (volume.emptyDir) {
        continue;
      }
      const files = await eventually(() => filesOf(this.cluster, this.set.metadata.namespace, volume), 120_000);
      mkdirSync(join(folder, data));
      for (const [path, content] of Object.entries(files)) {
        writeFileSync(join(folder, data, path), content, { mode: volume.configMap?.defaultMode ?? 0o644 });
      }
      symlinkSync(data, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
      const linked = readdirSync(folder).filter(name => !name.startsWith('..'));
      Object.keys(files).filter(path => !linked.includes(path)).forEach(path => symlinkSync(join('..data', path), join(folder, path)));
      linked.filter(path => !(path in files)).forEach(path => rmSync(join(folder, path)));
    }
  }

  /** Says of the StatefulSet what the controller manager says when its pod is ready. */
  public async report(): Promise<void> {
    const { metadata: { namespace, name } } = this.set;
    const { metadata: { generation } } = await this.cluster.get('statefulset', namespace, name);
    const status = { observedGeneration: generation, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    await this.cluster.kubectl(['patch', 'statefulset', name, '--namespace', namespace, '--subresource=status', '--type=merge', '--patch', JSON.stringify({ status })]);
  }

  /** The object of the pod. */
  public object(nodeName: string): any {
    const { metadata: { namespace }, spec: { template: { metadata: { labels } } } } = this.set;
    return { apiVersion: 'v1', kind: 'Pod', metadata: { name: this.name, namespace, labels }, spec: { ...this.spec, nodeName } };
  }

  private async begin(): Promise<void> {
    await this.updateVolumes();
    for (const container of this.spec.initContainers ?? []) {
      const process = await this.run(container);
      if ((await process.exited).code !== 0) {
        throw new Error(`${container.name} of ${this.name} failed:\n${process.output}`);
      }
    }
    await this.restart();
  }

  private get path(): string {
    return [...this.programs, process.env.PATH].join(':');
  }

  private get spec(): any {
    return this.set.spec.template.spec;
  }

  private volume(name: string): string {
    const folder = join(this.folder, 'volumes', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  private async run({ command = [], args = [], env = [], envFrom = [], volumeMounts = [] }: any): Promise<Process> {
    const variables = Object.fromEntries(env.map(({ name, value }: any) => [name, value]));
    for (const { configMapRef: { name } } of envFrom) {
      Object.assign(variables, (await this.cluster.get('configmap', this.set.metadata.namespace, name)).data);
    }
    const mounts = [...volumeMounts].sort((a, b) => a.mountPath.length - b.mountPath.length)
      .flatMap(({ name, mountPath, subPath = '', readOnly }: any) => [join(this.volume(name), subPath), mountPath, readOnly ? 'ro' : 'rw']);
    const programs = this.programs.flatMap(folder => [folder, folder, 'ro']);
    const [program, ...words] = [
      ...this.network.prefix, 'unshare', '--mount', '--uts', '--pid', '--fork', '--kill-child', '--propagation', 'private',
      'sh', '-euc', ENTER, 'sh', join(this.folder, 'root'), this.name, ...programs, ...mounts, '--', ...command, ...args,
    ];
    return new Process(program, words, { env: { PATH: this.path, HOME: '/root', HOSTNAME: this.name, ...variables } });
  }
}

/** Whether a process is the first in a namespace of processes. */
function isFirst(pid: string): boolean {
  return /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
