/** A text in Markdown that is shown as it is, also inside of a table: it ends neither a cell nor a row. */
export function markdownText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(/[\\`*_[\]<>|~&$#]/g, '\\$&');
}

/** A name as code, or as text when it holds what no code span in a table can hold. */
export function markdownCode(text: string): string {
  return /^[\w.:/*=-]+$/.test(text) ? `\`${text}\`` : markdownText(text);
}

/** A table; cells are Markdown already. Nothing when there are no rows. */
export function markdownTable(columns: string[], rows: string[][]): string[] {
  return rows.length === 0 ? [] : [columns, columns.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`);
}
