import { Pod } from './pod';
import { EDGE_NAMESPACE, HOSTS, PUBLIC_HOST, SYNC_NAMESPACE, World } from './world';
import { GATEWAY, SERVE, SYNC } from '../../../../src/agent/contract/commands';
import { SERVICE_ACCOUNT_FOLDER } from '../../../../src/agent/contract/paths';

/** How late a kubelet shows changed objects to pods, and load balancers see who is ready. */
const MOUNT_MS = 45_000;
const BALANCER_MS = 1_000;
/** When a cluster gives up on the pods of a machine that is gone. */
const MACHINE_LOST_MS = 40_000;

const RUN = '/run/tcp-proxy';
const PODS = '/api/v1/namespaces/kube-system/pods';

/** A machine of the tenant cluster. */
export interface Node {
  readonly name: string;
  readonly address: string;
  pod?: Pod;
}

/** How many there are. */
export interface Sizes {
  readonly nodes: number;
  readonly gateways: number;
  readonly syncs: number;
  /** Further flags of `sync`. */
  readonly syncFlags?: Readonly<Record<string, unknown>>;
}

/** The machines of both clusters, with the pods that run the agent. */
export class Machines {
  public readonly nodes: Node[];
  public readonly gateways: Pod[] = [];
  public readonly syncs: Pod[] = [];
  /** What a scenario has started besides. */
  public readonly others: Pod[] = [];
  /** Those that the load balancer sends connections to. */
  public reachableGateways: Pod[] = [];
  private generation = 0;
  private haproxyConfig = 'global\n';
  private moreAuthorities = '';

  constructor(private readonly world: World, private readonly sizes: Sizes) {
    this.nodes = Array.from({ length: sizes.nodes }, (_, i) => ({ name: `node-${i + 1}`, address: `10.0.0.${i + 1}` }));
  }

  /** Starts all pods. */
  public start(): void {
    for (const node of this.nodes) this.startProxy(node);
    for (let i = 0; i < this.sizes.gateways; i++) this.startGateway(i);
    for (let i = 0; i < this.sizes.syncs; i++) this.startSync(i);
    this.mountRegularly();
  }

  public get proxies(): Pod[] {
    return this.nodes.flatMap(({ pod }) => pod && !pod.gone ? [pod] : []);
  }

  public get all(): Pod[] {
    return [...this.proxies, ...this.gateways, ...this.syncs, ...this.others].filter(pod => !pod.gone);
  }

  /** What the controller of the DaemonSet does. */
  public startProxy(node: Node): void {
    const { world } = this;
    const name = `tcp-proxy-${node.name}-${++this.generation}`;
    const pod: Pod = new Pod(world, {
      name,
      command: SERVE as never,
      flags: {
        apiServer: `https://${PUBLIC_HOST}`, namespace: 'kube-system', podName: name, hostIps: [node.address], servingName: ['kubernetes.default.svc'],
      },
      prepare: files => {
        files.mount('/etc/haproxy', { 'haproxy.cfg': 'global\n' });
        files.makeFolder(RUN);
        files.makeFolder(SERVICE_ACCOUNT_FOLDER);
        this.mount(files);
      },
      onReady: () => this.report(node),
      onHaproxy: haproxy => {
        haproxy.upstream = () => {
          const gateway = world.gateway();
          return world.tenantListens && gateway !== undefined && world.whyNotRouted(gateway) === undefined;
        };
      },
    });
    node.pod = pod;
    this.report(node);
  }

  public startGateway(i: number): void {
    const { world } = this;
    const pod: Pod = new Pod(world, {
      name: `gateway-${i}-${++this.generation}`,
      command: GATEWAY as never,
      flags: { apiServer: `https://${HOSTS.management}`, routeConfigMap: ['routes-00'], namespace: EDGE_NAMESPACE, nameserver: ['10.96.0.10'] },
      prepare: files => {
        files.mount('/etc/haproxy', { 'haproxy.cfg': this.haproxyConfig });
        files.makeFolder(RUN);
        files.mount(SERVICE_ACCOUNT_FOLDER, this.managementAccount());
        files.mount('/etc/tcp-proxy/routes', this.mountedRoutes());
      },
      onReady: () => world.clock.schedule(BALANCER_MS, () => this.balance()),
    });
    this.gateways[i] = pod;
  }

  public startSync(i: number): void {
    const name = `sync-${i}-${++this.generation}`;
    this.syncs[i] = new Pod(this.world, {
      name,
      command: SYNC as never,
      flags: {
        namespace: SYNC_NAMESPACE, podName: name, apiServer: `https://${HOSTS.management}`, visitsFile: '/run/tenant-sync/visits.json', ...this.sizes.syncFlags,
      },
      prepare: files => {
        files.makeFolder('/run/tenant-sync');
        files.mount(SERVICE_ACCOUNT_FOLDER, this.managementAccount());
      },
      onReady: () => undefined,
    });
  }

  /** Deletes a pod as a drain does; calls back when it is gone. */
  public drain(pod: Pod, gone: () => void): void {
    const node = this.nodes.find(one => one.pod === pod);
    pod.terminate(() => {
      if (node) this.forget(pod);
      gone();
    });
    if (node) this.report(node);
    this.world.clock.schedule(BALANCER_MS, () => this.balance());
  }

  /** The machine goes without a word. */
  public lose(node: Node): void {
    const { pod } = node;
    if (!pod || pod.gone) return;
    pod.loseMachine();
    this.world.clock.schedule(MACHINE_LOST_MS, () => this.reportLost(node, pod));
  }

  /** It is back: what was on it is gone. */
  public recover(node: Node): void {
    const { pod } = node;
    if (pod) this.forget(pod);
    this.startProxy(node);
    // Whoever did not see the machine go sends connections to it before anything on it listens.
    if (pod) node.pod!.crashedAt = pod.crashedAt;
  }

  /** New tokens, which the kubelet shows to the pods. */
  public rotateTokens(): void {
    const { world } = this;
    const number = ++this.generation;
    world.tokens.management = `token-m${number}`;
    world.tokens.tenant = `token-t${number}`;
    world.management.tokens.add(world.tokens.management);
    world.tenant.tokens.add(world.tokens.tenant);
  }

  /** Gives the gateways another configuration of HAProxy. */
  public configureGateways(config: string): void {
    this.haproxyConfig = config;
  }

  /** Shows the proxies more authorities than there are. */
  public addAuthority(pem: string): void {
    this.moreAuthorities = pem;
  }

  public balance(): void {
    this.reachableGateways = this.gateways.filter(pod => pod.ready && !pod.deleting && !pod.gone);
  }

  private mountRegularly(): void {
    this.mountAll();
    this.world.clock.schedule(MOUNT_MS, () => this.mountRegularly());
  }

  /** What the kubelets do once in a while. */
  public mountAll(): void {
    for (const { files } of this.proxies) this.mount(files);
    for (const { files } of [...this.gateways, ...this.syncs]) {
      update(files, SERVICE_ACCOUNT_FOLDER, this.managementAccount());
      if (!files.exists('/etc/tcp-proxy/routes')) continue;
      update(files, '/etc/tcp-proxy/routes', this.mountedRoutes());
      update(files, '/etc/haproxy', { 'haproxy.cfg': this.haproxyConfig });
    }
  }

  private mount(files: Pod['files']): void {
    const { tenant, tokens } = this.world;
    const text = (value?: string) => Buffer.from(value ?? '', 'base64').toString();
    const secret = tenant.object('/api/v1/namespaces/kube-system/secrets/tcp-proxy-tls')?.data;
    const authorities = tenant.object('/api/v1/namespaces/kube-system/configmaps/tcp-proxy-ca')?.data;
    files.makeFolder('/etc/tcp-proxy/tls');
    files.makeFolder('/etc/tcp-proxy/ca');
    if (secret) update(files, '/etc/tcp-proxy/tls', { 'tls.crt': text(secret['tls.crt']), 'tls.key': text(secret['tls.key']) });
    if (authorities) update(files, '/etc/tcp-proxy/ca', { 'ca.crt': authorities['ca.crt'] + this.moreAuthorities });
    update(files, SERVICE_ACCOUNT_FOLDER, { token: tokens.tenant });
  }

  private managementAccount(): Record<string, string> {
    return { 'token': this.world.tokens.management, 'ca.crt': this.world.authority.certificate };
  }

  private mountedRoutes(): Record<string, string> {
    return { 'hosts-00.map': this.world.management.object(`/api/v1/namespaces/${EDGE_NAMESPACE}/configmaps/routes-00`)?.data['hosts.map'] ?? '' };
  }

  /** The kubelet writes the pod's state, as soon as the API server takes it. */
  private report(node: Node): void {
    const { pod } = node;
    if (!pod || pod.gone) return;
    this.whenWritable(() => {
      if (node.pod !== pod || pod.gone) return;
      const { name, ready, deleting } = pod;
      this.put(name, node.address, ready, deleting);
    });
  }

  private reportLost(node: Node, pod: Pod): void {
    this.whenWritable(() => {
      if (this.world.tenant.object(`${PODS}/${pod.name}`)) this.put(pod.name, node.address, false, pod.deleting);
    });
  }

  private forget(pod: Pod): void {
    this.whenWritable(() => {
      if (this.world.tenant.object(`${PODS}/${pod.name}`)) this.world.tenant.byOthers(() => this.world.tenant.remove(`${PODS}/${pod.name}`));
    });
  }

  private put(name: string, address: string, ready: boolean, deleting: boolean): void {
    const { tenant } = this.world;
    tenant.byOthers(() => tenant.put(`${PODS}/${name}`, {
      metadata: { labels: { 'app.kubernetes.io/name': 'tcp-proxy' }, ...deleting && { deletionTimestamp: '2027-01-01T00:00:00Z' } },
      status: { phase: 'Running', hostIP: address, hostIPs: [{ ip: address }], conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
    }));
  }

  private whenWritable(write: () => void): void {
    if (this.world.tenantListens) write();
    else this.world.clock.schedule(1_000, () => this.whenWritable(write));
  }
}

function update(files: Pod['files'], folder: string, contents: Record<string, string>): void {
  const same = files.exists(folder) && Object.entries(contents).every(([name, text]) => files.exists(`${folder}/${name}`) && files.read(`${folder}/${name}`).toString() === text);
  if (!same) files.mount(folder, contents);
}
