import { Backoff } from '../../src/kubernetes/backoff';

describe('backoff', () => {
  test('doubles up to its ceiling and begins anew after a success', () => {
    const backoff = new Backoff(100, 1000, () => 1);
    expect([1, 2, 3, 4, 5, 6].map(() => backoff.next())).toEqual([100, 200, 400, 800, 1000, 1000]);
    backoff.reset();
    expect(backoff.next()).toBe(100);
  });

  test('is spread by jitter over half of its value', () => {
    expect(new Backoff(100, 1000, () => 0).next()).toBe(50);
  });
});
