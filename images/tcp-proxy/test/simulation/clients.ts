import type { Pod } from './pod';
import { Random } from './random';
import type { World } from './world';
import { SERVICE_NAME_LABEL } from '../../../../src/agent/contract/kubernetes-endpoints';

const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

/** How late kube-proxy has what is published. */
const KUBE_PROXY_MS = [100, 1_000] as const;
/** How long a crash may cost what goes there: of a container, and of a machine. */
const UNNOTICED_MS = { container: 6_000, machine: 55_000 } as const;

/** What became of the attempts to connect. */
export interface Outcomes {
  served: number;
  refused: number;
  /** At what had crashed, or had been deleted by others, before anybody could know. */
  unnoticed: number;
  /** While no path was there. */
  impossible: number;
}

interface Failure {
  readonly why: string;
  /** Where. */
  readonly pod?: Pod;
  /** Somebody with the right to do so had taken away what was published. */
  readonly sabotaged?: boolean;
}

/** Pods of the tenant that dial `kubernetes.default.svc`. */
export class Clients {
  public readonly outcomes: Outcomes = { served: 0, refused: 0, unnoticed: 0, impossible: 0 };
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

  /** One attempt to connect. */
  public attempt(): void {
    const failure = this.dial();
    const outcome = failure === undefined ? 'served' : this.outcomeOf(failure);
    this.outcomes[outcome]++;
    if (outcome === 'refused') this.world.violate(`refused: ${failure!.why}`);
  }

  private outcomeOf({ pod, sabotaged }: Failure): Exclude<keyof Outcomes, 'served'> {
    if (!this.hasPath()) return 'impossible';
    return sabotaged || this.world.hasJustMoved || pod && this.isUnnoticed(pod) ? 'unnoticed' : 'refused';
  }

  private program(): void {
    if (this.world.tenantListens) this.published = this.addresses();
    else this.world.clock.schedule(1_000, () => this.program());
  }

  private dial(): Failure | undefined {
    const { world } = this;
    if (this.published.length === 0) return { why: 'nothing is published', sabotaged: world.sabotaged };
    const address = this.random.pick(this.published);
    const node = world.machines.nodes.find(one => one.address === address);
    if (!node?.pod) return { why: `${address} is of no machine` };
    const { pod } = node;
    if (!pod.haproxy?.listening) return { pod, why: `${pod.name} does not listen` };
    const { certificate } = pod.haproxy;
    if (!certificate || Date.parse(certificate.validTo) <= world.epoch + world.clock.now) return { why: `${pod.name} has a certificate until ${certificate?.validTo}` };
    const gateway = world.gateway();
    if (!gateway) return { why: 'no gateway is ready' };
    const why = world.whyNotRouted(gateway);
    return why === undefined && world.tenantListens ? undefined : { pod: gateway, why: `${gateway.name} ${why}` };
  }

  /** Whether anything that runs could have served it. */
  private hasPath(): boolean {
    const { machines, tenantListens } = this.world;
    return tenantListens
      && machines.proxies.some(({ haproxy, deleting }) => haproxy?.listening && !deleting)
      && machines.reachableGateways.some(({ haproxy, deleting }) => haproxy?.listening && !deleting);
  }

  /** Only for what died or left; whatever kept others from seeing that counts from its end. */
  private isUnnoticed({ crashedAt, machineCrashed, deleting }: Pod): boolean {
    const { clock: { now }, blindUntil } = this.world;
    if (crashedAt === -Infinity && !deleting) return false;
    const since = Math.max(crashedAt, Math.min(blindUntil, now));
    return now - since <= (machineCrashed ? UNNOTICED_MS.machine : UNNOTICED_MS.container);
  }
}
