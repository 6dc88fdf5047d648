/** What is repeated for each element of a list, or each entry of a map, of the values. */
export interface Scope {
  /** The action that opens it, e.g. `range $tenant := $.Values.tenants`. */
  readonly open: string;
  /** The one that it is in. */
  readonly within?: Scope;
}

/** A text or a number that stands for a value while the constructs are synthesized, and what takes its place. */
export interface Mark {
  readonly of: string | number;
  /** In Helm's language, e.g. `$.Values.host`. */
  readonly expression: string;
  readonly scope?: Scope;
}

/** A piece of a text: as it is, or a mark. */
export type Piece = string | Mark;

/** The marks of a chart. */
export class Marks {
  private readonly byText: ReadonlyMap<string, Mark>;
  private readonly pattern: RegExp;
  private readonly used = new Set<Mark>();

  public constructor(private readonly marks: readonly Mark[]) {
    this.byText = new Map(marks.map(mark => [String(mark.of), mark]));
    if (this.byText.size < marks.length) {
      throw new Error('Two marks are the same');
    }
    const longestFirst = [...this.byText.keys()].sort((a, b) => b.length - a.length);
    // The number 41001 is not a part of 410012.
    this.pattern = new RegExp(longestFirst.map(text => /^\d+$/.test(text) ? `(?<!\\d)${text}(?!\\d)` : text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');
  }

  /** The pieces of a text. */
  public piecesOf(text: string): Piece[] {
    const pieces: Piece[] = [];
    let end = 0;
    for (const match of text.matchAll(this.pattern)) {
      const mark = this.byText.get(match[0])!;
      this.used.add(mark);
      pieces.push(...match.index > end ? [text.slice(end, match.index)] : [], mark);
      end = match.index + match[0].length;
    }
    return [...pieces, ...end < text.length ? [text.slice(end)] : []];
  }

  /** The scopes that a text belongs to, the outermost first. */
  public scopesOf(text: string): Scope[] {
    const scopes = new Set<Scope>();
    for (const piece of this.piecesOf(text)) {
      for (let scope = typeof piece === 'string' ? undefined : piece.scope; scope; scope = scope.within) {
        scopes.add(scope);
      }
    }
    return [...scopes].sort((a, b) => depth(a) - depth(b));
  }

  /** Those that nothing is made of. */
  public get unused(): Mark[] {
    return this.marks.filter(mark => !this.used.has(mark));
  }
}

function depth({ within }: Scope): number {
  return within ? depth(within) + 1 : 0;
}
