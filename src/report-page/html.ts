/** Text that is HTML already. Only `html` makes it, so that nothing else can be forgotten to be escaped. */
export class Html {
  /** @internal */
  public constructor(public readonly text: string) {}
}

type Part = Html | string | number | undefined | false | readonly Part[];

/**
 * HTML with what is put into it escaped, between tags and in quoted attributes alike. `undefined` and `false` are nothing, lists are their
 * members one after the other.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, i) => text + rendered(parts[i - 1]) + string));
}

function rendered(part: Part): string {
  if (part === undefined || part === false) {
    return '';
  }
  if (part instanceof Html) {
    return part.text;
  }
  return typeof part === 'object' ? part.map(rendered).join('') : escaped(String(part));
}

const ENTITIES: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Controls, characters that reorder or hide others, and halves of characters: names with them look like other names. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** One line of text that shows as it is. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(DECEPTIVE, '\uFFFD').replace(/[&<>"']/g, character => ENTITIES[character]);
}

/** A table of cells in columns; nothing when there are no rows. */
export function table(columns: readonly string[], rows: readonly (readonly Part[])[]): Html | undefined {
  return rows.length === 0 ? undefined : html`<table>
<thead><tr>${columns.map(column => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(cells => html`
<tr>${cells.map(cell => html`<td>${cell}</td>`)}</tr>`)}
</tbody></table>`;
}

/** `1 tenant`, `1,000 tenants`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number with its thousands apart. */
export function grouped(value: number, decimals = 0): string {
  const [whole, fraction] = value.toFixed(decimals).split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
}
