import { setTimeout as delay } from 'node:timers/promises';
import { until } from './harness';
import { Places } from '../../src/sync/places';
import { WorkQueue } from '../../src/sync/work-queue';

/** A queue whose work the test ends itself. */
class Work {
  readonly begun: string[] = [];
  readonly failures: string[] = [];
  readonly queue: WorkQueue;
  private readonly open: { key: string; end: (result: number | undefined | Error) => void }[] = [];

  constructor(concurrency: number) {
    this.queue = new WorkQueue({
      concurrency,
      backoffMs: [5, 20],
      work: async (key) => new Promise((resolve, reject) => {
        this.begun.push(key);
        this.open.push({ key, end: (result) => result instanceof Error ? reject(result) : resolve(result) });
      }),
      onFailure: (key) => this.failures.push(key),
    });
  }

  get running(): string[] {
    return this.open.map(({ key }) => key);
  }

  async end(key: string, result?: number | Error): Promise<void> {
    const [{ end }] = this.open.splice(this.open.findIndex((one) => one.key === key), 1);
    end(result);
    await delay(0);
  }
}

test('a key that is added many times is worked on once', async () => {
  const work = new Work(1);
  for (const key of ['a', 'b', 'b', 'b']) work.queue.add(key);
  expect(work.queue.depth).toBe(1);
  await work.end('a');
  await work.end('b');
  expect(work.begun).toEqual(['a', 'b']);
});

test('a key that is added while it is worked on is worked on once more, never twice at once', async () => {
  const work = new Work(4);
  work.queue.add('a');
  work.queue.add('a');
  work.queue.add('a');
  expect(work.running).toEqual(['a']);
  await work.end('a', new Error('x'));
  expect(work.begun).toEqual(['a', 'a']);
  await work.end('a');
  expect(work.begun).toEqual(['a', 'a']);
});

test('no more keys than allowed are worked on at once', async () => {
  const work = new Work(2);
  for (const key of ['a', 'b', 'c']) work.queue.add(key);
  expect(work.running).toEqual(['a', 'b']);
  await work.end('a');
  expect(work.running).toEqual(['b', 'c']);
});

test('a key comes back after the time that its work asks for, and after a failure', async () => {
  const work = new Work(1);
  work.queue.add('a');
  await work.end('a', 1);
  await until('it is worked on again', () => work.begun.length === 2);
  await work.end('a', new Error('x'));
  expect(work.queue.isFailing('a')).toBe(true);
  await until('it is tried again', () => work.begun.length === 3);
  await work.end('a');
  expect(work.queue.isFailing('a')).toBe(false);
  expect(work.failures).toEqual(['a']);
});

test('a key that fails does not delay another', async () => {
  const work = new Work(1);
  work.queue.add('a');
  work.queue.add('b');
  await work.end('a', new Error('x'));
  expect(work.running).toEqual(['b']);
});

test('after the stop nothing begins, and the stop waits for what has begun', async () => {
  const work = new Work(1);
  work.queue.add('a');
  work.queue.add('b');
  let stopped = false;
  const stop = work.queue.stop().then(() => {
    stopped = true;
  });
  work.queue.add('c');
  await delay(0);
  expect(stopped).toBe(false);
  await work.end('a', new Error('x'));
  await stop;
  expect(work.begun).toEqual(['a']);
});

test('a place that is left goes to the next in line, and whoever returns waits again', async () => {
  const places = new Places(1);
  const first = await places.take();
  const order: string[] = [];
  const second = places.take().then((place) => {
    order.push('second');
    return place;
  });
  first.leave();
  first.leave();
  const back = first.return().then(() => order.push('first'));
  (await second).leave();
  await back;
  first.leave();
  expect(order).toEqual(['second', 'first']);
  await places.take();
});
