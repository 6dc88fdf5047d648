import { Assignment, Choice, conditionOf } from './choice';
import { scalarTemplate, textExpression, textTemplate } from './expression';
import type { Marks, Scope } from './marks';
import { Merged, NO_END, Part } from './merge';

/** Lines of a template. Whatever acts starts with `{{-`, and takes the end of the line before with it. */
type Lines = string[];

/** What is known where a part of the template stands. */
interface Place {
  readonly among: readonly Assignment[];
  readonly open: readonly Scope[];
  readonly indent: number;
}

/** Writes merged objects as templates of a chart. */
export class TemplateWriter {
  private readonly named: string[] = [];
  private readonly nameOfText = new Map<Merged, string>();

  public constructor(private readonly chart: string, private readonly choices: readonly Choice[], private readonly marks: Marks) {}

  /** The templates that the others include. */
  public get namedTemplates(): string {
    return `${this.named.join('\n\n')}\n`;
  }

  /** Writes a text down once, under a name, for what includes it. */
  public nameText(text: Merged, name: string, among: readonly Assignment[]): string {
    const known = this.nameOfText.get(text);
    if (known !== undefined) {
      return known;
    }
    const title = `${this.chart}.${name}`;
    this.nameOfText.set(text, title);
    const { lines, ended } = endsOf(text);
    const body = isTable(name) ? this.sortedLines(lines, among) : this.textLines(lines, { among, open: [], indent: 0 });
    const whole = `include "${title}.lines" $ | trimPrefix "\\n"`;
    this.named.push([
      `{{- define "${title}.lines" }}`, ...body, '{{- end }}', '',
      `{{- define "${title}" }}{{ with ${whole} }}{{ ${ended ? 'printf "%s\\n" .' : '.'} }}{{ end }}{{ end }}`,
    ].join('\n'));
    return title;
  }

  /** An object as a file of a chart. */
  public object(object: Part<Merged>, identity: string, among: readonly Assignment[]): string {
    const scopes = this.marks.scopesOf(identity);
    const lines = this.part(object, scopes, { among, open: [], indent: 0 }, place => ['---', ...this.node(object.content, place)]);
    return `${protectBlankLines(lines).join('\n').replace(/^---\n/, '')}\n`;
  }

  private node(node: Merged, place: Place): Lines {
    const pad = ' '.repeat(place.indent);
    if (node.kind === 'map') {
      return node.entries.flatMap(entry => this.part(entry, this.marks.scopesOf(entry.key), place, inner =>
        this.field(`${pad}${scalarTemplate(this.marks, entry.key)}:`, entry.key, entry.content, inner)));
    }
    if (node.kind === 'list') {
      return node.items.flatMap(item => this.part(item, this.scopesWithin(item.content), place, inner => {
        const [first = '', ...rest] = this.node(item.content, { ...inner, indent: place.indent + 2 });
        return first.startsWith('{{-') ? [`${pad}-`, first, ...rest] : [`${pad}- ${first.trimStart()}`, ...rest];
      }));
    }
    if (node.kind === 'text') {
      throw new Error('A text of many lines is an item of a list, for which there is no template');
    }
    return [`${pad}${this.scalar(node.alternatives, place)}`];
  }

  private field(head: string, key: string, content: Merged, place: Place): Lines {
    const inner = { ...place, indent: place.indent + 2 };
    if (content.kind === 'scalar') {
      return [`${head} ${this.scalar(content.alternatives, place)}`];
    }
    if (content.kind === 'text') {
      return this.text(head, key, content, inner);
    }
    const lines = this.node(content, inner);
    return lines.length > 0 ? [head, ...lines] : [`${head} ${content.kind === 'list' ? '[]' : '{}'}`];
  }

  private scalar(alternatives: Part<string | number | boolean | null>[], place: Place): string {
    const [last, ...others] = [...alternatives].reverse();
    const text = others.reverse().map(({ content, present }, i) =>
      `{{ ${i === 0 ? 'if' : 'else if'} ${this.condition(present, place)} }}${scalarTemplate(this.marks, content)}`).join('');
    const otherwise = scalarTemplate(this.marks, last.content);
    return text === '' ? otherwise : `${text}{{ else }}${otherwise}{{ end }}`;
  }

  private text(head: string, key: string, text: Merged, place: Place): Lines {
    const { lines, ended } = endsOf(text);
    const start = `${head} ${ended ? '|' : '|-'}`;
    return place.open.length > 0
      ? [start, ...this.textLines(lines, place)]
      : [start, `{{ include "${this.nameText(text, key, place.among)}" $ | indent ${place.indent} }}`];
  }

  private textLines(lines: Part<string>[], place: Place): Lines {
    const pad = ' '.repeat(place.indent);
    return protectBlankLines(this.groups(lines, place).flatMap(group => this.part(group, this.marks.scopesOf(group.content), place, () =>
      group.content.split('\n').map(line => line === '' ? '' : `${pad}${textTemplate(this.marks, line)}`))));
  }

  /** Lines that are there together, in one part; what is repeated stays by itself. */
  private groups(lines: Part<string>[], { open }: Place): Part<string>[] {
    const isRepeated = ({ content }: Part<string>) => this.marks.scopesOf(content).some(scope => !open.includes(scope));
    return lines.reduce<Part<string>[]>((all, line) => {
      const last = all.at(-1);
      const together = last && !isRepeated(last) && !isRepeated(line) &&
        last.present.size === line.present.size && [...line.present].every(assignment => last.present.has(assignment));
      return together ? [...all.slice(0, -1), { content: `${last.content}\n${line.content}`, present: line.present }] : [...all, line];
    }, []);
  }

  /** The lines of a map of HAProxy, in their order. */
  private sortedLines(lines: Part<string>[], among: readonly Assignment[]): Lines {
    const place = { among, open: [], indent: 0 };
    const collected = lines.flatMap(line => this.part(line, this.marks.scopesOf(line.content), place, () => [
      `{{- $lines = append $lines (${textExpression(this.marks, line.content)}) }}`,
    ]));
    return ['{{- $lines := list }}', ...collected, '{{- range sortAlpha $lines }}', '{{ . }}', '{{- end }}'];
  }

  /** A part that is there under a condition, or for each element of the values. */
  private part(part: Part<unknown>, scopes: readonly Scope[], place: Place, content: (inner: Place) => Lines): Lines {
    const opened = scopes.filter(scope => !place.open.includes(scope));
    const among = place.among.filter(assignment => part.present.has(assignment));
    const within = { ...place, open: [...place.open, ...opened] };
    const condition = this.condition(part.present, within);
    const inner = content({ ...within, among });
    const conditional = condition === undefined ? inner : [`{{- if ${condition} }}`, ...inner, '{{- end }}'];
    return [...opened.map(({ open }) => `{{- ${open} }}`), ...conditional, ...opened.map(() => '{{- end }}')];
  }

  /** @throws where it is about an element of the values, and the part is not in its scope */
  private condition(present: ReadonlySet<Assignment>, { among, open }: Place): string | undefined {
    const condition = conditionOf(this.choices, among, present);
    const unknown = condition?.match(/\$[a-z]\w*/g)?.find(variable => !open.some(scope => declares(scope, variable)));
    if (unknown !== undefined) {
      throw new Error(`${this.chart}: something that is there once depends on ${unknown}`);
    }
    return condition;
  }

  /** The scopes of what is in an item and in none of the lists, texts and keys in it, which open them themselves. */
  private scopesWithin(node: Merged): Scope[] {
    if (node.kind === 'scalar') {
      return [...new Set(node.alternatives.flatMap(({ content }) => this.marks.scopesOf(String(content))))];
    }
    return node.kind === 'map'
      ? [...new Set(node.entries.filter(({ key }) => this.marks.scopesOf(key).length === 0).flatMap(({ content }) => this.scopesWithin(content)))]
      : [];
  }
}

/** Whether the elements of the scope are called so. */
function declares({ open }: Scope, variable: string): boolean {
  return open.includes(`${variable} :=`);
}

/** Maps of HAProxy, which a gateway reads in any order; the constructs write them sorted. */
function isTable(name: string): boolean {
  return name.endsWith('.map');
}

/** The lines of a text, and whether the last one has an end. */
function endsOf(text: Merged): { readonly lines: Part<string>[]; readonly ended: boolean } {
  if (text.kind !== 'text') {
    throw new Error('is not a text');
  }
  const last = text.lines.filter(({ content }) => content.endsWith(NO_END));
  const open = last.length > 0;
  if (open && new Set(last.flatMap(({ present }) => [...present])).size < new Set(text.lines.flatMap(({ present }) => [...present])).size) {
    throw new Error('A text has an end in some variants only');
  }
  return { ended: !open, lines: open ? text.lines.map(line => ({ ...line, content: line.content.replace(NO_END, '') })) : text.lines };
}

/** An action takes the white space before it with it, which is a blank line too many. */
function protectBlankLines(lines: Lines): Lines {
  return lines.map((line, i) => line === '' && (lines[i + 1] ?? '').startsWith('{{-') ? '{{ "" }}' : line);
}
