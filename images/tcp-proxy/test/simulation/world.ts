/* eslint-disable no-bitwise */
import { createHash } from 'crypto';
import type { Authority } from './authority';
import { Clients } from './clients';
import { NO_FAULTS, FaultPlan } from './faults';
import { Leaks } from './leaks';
import { Machines, Sizes } from './machines';
import { Pod } from './pod';
import { Random } from './random';
import { HttpAnswer, HttpCall, SimulatedApiServer } from './simulated-api-server';
import { systemError } from './simulated-files';
import type { SimulatedProcess, Surroundings } from './simulated-process';
import { VirtualClock } from './virtual-clock';
import { BUNDLE_VERSION } from '../../../../src/agent/contract/bundle';

export const TENANT = 'tenant-01';
const HOSTILE_TENANT = 'tenant-66';
export const PUBLIC_HOST = `${TENANT}.k8s.example.com`;
export const SERVICE = `${TENANT}.tenants.svc.cluster.local`;
export const SYNC_NAMESPACE = 'tenant-sync';
/** Where `sync` says how far it is with the tenant. */
export const TENANT_STATUS = `/api/v1/namespaces/${SYNC_NAMESPACE}/configmaps/tenants-${TENANT}-status`;
export const EDGE_NAMESPACE = 'edge';
export const HOSTS = { management: 'management.internal', tenant: `${TENANT}.internal`, hostile: `${HOSTILE_TENANT}.internal` } as const;
/** When the years begin, in milliseconds since 1970. */
export const EPOCH = Date.UTC(2027, 0, 1);

/** Within this time everybody has followed a tenant's API server to another address. */
const MOVED_MS = 45_000;

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** What is broken; each is a number of a seed. */
export interface Violation {
  readonly at: number;
  readonly what: string;
}

/** Two clusters, their machines, names and clients: everything around the processes. */
export class World implements Surroundings {
  public readonly clock = new VirtualClock();
  public readonly epoch = EPOCH;
  public readonly management: SimulatedApiServer;
  public readonly tenant: SimulatedApiServer;
  public readonly leaks = new Leaks({
    'token-m': [HOSTS.management],
    'token-t': [PUBLIC_HOST],
    'token-admin': [HOSTS.tenant, HOSTS.hostile],
  });
  public readonly violations: Violation[] = [];
  public readonly machines: Machines;
  public readonly clients: Clients;
  /** What DNS answers; undefined while it does not. */
  public dns: 'answers' | 'fails' | 'silent' = 'answers';
  public readonly names = new Map<string, string>();
  /** Where the tenant's API server listens. */
  public tenantAddress = '10.1.0.1';
  /** The incidents of the time, for figures. */
  public during = 'start';
  /** When the tenant's API server got another address. */
  public movedAt = -Infinity;
  /** How often processes ended by themselves. */
  public restarts = 0;
  /** Somebody takes away what is published. */
  public sabotaged = false;
  public readonly tokens = { management: 'token-m1', tenant: 'token-t1' };
  private readonly network: Random;
  private pids = 1_000;
  /** Until when each of what hides something from those who would repair it does so. */
  private blindness: { until: number }[] = [];

  constructor(
    public readonly random: Random,
    public readonly authority: Authority,
    public readonly faults: FaultPlan = NO_FAULTS,
    sizes: Sizes = { nodes: 3, gateways: 2, syncs: 2 },
  ) {
    this.network = random.fork();
    this.management = new SimulatedApiServer(this.clock, random.fork());
    this.tenant = new SimulatedApiServer(this.clock, random.fork());
    for (const cluster of [this.management, this.tenant]) {
      cluster.tokens.clear();
      cluster.tokens.add('token-admin');
    }
    this.management.tokens.add(this.tokens.management);
    this.tenant.tokens.add(this.tokens.tenant);
    this.names.set(SERVICE, this.tenantAddress);
    this.furnish();
    this.machines = new Machines(this, sizes);
    this.clients = new Clients(this, random.fork());
  }

  public violate(what: string): void {
    if (this.violations.length < 20) this.violations.push({ at: Math.round(this.clock.now), what });
  }

  /**
   * Something hides from the processes what happens.
   *
   * @returns says how much longer it does, once that is known
   */
  public blind(ms = Infinity): (ms: number) => void {
    const { clock } = this;
    const reason = { until: clock.now + ms };
    this.blindness = [...this.blindness.filter(({ until }) => until > clock.now), reason];
    return more => reason.until = clock.now + more;
  }

  /** Until when what happens now may hide a crash from those who would repair it. */
  public get blindUntil(): number {
    return Math.max(0, ...this.blindness.map(({ until }) => until));
  }

  /** The gateway through which a connection of this moment goes. */
  public gateway(): Pod | undefined {
    const { reachableGateways } = this.machines;
    return reachableGateways.length === 0 ? undefined : this.network.pick(reachableGateways);
  }

  /** Why a gateway does not lead to the tenant; undefined when it does. */
  public whyNotRouted({ haproxy }: Pod): string | undefined {
    if (!haproxy?.listening) return 'does not listen';
    const target = haproxy.map('hosts').get(PUBLIC_HOST);
    if (target === undefined) return 'has no route';
    const address = haproxy.map('addresses').get(target.split(':')[0]);
    return address === this.tenantAddress ? undefined : `leads to ${address}, not to ${this.tenantAddress}`;
  }

  /** A connection of somebody goes to the tenant through this gateway. @returns why it does not get there */
  public connect(gateway: Pod): string | undefined {
    const why = this.whyNotRouted(gateway);
    const { haproxy } = gateway;
    const target = haproxy?.listening ? haproxy.map('hosts').get(PUBLIC_HOST) : undefined;
    const address = target && haproxy!.map('addresses').get(target.split(':')[0]);
    if (why !== undefined && target && address) haproxy!.unanswered(target, address);
    return why;
  }

  /** Whether names, connections and requests may still lead to where the tenant's API server was. */
  public get hasJustMoved(): boolean {
    return this.clock.now < this.movedAt + MOVED_MS;
  }

  public get tenantListens(): boolean {
    return !this.tenant.trouble.refuses && !this.tenant.trouble.silent;
  }

  // ---- what processes ask for

  public pid(): number {
    return ++this.pids;
  }

  public http(process: SimulatedProcess, call: HttpCall, answer: (answer: HttpAnswer) => void): void {
    this.leaks.sent(process, call);
    switch (call.host) {
      case HOSTS.management: return this.management.serve(call, answer);
      case HOSTS.tenant: return this.tenant.serve(call, answer);
      case PUBLIC_HOST: return this.throughGateway(call, answer);
      default: return this.hostile(answer);
    }
  }

  public resolve(_process: SimulatedProcess, name: string, family: 4 | 6): string[] {
    if (this.dns === 'fails') throw systemError('ESERVFAIL', 'query', name);
    if (this.dns === 'silent') throw systemError('ETIMEOUT', 'query', name);
    const address = this.names.get(name);
    if (address === undefined) throw systemError('ENOTFOUND', 'query', name);
    if (address.includes(':') !== (family === 6)) throw systemError('ENODATA', 'query', name);
    return [address];
  }

  public said(process: SimulatedProcess, text: string): void {
    this.leaks.said(process, text);
  }

  public uncaught(process: SimulatedProcess, error: unknown): void {
    this.violate(`${process.name}: uncaught ${(error as Error).stack?.split('\n').slice(0, 3).join(' ') ?? String(error)}`);
    this.machines.all.find(pod => pod.process === process)?.crash();
  }

  public ended(): void {
    this.restarts++;
  }

  private throughGateway(call: HttpCall, answer: (answer: HttpAnswer) => void): void {
    const gateway = this.gateway();
    const refused = (code: string) => this.clock.schedule(2, () => answer({ failure: systemError(code, 'connect'), stream: () => undefined }));
    if (!gateway || this.connect(gateway) !== undefined) {
      refused('ECONNREFUSED');
      return;
    }
    const { haproxy } = gateway;
    this.tenant.serve(call, received => answer({
      ...received,
      stream: (chunk, end) => received.stream(text => haproxy?.running ? chunk(text) : end(systemError('ECONNRESET', 'read')), end),
    }));
  }

  /** An API server of a tenant that wants to harm whoever asks it. */
  private hostile(answer: (answer: HttpAnswer) => void): void {
    const bodies = ['[[[[[['.repeat(5_000), '{"items":null}', '{"metadata":null}', '"', '{"kind":"Status","reason":{"a":1}}', '{"items":[{"metadata":{}}]}'];
    const body = this.network.pick(bodies);
    const status = this.network.pick([200, 200, 201, 401, 403, 404, 409, 500]);
    this.clock.schedule(this.network.between(1, 50), () => answer({
      status,
      headers: {},
      stream: (chunk, end) => {
        chunk(body);
        end();
      },
    }));
  }

  // ---- what is there before anything starts

  private furnish(): void {
    const { management, tenant, authority } = this;
    tenant.byOthers(() => {
      tenant.put('/api/v1/namespaces/default/services/kubernetes', { spec: { ipFamilies: ['IPv4'] } });
      tenant.put('/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt', { data: { 'ca.crt': authority.certificate } });
    });
    management.byOthers(() => {
      for (const [name, host] of [[TENANT, HOSTS.tenant], [HOSTILE_TENANT, HOSTS.hostile]]) {
        management.put(`/api/v1/namespaces/tenants/secrets/${name}-admin-kubeconfig`, { data: { 'admin.svc': base64(this.kubeconfig(host)) } });
        management.put(`/api/v1/namespaces/tenants/secrets/${name}-ca`, { data: { 'tls.crt': base64(authority.certificate), 'tls.key': base64(authority.key) } });
        this.bundle(name, 1);
      }
      this.routes(0);
    });
  }

  /** Puts the bundle of a tenant. */
  public bundle(name: string, version: number): void {
    const objects = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' }, data: { version: String(version) } });
    const settings = {
      version: BUNDLE_VERSION,
      tenant: { namespace: 'tenants', name },
      part: 1,
      parts: 1,
      checksum: createHash('sha256').update(objects).digest('hex'),
      kubeconfig: { secretName: `${name}-admin-kubeconfig`, keys: ['admin.svc'] },
      kubernetesEndpoints: 'owned',
      certificate: {
        kind: 'issue',
        ca: { secretName: `${name}-ca`, certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
        secretName: 'tcp-proxy-tls',
        caConfigMapName: 'tcp-proxy-ca',
        namespace: 'kube-system',
        dnsNames: ['kubernetes', 'kubernetes.default.svc'],
        ipAddresses: ['10.96.0.1'],
      },
    };
    this.management.byOthers(() => this.management.put(`/api/v1/namespaces/${SYNC_NAMESPACE}/configmaps/tenants-${name}`, {
      metadata: { labels: { 'app.kubernetes.io/name': 'tenant-bundle', 'app.kubernetes.io/instance': `tenants.${name}` } },
      data: { 'tenant.json': JSON.stringify(settings), 'objects.yaml': objects },
    }));
  }

  /** Takes away the tenant that wants to harm. */
  public removeHostileTenant(): void {
    this.management.byOthers(() => this.management.remove(`/api/v1/namespaces/${SYNC_NAMESPACE}/configmaps/tenants-${HOSTILE_TENANT}`));
  }

  /** Puts the routes: those of the tenant, of others, and lines that are none. */
  public routes(others: number, garbage: readonly string[] = []): void {
    const lines = Array.from({ length: others }, (_, i) => `other-${i}.k8s.example.com other-${i}.tenants.svc.cluster.local:6443`);
    const hosts = [`${PUBLIC_HOST} ${SERVICE}:6443`, ...lines, ...garbage, ''].join('\n');
    for (let i = 0; i < others; i++) this.names.set(`other-${i}.tenants.svc.cluster.local`, `10.2.${i >> 8}.${i & 255}`);
    this.management.byOthers(() => this.management.put(`/api/v1/namespaces/${EDGE_NAMESPACE}/configmaps/routes-00`, { data: { 'hosts.map': hosts } }));
  }

  private kubeconfig(host: string): string {
    return JSON.stringify({
      'current-context': 'admin',
      'contexts': [{ name: 'admin', context: { cluster: 'tenant', user: 'admin' } }],
      'clusters': [{ name: 'tenant', cluster: { 'server': `https://${host}:6443`, 'certificate-authority-data': base64(this.authority.certificate) } }],
      'users': [{ name: 'admin', user: { token: 'token-admin' } }],
    });
  }
}
