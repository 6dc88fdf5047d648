import * as fc from 'fast-check';
import { desiredAddresses, ProxyPod, turn, View } from '../../src/endpoints/desired-addresses';

const pod = (name: string, address: string, more: Partial<ProxyPod> = {}): ProxyPod =>
  ({ name, hostIps: [address], alive: true, ready: true, ...more });

const view = (more: Partial<View> & { locallyReady?: boolean; withdrawn?: boolean }): View => ({
  self: { name: 'a', hostIps: ['10.0.0.1'], locallyReady: more.locallyReady ?? false, withdrawn: more.withdrawn ?? false },
  pods: [],
  published: [],
  advertiseAddresses: [],
  ...more,
});

const a = pod('a', '10.0.0.1');
const b = pod('b', '10.0.0.2');
const unready = { ready: false };

describe('the desired addresses', () => {
  test('are those of the ready pods', () => {
    expect(desiredAddresses(view({ pods: [b, a] }))).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  test('leave out an unready pod while another one is ready', () => {
    expect(desiredAddresses(view({ pods: [a, { ...b, ...unready }], published: ['10.0.0.2'] }))).toEqual(['10.0.0.1']);
  });

  test('leave out a pod that is being deleted although it is still ready', () => {
    expect(desiredAddresses(view({ pods: [a, { ...b, alive: false }], published: ['10.0.0.2'] }))).toEqual(['10.0.0.1']);
  });

  test('are the own ones when this is the first proxy to become ready, before the API server calls any pod ready', () => {
    expect(desiredAddresses(view({ pods: [{ ...a, ...unready }], locallyReady: true }))).toEqual(['10.0.0.1']);
  });

  test('are the own ones even before the own pod is visible', () => {
    expect(desiredAddresses(view({ locallyReady: true }))).toEqual(['10.0.0.1']);
  });

  test('do not include the own ones by local readiness when others are ready, because those would take them out', () => {
    expect(desiredAddresses(view({ pods: [{ ...a, ...unready }, b], locallyReady: true }))).toEqual(['10.0.0.2']);
  });

  test('are the published ones of living pods when no pod is ready', () => {
    const pods = [{ ...a, ...unready }, { ...b, ...unready }];
    expect(desiredAddresses(view({ pods, published: ['10.0.0.2'], locallyReady: true }))).toEqual(['10.0.0.2']);
  });

  test('drop a published address whose pod is gone', () => {
    expect(desiredAddresses(view({ pods: [{ ...a, ...unready }], published: ['10.0.0.9'], locallyReady: true }))).toEqual(['10.0.0.1']);
  });

  test('use the own host addresses only where no pod is known to serve, because the others do not know them yet', () => {
    const starting = { ...a, ...unready, hostIps: [] };
    expect(desiredAddresses(view({ pods: [starting], locallyReady: true }))).toEqual(['10.0.0.1']);
    expect(desiredAddresses(view({ pods: [{ ...starting, ready: true }, { ...b, ...unready }], published: ['10.0.0.2'], locallyReady: true })))
      .toEqual(['10.0.0.2']);
  });

  test('are unknown while nobody is ready and nothing is published', () => {
    expect(desiredAddresses(view({ pods: [{ ...a, ...unready }] }))).toEqual([]);
  });

  test('leave out a draining proxy', () => {
    expect(desiredAddresses(view({ pods: [a, b], withdrawn: true, locallyReady: true }))).toEqual(['10.0.0.2']);
  });

  test('are unknown when the last proxy drains, so that the endpoints stay as they are', () => {
    expect(desiredAddresses(view({ pods: [a], published: ['10.0.0.1'], withdrawn: true, locallyReady: true }))).toEqual([]);
  });

  test('hold both families of a dual-stack node', () => {
    expect(desiredAddresses(view({ pods: [{ ...a, hostIps: ['10.0.0.1', 'fd00::1'] }] }))).toEqual(['10.0.0.1', 'fd00::1']);
  });

  describe('with advertise addresses', () => {
    const advertiseAddresses = ['fd00::1', '172.20.0.1'];

    test('are these, once this proxy is locally ready', () => {
      expect(desiredAddresses(view({ advertiseAddresses }))).toEqual([]);
      expect(desiredAddresses(view({ advertiseAddresses, locallyReady: true }))).toEqual(['172.20.0.1', 'fd00::1']);
    });

    test('are these, once another proxy is ready', () => {
      expect(desiredAddresses(view({ advertiseAddresses, pods: [b] }))).toEqual(['172.20.0.1', 'fd00::1']);
    });

    test('stay when this proxy drains and others are ready', () => {
      expect(desiredAddresses(view({ advertiseAddresses, pods: [a, b], withdrawn: true }))).toEqual(['172.20.0.1', 'fd00::1']);
    });
  });
});

const pods = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    hostIps: fc.array(fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3', 'fd00::1', 'fd00::2'), { maxLength: 2 }),
    alive: fc.boolean(),
    ready: fc.boolean(),
  }),
  { selector: ({ name }) => name },
);
const published = fc.subarray(['10.0.0.1', '10.0.0.2', '10.0.0.3', 'fd00::1', '10.9.9.9']);

describe('for any pods', () => {
  test('their order does not matter', () => {
    const shuffled = pods.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(fc.property(shuffled, published, fc.boolean(), ([list, other], present, locallyReady) => {
      expect(desiredAddresses(view({ pods: other, published: [...present].reverse(), locallyReady })))
        .toEqual(desiredAddresses(view({ pods: list, published: present, locallyReady })));
    }));
  });

  test('what was written is what is desired next: a decision never starts a chain of writes', () => {
    fc.assert(fc.property(pods, published, fc.boolean(), fc.boolean(), (list, present, locallyReady, withdrawn) => {
      const first = desiredAddresses(view({ pods: list, published: present, locallyReady, withdrawn }));
      fc.pre(first.length > 0);
      expect(desiredAddresses(view({ pods: list, published: first, locallyReady, withdrawn }))).toEqual(first);
    }));
  });

  test('what one living proxy publishes is accepted by all others, whatever each knows of itself', () => {
    fc.assert(fc.property(pods, published, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (list, present, locally) => {
      const proxies = list.filter(({ alive }) => alive);
      const decisionOf = (proxy: ProxyPod, index: number, current: string[]) => desiredAddresses({
        self: { name: proxy.name, hostIps: proxy.hostIps, locallyReady: locally[index], withdrawn: false },
        pods: list,
        published: current,
        advertiseAddresses: [],
      });
      // While a pod shows no host address yet, its proxy yields to the others, and these need not keep what it published.
      fc.pre(proxies.every(({ hostIps }) => hostIps.length > 0));
      proxies.forEach((writer, index) => {
        const written = decisionOf(writer, index, present);
        if (written.length > 0) proxies.forEach((reader, other) => expect(decisionOf(reader, other, written)).toEqual(written));
      });
    }), { numRuns: 1000 });
  });

  test('a published address of a living pod is dropped only in favour of ready pods', () => {
    fc.assert(fc.property(pods, published, fc.boolean(), (list, present, locallyReady) => {
      const living = list.filter(({ alive }) => alive).flatMap(({ hostIps }) => hostIps);
      const kept = living.filter((address) => present.includes(address));
      const readyOnes = list.filter(({ alive, ready }) => alive && ready).flatMap(({ hostIps }) => hostIps);
      fc.pre(kept.length > 0 && readyOnes.length === 0);
      expect(desiredAddresses(view({ pods: list, published: present, locallyReady }))).toEqual(expect.arrayContaining(kept));
    }));
  });

  test('the turns of living proxies are all different, and begin with 0', () => {
    fc.assert(fc.property(pods, (list) => {
      const living = list.filter(({ alive }) => alive);
      expect(living.map((self) => turn(self, list)).sort()).toEqual(living.map((_, index) => index));
    }));
  });
});
