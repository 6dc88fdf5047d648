interface Timed<Item> {
  readonly item: Item;
  readonly due: number;
}

/** Items by the time when they are due: a binary heap, so that thousands that wait cost nothing. */
export class DueQueue<Item> {
  private readonly heap: Timed<Item>[] = [];

  public add(item: Item, due: number): void {
    const { heap } = this;
    let at = heap.push({ item, due }) - 1;
    while (at > 0) {
      const parent = Math.floor((at - 1) / 2);
      if (heap[parent].due <= heap[at].due) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  /** Removes the item that is due first, if its time has come. */
  public take(now: number): Item | undefined {
    const { heap } = this;
    if (heap.length === 0 || heap[0].due > now) return undefined;
    this.swap(0, heap.length - 1);
    const { item } = heap.pop()!;
    this.sink();
    return item;
  }

  private sink(): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      const children = [2 * at + 1, 2 * at + 2].filter(child => child < heap.length);
      const first = children.length === 2 && heap[children[1]].due < heap[children[0]].due ? children[1] : children[0];
      if (first === undefined || heap[at].due <= heap[first].due) return;
      this.swap(at, first);
      at = first;
    }
  }

  private swap(a: number, b: number): void {
    const { heap } = this;
    [heap[a], heap[b]] = [heap[b], heap[a]];
  }
}
