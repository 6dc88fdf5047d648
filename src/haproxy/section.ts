import { quote } from './word';

/** A word of a line; numbers are written as they are. */
export type Word = string | number;

/** The sections of a configuration, by keyword. */
export type SectionKeyword = 'global' | 'defaults' | 'resolvers' | 'crt-store' | 'frontend' | 'backend';

/**
 * One section of a HAProxy configuration. Every word goes through `quote`, so a value cannot end its line.
 */
export class Section {
  private readonly lines: string[] = [];

  public constructor(public readonly keyword: SectionKeyword, public readonly name?: string) {}

  /** Adds a directive. Words are quoted where needed; `undefined` words are left out. */
  public add(...words: (Word | undefined)[]): this {
    this.lines.push(words.filter(word => word !== undefined).map(word => quote(String(word))).join(' '));
    return this;
  }

  /** Adds a directive when the condition holds. */
  public addIf(condition: unknown, ...words: (Word | undefined)[]): this {
    return condition ? this.add(...words) : this;
  }

  /** Adds a comment for the reader of the rendered file. */
  public comment(text: string): this {
    this.lines.push(...text.split('\n').map(line => `# ${line}`));
    return this;
  }

  /** The text of the section. */
  public render(): string {
    const head = this.name === undefined ? this.keyword : `${this.keyword} ${quote(this.name)}`;
    return [head, ...this.lines.map(line => `  ${line}`)].join('\n');
  }
}
