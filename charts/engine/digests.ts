import { createHash } from 'crypto';
import { textExpression } from './expression';
import type { Mark, Marks } from './marks';

/** Digests of texts in objects: those of a chart must be of the texts with its values. */
export class Digests {
  /** What stands for digests, and makes them. */
  public readonly marks: Mark[] = [];
  private readonly markOf = new Map<string, Mark>();
  private readonly markOfSource = new Map<string, Mark>();

  /** @param plain the marks of the texts */
  public constructor(private readonly chart: string, private readonly plain: Marks) {}

  /** @param further texts that are not in the objects as they are */
  public learn(objects: readonly object[], further: readonly string[]): void {
    for (const object of objects) {
      for (const [key, text] of Object.entries((object as { data?: { [key: string]: string } }).data ?? {})) {
        this.know(text, key, () => ({ expression: `include "${this.chart}.${key}" $ | sha256sum` }));
      }
    }
    for (const text of further) {
      this.know(text, text, () => ({ expression: `${textExpression(this.plain, text)} | sha256sum`, scope: this.plain.scopesOf(text).at(-1) }));
    }
  }

  /** The object with marks for digests. */
  public mark(object: object): object {
    return JSON.parse(JSON.stringify(object), (_, value) => typeof value !== 'string' ? value
      : value.replace(/\b[0-9a-f]{64}\b/g, digest => String(this.markOf.get(digest)?.of ?? digest)));
  }

  private know(text: string, source: string, make: () => Omit<Mark, 'of'>): void {
    let mark = this.markOfSource.get(source);
    if (!mark) {
      mark = { of: `marked-digest-${this.marks.length}-end`, ...make() };
      this.marks.push(mark);
      this.markOfSource.set(source, mark);
    }
    this.markOf.set(createHash('sha256').update(text).digest('hex'), mark);
  }
}
