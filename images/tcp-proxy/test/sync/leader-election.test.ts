import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { Harness, NAMESPACE, until } from './harness';
import { mountedCredentials } from '../../src/kubernetes/credentials';
import { KubernetesApi } from '../../src/kubernetes/kubernetes-api';
import { LeaderElection, Term } from '../../src/sync/leader-election';

const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/tenant-sync`;
const DURATIONS = { leaseDurationMs: 1_000, renewDeadlineMs: 600, retryPeriodMs: 50 };

let harness: Harness;
let candidates: Candidate[] = [];

class Candidate {
  readonly terms: Term[] = [];
  readonly shutdown = new AbortController();
  readonly election: LeaderElection;
  private readonly requests = new AbortController();
  private readonly ended: Promise<void>;

  constructor(readonly identity: string) {
    const credentials = mountedCredentials(harness);
    const api = new KubernetesApi({ apiServer: harness.management.url, credentials, requestTimeoutMs: 300 }, this.requests.signal);
    this.election = new LeaderElection({ api, namespace: NAMESPACE, name: 'tenant-sync', identity, ...DURATIONS, logger: pino({ level: 'silent' }) });
    this.ended = this.election.run(this.shutdown.signal, async (term) => {
      this.terms.push(term);
      await new Promise<void>((resolve) => {
        for (const signal of [term.signal, this.shutdown.signal]) signal.addEventListener('abort', () => resolve());
      });
    });
    candidates.push(this);
  }

  get leads(): boolean {
    return this.terms.at(-1)?.holds() === true && !this.shutdown.signal.aborted;
  }

  /** As a process that dies: no further request. */
  die(): void {
    this.requests.abort();
  }

  async stop(): Promise<void> {
    this.shutdown.abort();
    await this.ended;
  }
}

const lease = () => harness.management.object(LEASE)?.spec;

beforeEach(async () => {
  harness = await Harness.create();
  harness.grant();
  candidates = [];
});

afterEach(async () => {
  await Promise.all(candidates.map(async (candidate) => candidate.stop()));
  await harness.close();
});

test('one of several leads, and renews', async () => {
  const all = ['a', 'b', 'c'].map((identity) => new Candidate(identity));
  await until('one leads', () => all.some(({ leads }) => leads));
  const { renewTime, holderIdentity } = lease();
  await until('it renews', () => lease().renewTime > renewTime);
  expect(lease()).toMatchObject({ holderIdentity, leaseTransitions: 0, leaseDurationSeconds: 1 });
  expect(lease().renewTime).toMatch(/\.\d{6}Z$/);
  expect(all.filter(({ leads }) => leads).map(({ identity }) => identity)).toEqual([holderIdentity]);
});

test('the lease of a leader that stops is free at once', async () => {
  const first = new Candidate('a');
  await until('the first leads', () => first.leads);
  await first.stop();
  expect(lease().holderIdentity).toBe('');
  const second = new Candidate('b');
  await until('the second leads', () => second.leads);
  expect(lease()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
});

test('a leader that cannot renew ends its term by itself, before another begins', async () => {
  const first = new Candidate('a');
  await until('the first leads', () => first.leads);
  const second = new Candidate('b');
  first.die();
  await until('the second leads', () => {
    expect(first.leads && second.leads).toBe(false);
    return second.leads;
  });
  expect(first.terms[0].signal.aborted).toBe(true);
});

test('a leader whose API server fails for a moment goes on', async () => {
  const leader = new Candidate('a');
  await until('it leads', () => leader.leads);
  harness.management.fail(({ resource }) => resource === 'leases', 500, 'InternalError', 3);
  const { renewTime } = lease();
  await until('it renews again', () => lease().renewTime > renewTime);
  expect(leader.terms).toHaveLength(1);
  expect(leader.leads).toBe(true);
});

test('a leader whose lease somebody else has taken stops at once', async () => {
  const leader = new Candidate('a');
  await until('it leads', () => leader.leads);
  harness.management.put(LEASE, { spec: { holderIdentity: 'thief', leaseDurationSeconds: 60 } });
  await until('it stops', () => !leader.leads);
  expect(lease().holderIdentity).toBe('thief');
});

test('a term is over when its time is, even before a timer could say so', async () => {
  const term = new Term();
  term.extend(performance.now() + 1);
  const end = performance.now() + 20;
  // The timers cannot run: as in a process that was stopped and goes on.
  while (performance.now() < end);
  expect(term.signal.aborted).toBe(false);
  expect(term.holds()).toBe(false);
  await delay(0);
  term.end();
});

test('whether a lease has expired is judged by the own clock: its times are not read', async () => {
  harness.management.put(LEASE, { spec: { holderIdentity: 'x', leaseDurationSeconds: 1, renewTime: '2001-01-01T00:00:00.000000Z' } });
  const candidate = new Candidate('a');
  await until('it has looked', () => harness.management.audit.filter(({ verb, resource }) => verb === 'get' && resource === 'leases').length > 1);
  expect(candidate.leads).toBe(false);
  await until('it leads', () => candidate.leads);
});
