import { sideBySide } from '../side-by-side';

/** Work that ends when it is told to, and what of it is going on. */
function controlled() {
  const running = new Map<number, () => void>();
  let most = 0;
  const work = async (item: number) => {
    await new Promise<void>(resolve => {
      running.set(item, resolve);
      most = Math.max(most, running.size);
    });
    return item * 10;
  };
  /** Ends one, and lets the next begin. */
  const end = async (item: number) => {
    running.get(item)!();
    running.delete(item);
    await new Promise(setImmediate);
  };
  return { work, end, going: () => [...running.keys()], most: () => most };
}

describe('work on many things', () => {
  test('goes on at no more than so many at once, and gives results in order', async () => {
    const { work, end, going, most } = controlled();
    const all = sideBySide([1, 2, 3, 4, 5], 2, work);
    expect(going()).toEqual([1, 2]);
    await end(2);
    expect(going()).toEqual([1, 3]);
    for (const item of [3, 1, 4, 5]) await end(item);
    await expect(all).resolves.toEqual([10, 20, 30, 40, 50]);
    expect(most()).toBe(2);
  });

  test.each([[[], 8], [[1], 8], [[1, 2], 1]])('is done for %j, %s at once', async (items: number[], atOnce) => {
    await expect(sideBySide(items, atOnce, async item => item + 1)).resolves.toEqual(items.map(item => item + 1));
  });

  test('fails with the first that fails', async () => {
    await expect(sideBySide([1, 2, 3], 2, async item => {
      if (item === 2) throw new Error('no');
      return item;
    })).rejects.toThrow('no');
  });
});
