import { spawn } from 'child_process';
import { once } from 'events';
import { writeFileSync } from 'fs';
import { join } from 'path';
import { createInterface } from 'readline';

/*
 * Records the demonstration: runs it once and writes docs/images/demo.svg, in which each line comes when it came, but no pause is longer
 * than a second. HAProxy must be there (scripts/haproxy.sh).
 */
const ROOT = join(__dirname, '..');
export const RECORDING = join(ROOT, 'docs', 'images', 'demo.svg');

const LONGEST_PAUSE_S = 1;
const CHARACTER_PX = 8.1;
const LINE_PX = 18;
const MARGIN_PX = 16;
const MOST_COLUMNS = 150;
/** By the codes of demo/screen.ts, light enough for a dark ground. */
const FILLS: { [code: string]: string } = { 0: '#d4d4d4', 1: '#ffffff', 31: '#f48771', 32: '#89d185', 33: '#e5c07b', 34: '#75beff', 90: '#8a8a8a' };

/** A line of the output, with what colours it, and the seconds after which it came. */
export interface Line {
  readonly text: string;
  readonly seconds: number;
}

/** Draws lines of a terminal as an SVG that shows them one after the other, or all where motion is not wanted. */
export function terminalPicture(lines: readonly Line[]): string {
  let shownAt = 0;
  let before = 0;
  const rows = lines.map(({ text, seconds }, i) => {
    shownAt += Math.min(seconds - before, LONGEST_PAUSE_S);
    before = seconds;
    return `<text y="${MARGIN_PX + (i + 1) * LINE_PX}" style="animation-delay:${shownAt.toFixed(2)}s">${spans(text)}</text>`;
  });
  const width = Math.ceil(2 * MARGIN_PX + CHARACTER_PX * Math.max(...lines.map(({ text }) => columns(text))));
  const height = 2 * MARGIN_PX + (lines.length + 1) * LINE_PX;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The demonstration in a terminal">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: ${FILLS[0]}; animation: come 10ms backwards }
@keyframes come { from { opacity: 0 } }
@media (prefers-reduced-motion) { text { animation: none } }
</style>
<rect width="100%" height="100%" rx="8" fill="#1e1e1e"/>
<g transform="translate(${MARGIN_PX} 0)">
${rows.join('\n')}
</g>
</svg>
`;
}

function spans(text: string): string {
  let fill = FILLS[0];
  return text.split(/\u001b\[(\d+)m/).map((part, i) => {
    if (i % 2 === 1) {
      fill = FILLS[part] ?? FILLS[0];
      return '';
    }
    return part === '' ? '' : `<tspan fill="${fill}" xml:space="preserve">${part.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</tspan>`;
  }).join('');
}

function columns(text: string): number {
  return text.replace(/\u001b\[\d+m/g, '').length;
}

/** Lines that are too long for a terminal go on below. */
function wrapped(line: Line): Line[] {
  if (columns(line.text) <= MOST_COLUMNS) return [line];
  const cut = line.text.lastIndexOf(' ', MOST_COLUMNS);
  return [{ ...line, text: line.text.slice(0, cut) }, ...wrapped({ ...line, text: `          ${line.text.slice(cut + 1)}` })];
}

async function record(): Promise<Line[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts', '--once'], {
    cwd: ROOT, env: { ...process.env, FORCE_COLOR: '1', TSX_TSCONFIG_PATH: 'examples/tsconfig.json' }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Line[] = [{ text: '\u001b[90m$\u001b[0m npm run demo', seconds: 0 }];
  let began = 0;
  createInterface({ input: child.stdout }).on('line', text => {
    began ||= performance.now();
    // Where the demonstration makes its files is nobody's business.
    lines.push({ text: text.replace(/\S*\/demo-[^/\s]+\/i-[^/\s]+\//g, ''), seconds: (performance.now() - began) / 1000 });
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the demonstration ended with code ${code}`);
  return lines.flatMap(wrapped);
}

if (require.main === module) {
  void record().then(lines => writeFileSync(RECORDING, terminalPicture(lines)));
}
