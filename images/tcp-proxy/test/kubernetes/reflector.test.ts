import { pino } from 'pino';
import { mountedCredentials } from '../../src/kubernetes/credentials';
import { KubernetesApi } from '../../src/kubernetes/kubernetes-api';
import { KubernetesObject } from '../../src/kubernetes/objects';
import { Reflector } from '../../src/kubernetes/reflector';
import { Harness, until } from '../endpoints/harness';

let harness: Harness;
let api: KubernetesApi;
let reflector: Reflector<KubernetesObject>;
/** The version that is held of the object e, at each change. */
let versionsOfE: (string | undefined)[] = [];
const stopping = new AbortController();

beforeAll(async () => {
  harness = new Harness();
  await harness.api.start();
  api = new KubernetesApi({ apiServer: harness.api.url, credentials: mountedCredentials(harness) }, stopping.signal);
  reflector = new Reflector({
    api,
    resource: 'endpointslices',
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    selector: { labelSelector: 'kubernetes.io/service-name=kubernetes' },
    project: (object) => object,
    onChange: () => versionsOfE.push(reflector.items().find(({ metadata }) => metadata.name === 'e')?.metadata.resourceVersion),
    onError: () => undefined,
    logger: pino({ level: 'silent' }),
  });
  void reflector.run(stopping.signal);
  await until('the watch is open', () => harness.api.openWatches('endpointslices') === 1);
});

afterAll(async () => {
  stopping.abort();
  api.close();
  await harness.close();
});

const names = () => reflector.items().map(({ metadata }) => metadata.name).sort().join();
const put = (name: string) =>
  harness.api.store.put('endpointslices', { metadata: { name, labels: { 'kubernetes.io/service-name': 'kubernetes' } } });

test('the late answer to a write does not bring back what was deleted since', async () => {
  const written = put('a');
  put('b');
  harness.api.store.delete('endpointslices', 'a');
  await until('the deletion is seen', () => names() === 'b');
  reflector.observe(written);
  expect(names()).toBe('b');
});

test('the late answer to a deletion does not remove what was created since', async () => {
  const deleted = put('c');
  harness.api.store.delete('endpointslices', 'c');
  put('c');
  put('d');
  await until('the new one is seen', () => names() === 'b,c,d');
  reflector.forget(deleted);
  expect(names()).toBe('b,c,d');
});

test('the answer to a write that comes before the watch is taken in, and older events do not undo it', async () => {
  const first = put('e');
  const second = put('e');
  reflector.observe(second);
  versionsOfE = [];
  put('f');
  await until('the events are seen', () => names().includes('f'));
  expect(first.metadata.resourceVersion).not.toBe(second.metadata.resourceVersion);
  expect(new Set(versionsOfE)).toEqual(new Set([second.metadata.resourceVersion]));
});
