import * as fc from 'fast-check';
import { DEFAULT_TIMING, Facts, plan } from '../../../src/sync/certificates/plan';
import { Settling, UsablePair } from '../../../src/sync/certificates/renewal';
import { Certificate, trustedAuthorities, TrustInput, TrustRecord } from '../../../src/sync/certificates/trusted-authorities';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (ms: number) => new Date(ms);
const authority = (id: string, notAfter = at(3650 * DAY)): Certificate => ({ id, fingerprint: `certificate of ${id}`, notAfter });
const [OLD, NEW] = [authority('old'), authority('new')];

describe('the authorities that proxies trust', () => {
  const trust = (input: Partial<TrustInput<Certificate>>) =>
    trustedAuthorities({ current: [NEW], trusted: [], record: new Map(), needed: new Set(), now: at(0), overlapMs: DAY, ...input });
  const recorded = (...entries: [Certificate, Date?][]): Pick<TrustInput<Certificate>, 'trusted' | 'record'> => ({
    trusted: entries.map(([certificate]) => certificate),
    record: new Map(entries.map(([{ fingerprint }, since]) => [fingerprint, since])),
  });

  test('are those of the Secret', () => {
    expect(trust({ current: [NEW, OLD] })).toEqual({
      certificates: [NEW, OLD], record: new Map([[NEW.fingerprint, undefined], [OLD.fingerprint, undefined]]),
    });
  });

  test('include one that left the Secret while something relies on it, however long that takes', () => {
    const { certificates, record, again } = trust({ ...recorded([OLD]), needed: new Set(['old']), now: at(1000 * DAY) });
    expect(certificates).toEqual([NEW, OLD]);
    expect(record.get(OLD.fingerprint)).toBeUndefined();
    expect(again).toEqual(OLD.notAfter);
  });

  test('include it for the overlap after nothing relies on it any more', () => {
    const first = trust(recorded([OLD]));
    expect(first).toEqual({ certificates: [NEW, OLD], record: new Map([[NEW.fingerprint, undefined], [OLD.fingerprint, at(0)]]), again: at(DAY) });
    expect(trust({ ...recorded([OLD, at(0)]), now: at(DAY - 1) })).toEqual(first);
    expect(trust({ ...recorded([OLD, at(0)]), now: at(DAY) })).toEqual({ certificates: [NEW], record: new Map([[NEW.fingerprint, undefined]]) });
  });

  test('begin the overlap again when something relied on it in between', () => {
    expect(trust({ ...recorded([OLD, at(0)]), needed: new Set(['old']), now: at(HOUR) }).record.get(OLD.fingerprint)).toBeUndefined();
  });

  test('lose one that expires', () => {
    const expiring = authority('old', at(HOUR));
    expect(trust({ ...recorded([expiring]), needed: new Set(['old']) })).toMatchObject({ certificates: [NEW, expiring], again: at(HOUR) });
    expect(trust({ ...recorded([expiring]), needed: new Set(['old']), now: at(HOUR) }).certificates).toEqual([NEW]);
  });

  test('never include what someone else put there', () => {
    expect(trust({ trusted: [authority('intruder')] }).certificates).toEqual([NEW]);
  });
});

/** The authorities that something holds over time: the last entry that is not later counts. */
type History<Value> = [since: number, value: Value][];
const valueAt = <Value>(history: History<Value>, time: number): Value => history.filter(([since]) => since <= time).slice(-1)[0][1];
/** What someone may see at a time who learns of a change after `lag` at the latest. */
const seenAt = <Value>(history: History<Value>, time: number, lag: number): Value[] =>
  [valueAt(history, time - lag), ...history.filter(([since]) => since > time - lag && since <= time).map(([, value]) => value)];

/** The kubelets show a changed ConfigMap or Secret within about a minute. */
const KUBELET = 90 * SECOND;

/** Between these times nothing changes in what anyone sees. */
function turningPoints(histories: History<unknown>[]): number[] {
  const times = histories.flatMap(history => history.map(([since]) => since)).filter(since => since >= 0);
  return [...new Set(times.flatMap(since => [since, since + KUBELET - SECOND, since + KUBELET]))].sort((a, b) => a - b);
}

interface Rotation {
  /** The Secret of the tenant CA; its first authority is the one that signs. */
  readonly secret: History<Certificate[]>;
  /** `kube-root-ca.crt`. */
  readonly pods: History<string[]>;
  /** The certificate of the API server. */
  readonly apiServer: History<string>;
  /** When sync looks without being asked to. */
  readonly looks: number[];
  readonly end: number;
}

/** Runs sync through a rotation, and says what pods and proxies met. */
function simulate({ secret, pods, apiServer, looks, end }: Rotation) {
  const servedHistory: History<UsablePair> = [[-DAY, { authority: 'old', notBefore: at(-DAY), notAfter: at(89 * DAY) }]];
  const bundles: History<Certificate[]> = [[-DAY, [OLD]]];
  let record: TrustRecord = new Map([[OLD.fingerprint, undefined]]);
  let settling: Settling | undefined;
  const due = new Set(looks);
  const times: number[] = [];
  while (due.size > 0) {
    const time = Math.min(...due);
    due.delete(time);
    times.push(time);
    const current = valueAt(secret, time);
    const facts: Facts<Certificate> = {
      served: valueAt(servedHistory, time),
      replacement: { authority: current[0].id, notAfter: current[0].notAfter, renewable: true },
      current,
      trusted: valueAt(bundles, time),
      record,
      settling,
      podAuthorities: new Set(valueAt(pods, time)),
    };
    const { decision, trust } = plan(facts, at(time), DEFAULT_TIMING);
    ({ record } = trust);
    if (trust.certificates.length !== facts.trusted.length || trust.certificates.some((certificate, i) => certificate !== facts.trusted[i])) {
      bundles.push([time, trust.certificates]);
    }
    settling = decision.action === 'wait' ? decision.settling : undefined;
    if (decision.action === 'replace') servedHistory.push([time, { authority: current[0].id, notBefore: at(time), notAfter: at(time + 90 * DAY) }]);
    for (const again of [trust.again, decision.action === 'replace' ? undefined : decision.again]) {
      if (again && again.getTime() <= end) due.add(again.getTime());
    }
  }
  const faults: string[] = [];
  for (const time of turningPoints([secret, pods, apiServer, servedHistory, bundles]).filter(point => point <= end)) {
    for (const { authority: issuer } of seenAt(servedHistory, time, KUBELET)) {
      for (const trusted of seenAt(pods, time, KUBELET)) {
        if (!trusted.includes(issuer!)) faults.push(`${time / SECOND} s: a pod refuses the proxy`);
      }
    }
    for (const bundle of seenAt(bundles, time, KUBELET)) {
      if (!bundle.some(({ id }) => id === valueAt(apiServer, time))) faults.push(`${time / SECOND} s: a proxy refuses the API server`);
    }
  }
  const ids = valueAt(bundles, end).map(({ id }) => id);
  return { faults, served: valueAt(servedHistory, end).authority, trusted: ids, writes: servedHistory.length - 1, looks: times.length };
}

const RESYNC = 10 * MINUTE;
const seconds = (min: number, max: number) => fc.integer({ min: min / SECOND, max: max / SECOND }).map(value => value * SECOND);

/** A rotation that gives each party the time to learn of the new authority before it needs it. */
const rotations: fc.Arbitrary<Rotation> = fc.record({
  published: seconds(0, 2 * HOUR),
  overlapped: fc.boolean(),
  podsLater: seconds(0, HOUR),
  // sync sees the Secret at its next look, then the kubelets show the ConfigMap.
  apiServerLater: seconds(RESYNC + KUBELET, 3 * HOUR),
  // sync sees that the pods trust it, waits until it is settled, and the kubelets show the Secret.
  podsForget: seconds(RESYNC + 2 * MINUTE + KUBELET + 30 * SECOND, 5 * HOUR),
  secretForgets: seconds(0, 5 * HOUR),
  offset: seconds(0, RESYNC),
}).map(({ published, overlapped, podsLater, apiServerLater, podsForget, secretForgets, offset }) => {
  const end = 2 * DAY;
  return {
    secret: [[-DAY, [OLD]], [published, overlapped ? [NEW, OLD] : [NEW]], [published + secretForgets, [NEW]]],
    pods: [[-DAY, ['old']], [published + podsLater, ['old', 'new']], [published + podsLater + podsForget, ['new']]],
    apiServer: [[-DAY, 'old'], [published + apiServerLater, 'new']],
    looks: Array.from({ length: Math.floor(end / RESYNC) }, (_, i) => offset + i * RESYNC),
    end,
  };
});

describe('a rotation of the CA in which old and new overlap', () => {
  test('never leaves a pod or a proxy with a certificate that it does not trust, and ends with the new one alone', () => {
    fc.assert(fc.property(rotations, rotation => {
      expect(simulate(rotation)).toMatchObject({ faults: [], served: 'new', trusted: ['new'], writes: 1 });
    }));
  });

  test('is followed with few looks beside those that are due anyway', () => {
    const rotation: Rotation = {
      secret: [[-DAY, [OLD]], [0, [NEW, OLD]], [HOUR, [NEW]]],
      pods: [[-DAY, ['old']], [30 * MINUTE, ['old', 'new']], [2 * HOUR, ['new']]],
      apiServer: [[-DAY, 'old'], [HOUR, 'new']],
      looks: [0, 2 * HOUR],
      end: 2 * DAY,
    };
    const { looks, ...result } = simulate(rotation);
    expect(result).toEqual({ faults: [], served: 'new', trusted: ['new'], writes: 1 });
    // One in 30 seconds for half an hour.
    expect(looks).toBeLessThan(70);
  });
});

describe('a CA that is replaced all at once', () => {
  test('has the proxies follow as soon as the pods do', () => {
    const rotation: Rotation = {
      secret: [[-DAY, [OLD]], [0, [NEW]]],
      pods: [[-DAY, ['old']], [5 * MINUTE, ['new']]],
      apiServer: [[-DAY, 'old'], [0, 'new']],
      looks: [0],
      end: HOUR,
    };
    expect(simulate(rotation)).toMatchObject({ served: 'new', writes: 1, trusted: ['new', 'old'] });
    const refused = (kind: string) => simulate(rotation).faults.filter(fault => fault.endsWith(kind)).map(fault => parseInt(fault, 10));
    expect(Math.max(...refused('a pod refuses the proxy'))).toBeLessThanOrEqual((5 * MINUTE + KUBELET) / SECOND);
    expect(Math.min(...refused('a pod refuses the proxy'))).toBe(300);
    expect(Math.max(...refused('a proxy refuses the API server'))).toBeLessThanOrEqual(KUBELET / SECOND);
  });
});
