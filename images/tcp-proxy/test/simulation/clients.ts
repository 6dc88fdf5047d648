import type { Pod } from './pod';
import { Random } from './random';
import type { World } from './world';
import { SERVICE_NAME_LABEL } from '../../../../src/agent/contract/kubernetes-endpoints';

const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

/** How late kube-proxy has what is published. */
const KUBE_PROXY_MS = [100, 1_000] as const;
/** How long a crash may cost what goes there: of a container, and of a machine. */
const UNNOTICED_MS = { container: 6_000, machine: 55_000 } as const;
/** HAProxy of a proxy tries once more to connect to a gateway: `retries` in `src/haproxy/timeouts.ts`. */
const RETRY_MS = 1_000;

/**
 * What became of an attempt to connect. `refused` is a fault of ours. The others no agent can prevent, each within a bound: it met a pod that had
 * crashed, or left, before kube-proxy could know; an API server that could be told nothing; what somebody with the right to do so had just taken
 * away; an address that had just become another; or there was no path at all.
 */
export type Outcome = 'served' | 'refused' | 'machineCrashed' | 'containerCrashed' | 'apiServer' | 'takenAway' | 'moved' | 'noPath';

/** Attempts that were not served. */
export interface Lost {
  readonly outcome: Exclude<Outcome, 'served'>;
  /** What kept them from being served, without names. */
  readonly why: string;
  /** The incidents of that time. */
  readonly during: string;
  attempts: number;
}

interface Failure {
  readonly why: string;
  /** Where. */
  readonly pod?: Pod;
  /** Nothing took the connection, so that who made it may try again. */
  readonly unconnected?: boolean;
  /** Somebody with the right to do so had taken away what was published. */
  readonly sabotaged?: boolean;
}

/** Pods of the tenant that dial `kubernetes.default.svc`. */
export class Clients {
  public served = 0;
  /** Whether the last attempt was served. */
  public wasServed = true;
  private readonly losses = new Map<string, Lost>();
  /** What kube-proxy knows. */
  private published: readonly string[] = [];

  constructor(private readonly world: World, private readonly random: Random) {
    world.tenant.store.subscribe(({ resource }) => {
      if (resource !== SLICES) return;
      const [first, last] = KUBE_PROXY_MS;
      world.clock.schedule(this.random.between(first, last), () => this.program());
    });
  }

  /** The addresses that `default/kubernetes` has. */
  public addresses(): string[] {
    const slices = this.world.tenant.store.list(SLICES).filter(({ metadata }) => metadata.labels?.[SERVICE_NAME_LABEL] === 'kubernetes');
    const ready = slices.flatMap(({ endpoints }) => endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    return [...new Set<string>(ready.flatMap(({ addresses }) => addresses ?? []))].sort();
  }

  public get lost(): readonly Lost[] {
    return [...this.losses.values()];
  }

  /** One attempt to connect. */
  public attempt(): void {
    const proxy = this.proxy();
    if ('why' in proxy) {
      this.ended(proxy);
      return;
    }
    const failure = this.gateway();
    if (!failure?.unconnected) {
      this.ended(failure);
      return;
    }
    const { haproxy } = proxy;
    this.world.clock.schedule(RETRY_MS, () => this.ended(haproxy?.running ? this.gateway() : { pod: proxy, why: `${proxy.name} died meanwhile` }));
  }

  private ended(failure: Failure | undefined): void {
    this.wasServed = failure === undefined;
    if (failure === undefined) {
      this.served++;
      return;
    }
    const noPath = this.whyNoPath();
    const outcome = noPath === undefined ? this.outcomeOf(failure) : 'noPath';
    this.count({ outcome, why: noPath ?? withoutNames(failure.why), during: this.world.during, attempts: 1 });
    if (outcome === 'refused') this.world.violate(`refused: ${failure.why}`);
  }

  private count(lost: Lost): void {
    const key = [lost.outcome, lost.why, lost.during].join();
    const before = this.losses.get(key);
    if (before) before.attempts++;
    else this.losses.set(key, lost);
  }

  private program(): void {
    if (!this.world.tenantListens) {
      this.world.clock.schedule(1_000, () => this.program());
      return;
    }
    this.published = this.addresses();
    for (const { pod, address } of this.world.machines.nodes) {
      if (pod?.deleting && !this.published.includes(address)) pod.withdrawn = true;
    }
  }

  /** The proxy that takes the connection. */
  private proxy(): Pod | Failure {
    const { world } = this;
    if (this.published.length === 0) return { why: 'nothing is published', sabotaged: world.sabotaged };
    const address = this.random.pick(this.published);
    const node = world.machines.nodes.find(one => one.address === address);
    if (!node?.pod) return { why: `${address} is of no machine` };
    const { pod } = node;
    if (!pod.haproxy?.listening) return { pod, why: `${pod.name} does not listen` };
    const { certificate } = pod.haproxy;
    const expired = !certificate || Date.parse(certificate.validTo) <= world.epoch + world.clock.now;
    return expired ? { pod, why: `${pod.name} has a certificate until ${certificate?.validTo}` } : pod;
  }

  /** Why the way from a proxy on is none. */
  private gateway(): Failure | undefined {
    const { world } = this;
    const pod = world.gateway();
    if (!pod) return { why: 'no gateway is ready', unconnected: true };
    const why = world.connect(pod);
    if (why !== undefined) return { pod, why: `${pod.name} ${why}`, unconnected: !pod.haproxy?.listening };
    return world.tenantListens ? undefined : { pod, why: 'the API server does not listen' };
  }

  /** Why nothing that runs could have served it. */
  private whyNoPath(): string | undefined {
    const { machines, tenantListens } = this.world;
    const none = (pods: readonly Pod[]) => !pods.some(({ haproxy, deleting }) => haproxy?.listening && !deleting);
    if (!tenantListens) return 'the API server does not listen';
    if (none(machines.proxies)) return 'no proxy listens';
    return none(machines.reachableGateways) ? 'no gateway listens' : undefined;
  }

  /** Only for what died or left; whatever kept others from seeing that counts from its end. */
  private outcomeOf({ pod, sabotaged }: Failure): Exclude<Outcome, 'served' | 'noPath'> {
    const { clock: { now }, blindUntil, hasJustMoved } = this.world;
    if (sabotaged) return 'takenAway';
    const { crashedAt = -Infinity, machineCrashed = false, servesUntil = Infinity, withdrawn = false } = pod ?? {};
    const bound = machineCrashed ? UNNOTICED_MS.machine : UNNOTICED_MS.container;
    if (now - crashedAt <= bound) return machineCrashed ? 'machineCrashed' : 'containerCrashed';
    if (hasJustMoved) return 'moved';
    if (crashedAt === -Infinity && now < servesUntil && !withdrawn) return 'refused';
    return now - Math.max(crashedAt, Math.min(blindUntil, now)) <= bound ? 'apiServer' : 'refused';
  }
}

function withoutNames(why: string): string {
  return why.replace(/(tcp-proxy|gateway)-[\w-]+/, 'a $1').replace(/[A-Z][a-z]{2} .* GMT|undefined|\d+(\.\d+){3}/g, '…');
}
