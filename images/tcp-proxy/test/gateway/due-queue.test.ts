import * as fc from 'fast-check';
import { DueQueue } from '../../src/gateway/due-queue';

test('gives items in the order of their times, whatever the order in which they came, and none too early', () => {
  fc.assert(fc.property(fc.array(fc.nat(100)), fc.nat(100), (times, now) => {
    const queue = new DueQueue<number>();
    for (const time of times) queue.add(time, time);
    const taken: number[] = [];
    for (let item = queue.take(now); item !== undefined; item = queue.take(now)) taken.push(item);
    expect(taken).toEqual(times.filter(time => time <= now).sort((a, b) => a - b));
    const rest: number[] = [];
    for (let item = queue.take(Infinity); item !== undefined; item = queue.take(Infinity)) rest.push(item);
    expect(rest).toEqual(times.filter(time => time > now).sort((a, b) => a - b));
  }));
});

test('takes what is added while others are taken', () => {
  const queue = new DueQueue<string>();
  queue.add('late', 30);
  queue.add('early', 10);
  expect(queue.take(20)).toBe('early');
  queue.add('between', 20);
  expect([queue.take(20), queue.take(20), queue.take(30), queue.take(30)]).toEqual(['between', undefined, 'late', undefined]);
});
