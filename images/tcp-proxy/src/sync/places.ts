/** A place that is taken, until it is left. */
export interface Place {
  leave(): void;
  /** Waits for a place again. */
  return(): Promise<void>;
}

/** A limited number of places; who finds none waits in line. */
export class Places {
  private readonly line: (() => void)[] = [];

  constructor(private free: number) {}

  async take(): Promise<Place> {
    let taken = false;
    const place: Place = {
      leave: () => {
        if (taken) this.pass();
        taken = false;
      },
      return: async () => {
        if (!taken) await this.wait();
        taken = true;
      },
    };
    await place.return();
    return place;
  }

  private async wait(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.line.push(resolve));
  }

  private pass(): void {
    const next = this.line.shift();
    if (next) next();
    else this.free++;
  }
}
