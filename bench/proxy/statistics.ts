/** The median of the rounds, and how far they lie apart. */
export interface Figure {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Sums up the values of the rounds. */
export function figure(values: number[]): Figure {
  return { median: round(quantile(values, 0.5)), min: round(Math.min(...values)), max: round(Math.max(...values)) };
}

/** The value below which a part of all values lies; interpolated between neighbours. */
export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  return below + (above - below) * (position - Math.floor(position));
}

/** Three digits after the point say more than any of these measurements. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
