/** Characters that Mermaid could take for syntax. */
const SYNTAX = new RegExp([
  /[^\p{L}\p{N} .:/,()-]/u, // all but the characters of ordinary names
  /^-|(?<=^\d+)[.)](?= |$)/u, // a list or a rule of Markdown
  /(?<=[Ww]{3})\.|(?<=:)\/(?=\/)/u, // a link, which Mermaid refuses
  /:(?=fa-)/u, // an icon
].map(({ source }) => source).join('|'), 'gu');

/**
 * A text inside of a quoted Mermaid label: shown as it is, whatever it holds.
 *
 * Mermaid reads labels as Markdown with HTML and looks for directives (`%%{ … }%%`) in the whole diagram. What it could
 * take for syntax becomes an entity code, `#` and the code point and `;` (Mermaid documentation, "Flowcharts: entity
 * codes to escape characters"). Tried with Mermaid 11: hundreds of arbitrary labels show as they were given.
 */
export function mermaidText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(SYNTAX, character => `#${character.codePointAt(0)};`);
}

/** A quoted label of one or several lines. */
export function mermaidLabel(...lines: string[]): string {
  return `"${lines.map(mermaidText).join('<br/>')}"`;
}
