import { createServer } from 'https';
import { AddressInfo } from 'net';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { mountedCredentials } from '../../src/kubernetes/credentials';
import { KubernetesApi, watchSeconds } from '../../src/kubernetes/kubernetes-api';
import { KubernetesObject } from '../../src/kubernetes/objects';
import { Reflector } from '../../src/kubernetes/reflector';
import { Harness, until } from '../endpoints/harness';

jest.setTimeout(60_000);

const SILENCE_MS = 4_000;

let harness: Harness;
let api: KubernetesApi;
let reflector: Reflector<KubernetesObject>;
let errors: number;
let log: Record<string, unknown>[];
let stopping: AbortController;

beforeEach(async () => {
  harness = new Harness();
  await harness.api.start();
  [stopping, errors, log] = [new AbortController(), 0, []];
  api = new KubernetesApi({ apiServer: harness.api.url, credentials: mountedCredentials(harness), watchSilenceMs: SILENCE_MS }, stopping.signal);
  reflector = new Reflector({
    api,
    resource: 'endpointslices',
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    selector: {},
    project: object => object,
    onChange: () => undefined,
    onError: () => errors++,
    logger: pino({}, { write: line => log.push(JSON.parse(line)) }),
  });
  void reflector.run(stopping.signal);
});

afterEach(async () => {
  stopping.abort();
  api.close();
  await harness.close();
});

const watches = () => harness.api.audit.filter(({ verb }) => verb === 'watch');

test('an API server that says nothing ends each watch in time: no warning, no error, no list again', async () => {
  await until('three watches came to their end', () => watches().length === 4);
  expect([errors, log, reflector.problem]).toEqual([0, [], undefined]);
  expect(harness.api.audit.filter(({ verb }) => verb === 'list')).toHaveLength(1);
  for (const { query } of watches()) expect(Number(query.get('timeoutSeconds')) * 1_000).toBeLessThan(SILENCE_MS);

  harness.api.store.put('endpointslices', { metadata: { name: 'late' } });
  await until('the next watch delivers', () => reflector.items().length === 1);
});

test('a watch that is neither fed nor ended is found dead, and what it missed is delivered by the next', async () => {
  await until('the watch is open', () => harness.api.openWatches('endpointslices') === 1);
  harness.api.deadWatches = true;
  harness.api.store.put('endpointslices', { metadata: { name: 'missed' } });
  await until('the death is an error', () => errors === 1);
  harness.api.deadWatches = false;
  await until('the next watch delivers', () => reflector.items().length === 1);
  expect(log).toEqual([expect.objectContaining({ reason: 'nothing from the API server for 4 s' })]);
});

test('a watch that nobody begins to answer fails as any request does, not as late as one that is silent', async () => {
  const neverAnswers = createServer({ cert: harness.certificate.cert, key: harness.certificate.key }, () => undefined);
  await new Promise<void>(resolve => neverAnswers.listen(0, '127.0.0.1', resolve));
  const { port } = neverAnswers.address() as AddressInfo;
  const other = new KubernetesApi({
    apiServer: `https://localhost:${port}`, credentials: mountedCredentials(harness), requestTimeoutMs: 300, watchSilenceMs: 3_600_000,
  }, stopping.signal);
  const watch = other.watch('/api/v1/pods', { query: {}, onOpen: () => undefined, onEvent: () => undefined });
  await expect(watch).rejects.toThrow('no answer to a watch from the API server for 0.3 s');
  await expect(other.rings('/api/v1/pods', { query: {}, signal: stopping.signal })).rejects.toThrow('no answer to a watch');
  neverAnswers.close();
  neverAnswers.closeAllConnections();
});

test('the duration of a watch is whole seconds, spread, and leaves time for its end to arrive', () => {
  expect([watchSeconds(90_000, 0), watchSeconds(90_000, 1)]).toEqual([45, 72]);
  fc.assert(fc.property(fc.integer({ min: 2_000, max: 600_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (silenceMs, random) => {
    const seconds = watchSeconds(silenceMs, random);
    expect(Number.isInteger(seconds)).toBe(true);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds * 1_000).toBeLessThan(silenceMs);
  }));
});
