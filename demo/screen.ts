const COLOURS = { green: 32, red: 31, yellow: 33, blue: 36, grey: 90, bold: 1 };
type Colour = keyof typeof COLOURS;

const coloured = (process.stdout.isTTY || process.env.FORCE_COLOR !== undefined) && process.env.NO_COLOR === undefined;

/** Text in a colour, where the terminal has some. */
export function paint(colour: Colour, text: string): string {
  return coloured ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
}

export function heading(text: string): void {
  console.log(`\n${paint('bold', text)}`);
}

/** Whether something is as it should be. */
export function mark(right: boolean): string {
  return right ? paint('green', '✓') : paint('red', '✗');
}

/** Something that was done. */
export function told(text: string): void {
  console.log(`  ${mark(true)} ${text}`);
}

/** Lines with aligned columns; a cell may be coloured. */
export function table(rows: string[][]): void {
  const width = (cell: string) => cell.replace(/\u001b\[\d+m/g, '').length;
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => width(row[column]))));
  for (const row of rows) {
    console.log(`  ${row.map((cell, column) => cell + ' '.repeat(widths[column] - width(cell))).join('  ').trimEnd()}`);
  }
}
