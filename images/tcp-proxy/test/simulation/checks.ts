import { EPOCH, PUBLIC_HOST, TENANT_STATUS, World } from './world';

/** How long what is published may differ from what it should be, with nobody's fault in the way. */
const ENDPOINTS_BOUND_MS = 10_000;
const DAY = 86_400_000;

/** Looks all the time at what must always hold. */
export class Checks {
  private differsSince?: number;

  constructor(private readonly world: World) {}

  public look(): void {
    this.endpoints();
    this.needlessWrites();
    for (const leak of this.world.leaks.found.splice(0)) this.world.violate(leak);
  }

  /** After the last incident and its repair: everything is as if none had been. */
  public end(): void {
    const { world } = this;
    const { machines, management, clock } = world;
    for (const pod of machines.all) if (!pod.ready) world.violate(`${pod.name} is not ready at the end: ${pod.process?.log.slice(-2).join('')}`);
    if (machines.proxies.length !== machines.nodes.length) world.violate('a node has no proxy at the end');
    const wanted = machines.nodes.map(({ address }) => address).join();
    if (this.world.clients.addresses().join() !== wanted) world.violate(`${this.world.clients.addresses()} are published at the end, not ${wanted}`);
    for (const pod of machines.gateways) {
      const why = world.whyNotRouted(pod);
      if (why !== undefined) world.violate(`${pod.name} ${why} at the end`);
      const hosts = management.object('/api/v1/namespaces/edge/configmaps/routes-00')!.data['hosts.map'].split('\n').filter((line: string) => /^[a-z0-9-]+(\.[a-z0-9-]+)* [a-z0-9.-]+:6443$/.test(line));
      const routed = pod.haproxy?.map('hosts').size;
      if (routed !== hosts.length) world.violate(`${pod.name} has ${routed} routes at the end, not ${hosts.length}`);
    }
    const status = management.object(TENANT_STATUS)?.data;
    if (status?.phase !== 'Synced') world.violate(`sync says at the end: ${status?.phase} ${status?.message}`);
    for (const pod of machines.proxies) {
      const left = Date.parse(pod.haproxy?.certificate?.validTo ?? '') - EPOCH - clock.now;
      if (!(left > 20 * DAY)) world.violate(`${pod.name} has a certificate for ${Math.round(left / DAY)} more days at the end`);
    }
    if (machines.gateways.every(({ haproxy }) => !haproxy?.map('hosts').has(PUBLIC_HOST))) world.violate('no gateway has the route at the end');
  }

  private endpoints(): void {
    const { world, world: { clock, machines } } = this;
    const ready = machines.nodes.filter(({ pod }) => pod?.ready && !pod.deleting && !pod.gone).map(({ address }) => address);
    const lost = machines.nodes.some(({ pod }) => pod?.machineCrashed);
    const published = world.clients.addresses();
    const excused = lost || clock.now < world.blindUntil || world.hasJustMoved || world.gateway() === undefined;
    const right = published.join() === ready.join() || ready.length === 0 || excused;
    if (right) this.differsSince = undefined;
    else this.differsSince ??= clock.now;
    if (this.differsSince === undefined || clock.now - this.differsSince < ENDPOINTS_BOUND_MS) return;
    world.violate(`${published} are published since ${ENDPOINTS_BOUND_MS / 1000} s, and ${ready} are ready`);
    this.differsSince = undefined;
  }

  private needlessWrites(): void {
    for (const cluster of [this.world.management, this.world.tenant]) {
      for (const object of cluster.needless.splice(0)) this.world.violate(`needless write of ${object}`);
    }
  }
}
