import type { Node } from './machines';
import type { Pod } from './pod';
import type { Trouble } from './simulated-api-server';
import { TENANT, World, SERVICE } from './world';

/** Something that happens in the year. */
export interface Incident {
  readonly name: string;
  /** How often it happens, among the others. */
  readonly weight: number;
  /** @returns how it ends */
  begin(world: World, forMs: number): () => void;
}

const SLICE = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints/kubernetes';
const TLS = '/api/v1/namespaces/kube-system/secrets/tcp-proxy-tls';
/** A watch of a proxy on which nothing arrives counts as dead after 30 seconds; and a little. */
const WATCH_SILENCE_MS = 35_000;
/** What a cluster needs to calm down after its API server was not to be relied on. */
const CALM_MS = 12_000;

const nothing = () => undefined;

/** An API server that is not to be relied on. */
function unreliable(name: string, weight: number, which: 'tenant' | 'management', trouble: (world: World) => Trouble, begin?: (world: World) => void): Incident {
  return {
    name,
    weight,
    begin: world => {
      const server = world[which];
      server.trouble = trouble(world);
      if (server.trouble.refuses || server.trouble.silent) server.breakWatches();
      begin?.(world);
      const blindFor = world.blind();
      return () => {
        server.trouble = {};
        blindFor(CALM_MS);
      };
    },
  };
}

/** What needs no end. */
function momentary(name: string, weight: number, happen: (world: World) => void): Incident {
  return {
    name,
    weight,
    begin: world => {
      happen(world);
      return nothing;
    },
  };
}

function statuses(codes: readonly number[], retryAfter?: number) {
  return ({ random }: World): Trouble => ({ statuses: { share: random.between(0.3, 0.95), codes, retryAfter } });
}

function drainNode(world: World, node: Node | undefined, after: () => void = nothing): void {
  const pod = node?.pod;
  if (!node || !pod || pod.gone || pod.deleting) return;
  world.machines.drain(pod, () => world.clock.schedule(world.random.between(2_000, 20_000), () => {
    world.machines.startProxy(node);
    after();
  }));
}

/** One after the other, as tools for upgrades do: the next one when the one before is ready again. */
function upgrade(world: World, nodes: readonly Node[]): void {
  const [node, ...rest] = nodes;
  if (!node) return;
  const next = () => {
    if (node.pod?.ready) upgrade(world, rest);
    else world.clock.schedule(2_000, next);
  };
  drainNode(world, node, next);
}

function crashHaproxy(world: World, pod: Pod | undefined): void {
  if (!pod?.haproxy?.running) return;
  pod.crashedAt = world.clock.now;
  pod.haproxy.crash();
}

function repeatedly(world: World, everyMs: number, act: () => void): () => void {
  let over = false;
  const again = () => {
    if (over) return;
    act();
    world.clock.schedule(everyMs, again);
  };
  again();
  return () => {
    over = true;
  };
}

export const INCIDENTS: readonly Incident[] = [
  momentary('a node is drained and comes back', 3, world => drainNode(world, world.random.pick(world.machines.nodes))),
  momentary('all nodes are upgraded', 1, world => upgrade(world, world.machines.nodes)),
  {
    name: 'a machine is lost',
    weight: 1,
    begin: (world, forMs) => {
      const node = world.random.pick(world.machines.nodes);
      const { pod } = node;
      world.machines.lose(node);
      // It may be another pod that an incident after this one has taken.
      world.clock.schedule(forMs + 60_000, () => node.pod === pod && pod?.gone && world.machines.recover(node));
      return nothing;
    },
  },
  momentary('a container dies', 2, world => world.random.pick(world.machines.all).crash()),
  {
    name: 'HAProxy dies',
    weight: 2,
    begin: world => {
      crashHaproxy(world, world.random.pick([...world.machines.proxies, ...world.machines.gateways]));
      return nothing;
    },
  },
  {
    name: 'the gateways are rolled out',
    weight: 2,
    begin: world => {
      const { machines } = world;
      const roll = (i: number) => {
        if (i === machines.gateways.length) return;
        const pod = machines.gateways[i];
        if (pod.deleting || pod.gone) return;
        machines.drain(pod, () => {
          machines.startGateway(i);
          const next = () => machines.gateways[i].ready ? roll(i + 1) : world.clock.schedule(1_000, next);
          next();
        });
      };
      if (machines.reachableGateways.length === machines.gateways.length) roll(0);
      return nothing;
    },
  },
  {
    name: 'sync moves to another machine',
    weight: 1,
    begin: world => {
      const i = world.random.int(0, 1);
      const pod = world.machines.syncs[i];
      if (!pod.deleting && !pod.gone) world.machines.drain(pod, () => world.machines.startSync(i));
      return nothing;
    },
  },
  unreliable('the API server of the tenant is down', 2, 'tenant', () => ({ refuses: true })),
  unreliable('the API server of the tenant does not answer', 1, 'tenant', () => ({ silent: true })),
  unreliable('the API server of the tenant asks to come later', 2, 'tenant', statuses([429], 5)),
  unreliable('the API server of the tenant fails', 1, 'tenant', statuses([500, 503, 504])),
  unreliable('the API server of the tenant has forgotten', 2, 'tenant', statuses([410]), ({ tenant }) => {
    tenant.store.compact();
    tenant.breakWatches();
  }),
  unreliable('the management API server is down', 2, 'management', () => ({ refuses: true })),
  unreliable('the management API server asks to come later', 1, 'management', statuses([429, 503], 5)),
  {
    name: 'watches break again and again',
    weight: 2,
    begin: world => repeatedly(world, 1_500, () => {
      world.blind(CALM_MS);
      world.tenant.breakWatches();
      world.management.breakWatches();
      if (world.random.chance(0.3)) world.tenant.store.compact();
    }),
  },
  {
    name: 'watches are dead without a word',
    weight: 1,
    begin: world => {
      const blindFor = world.blind();
      world.tenant.deadWatches = true;
      return () => {
        world.tenant.deadWatches = false;
        world.tenant.forgetWatches();
        blindFor(WATCH_SILENCE_MS);
      };
    },
  },
  {
    name: 'events come twice and out of order',
    weight: 2,
    begin: world => {
      for (const server of [world.tenant, world.management]) server.trouble = { repeats: 0.5, swaps: 0.3 };
      drainNode(world, world.random.pick(world.machines.nodes));
      return () => {
        for (const server of [world.tenant, world.management]) server.trouble = {};
      };
    },
  },
  {
    name: 'somebody else writes the endpoints',
    weight: 2,
    begin: world => {
      const { tenant, random } = world;
      const blindFor = world.blind();
      world.sabotaged = true;
      const stop = repeatedly(world, random.between(200, 3_000), () => {
        const slice = tenant.object(SLICE);
        tenant.byOthers(() => {
          if (slice && random.chance(0.3)) tenant.remove(SLICE);
          else if (slice) tenant.put(SLICE, { ...slice, endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }] });
          if (tenant.object(ENDPOINTS) && random.chance(0.3)) tenant.remove(ENDPOINTS);
        });
      });
      return () => {
        stop();
        // What it took away last is written again after 2 seconds; later, where that was not seen.
        const healed = () => {
          if (world.clock.now < world.blindUntil) world.clock.schedule(1_000, healed);
          else world.sabotaged = false;
        };
        blindFor(CALM_MS);
        world.clock.schedule(CALM_MS, healed);
      };
    },
  },
  {
    name: 'DNS does not answer',
    weight: 2,
    begin: world => {
      world.dns = world.random.pick(['fails', 'silent'] as const);
      return () => {
        world.dns = 'answers';
      };
    },
  },
  {
    name: 'the control plane gets another address',
    weight: 1,
    begin: world => {
      world.tenantAddress = `10.1.0.${world.random.int(2, 250)}`;
      world.names.set(SERVICE, world.tenantAddress);
      world.movedAt = world.clock.now;
      world.tenant.breakWatches();
      return nothing;
    },
  },
  {
    name: 'a clock jumps',
    weight: 2,
    begin: world => {
      const pod = world.random.pick(world.machines.all);
      pod.clockError = world.random.pick([-86_400_000, -3_600_000, -30_000, 30_000, 3_600_000, 86_400_000]);
      return () => {
        pod.clockError = 0;
      };
    },
  },
  {
    name: 'a disk is full',
    weight: 2,
    begin: world => {
      const pod = world.random.pick(world.machines.all);
      pod.files.full = true;
      return () => {
        pod.files.full = false;
      };
    },
  },
  momentary('tokens are rotated', 2, world => world.machines.rotateTokens()),
  {
    name: 'somebody deletes the certificate',
    weight: 1,
    begin: ({ tenant }) => {
      tenant.byOthers(() => {
        if (tenant.object(TLS)) tenant.remove(TLS);
      });
      return nothing;
    },
  },
  {
    name: 'routes come, go, and are none',
    weight: 2,
    begin: world => {
      const { random } = world;
      const garbage = ['', 'a', '\u0000 \u0000', `x.k8s.example.com ${'y'.repeat(70_000)}:1`, 'evil.example.com evil;shutdown:99999', '..'];
      world.routes(random.int(0, 300), garbage.slice(0, random.int(0, garbage.length)));
      return nothing;
    },
  },
  {
    name: 'a bundle changes',
    weight: 1,
    begin: world => {
      world.bundle(TENANT, world.random.int(2, 1_000));
      return nothing;
    },
  },
];
