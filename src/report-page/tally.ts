/** How often each value is there, the most frequent first. */
export function tally<T>(items: readonly T[], valueOf: (item: T) => string): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const item of items) {
    const value = valueOf(item);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));
}

/** The first of them, and the others as one. */
export function most(counts: readonly [string, number][], limit: number, others: (values: number) => string): [string, number][] {
  return counts.length <= limit ? [...counts]
    : [...counts.slice(0, limit - 1), [others(counts.length - limit + 1), counts.slice(limit - 1).reduce((sum, [, count]) => sum + count, 0)]];
}
