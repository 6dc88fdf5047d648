/** The most that is kept; a file may hold half a million bad lines. */
const MOST_EXAMPLES = 20;

/** What was left out of the mounted maps: how much, and the first few with the reason. */
export interface Refusals {
  readonly count: number;
  readonly examples: readonly string[];
}

export const NOTHING_REFUSED: Refusals = { count: 0, examples: [] };

export class RefusalCollector implements Refusals {
  public count = 0;
  public readonly examples: string[] = [];

  public add(text: string): void {
    this.count++;
    if (this.examples.length < MOST_EXAMPLES) this.examples.push(text);
  }

  public addAll({ count, examples }: Refusals): void {
    for (const example of examples) this.add(example);
    this.count += count - examples.length;
  }
}
