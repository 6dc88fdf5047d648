/**
 * Draws the dashboards from what a real Prometheus answered to their queries: `tsx scripts/dashboard-pictures.ts <data>`.
 *
 * `DASHBOARD_DATA=<data> npm run test:upstream -- monitoring` records the answers. The pictures show the panels at their places, with
 * their titles, units, legends and lines; the rest of Grafana is not drawn.
 */
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';

interface Line {
  readonly metric: { readonly [label: string]: string };
  readonly values: readonly (readonly [number, string])[];
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string; readonly max?: number } };
}

interface Picture {
  readonly dashboard: string;
  readonly panel: Panel;
  readonly lines: readonly { readonly legend: string; readonly lines: readonly Line[] }[];
}

interface Course {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
}

const IMAGES = join(__dirname, '..', 'docs', 'images');
const PICTURES: { readonly [file: string]: RegExp } = { 'tcp-proxy': /^tcp-proxy .*-b$/, 'gateway': /^shared gateway/, 'sync': /^sync/ };
/** Of a column and a row of Grafana's grid, in pixels. */
const [COLUMN, ROW, GAP] = [50, 30, 8];
const COLORS = ['#3274d9', '#e02f44', '#37872d', '#fa6400', '#8f3bb8', '#b877d9', '#5794f2', '#c4162a', '#e0b400'];
const [LEFT, TOP, BOTTOM] = [64, 34, 46];
const TICKS = 4;

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const text = (x: number, y: number, content: string, attributes = '') => `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>`;

/** A number as Grafana writes it. */
function formatted(value: number, unit: string): string {
  const short = (scaled: number) => String(Number(scaled.toPrecision(3)));
  const [base, names] = unit === 'bytes' ? [1024, ['B', 'KiB', 'MiB', 'GiB']] : [1000, ['', 'k', 'M', 'G']];
  if (unit === 'percentunit') return `${short(value * 100)} %`;
  if (unit === 's') return value >= 86_400 ? `${short(value / 86_400)} days` : value >= 3600 ? `${short(value / 3600)} h` : `${short(value)} s`;
  const power = value >= base ? Math.min(Math.floor(Math.log(value) / Math.log(base)), names.length - 1) : 0;
  const suffix = { Bps: 'B/s', cps: '/s', ops: '/s' }[unit] ?? '';
  return `${short(value / base ** power)} ${names[power]}${suffix}`.trim();
}

function coursesOf({ lines }: Picture): Course[] {
  return lines.flatMap(({ legend, lines: found }) => found.map(({ metric, values }) => ({
    name: legend.replace(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? ''),
    points: values.map(([time, value]) => [time, Number(value)] as const).filter(([, value]) => Number.isFinite(value)),
  })));
}

function drawn(picture: Picture, from: number, to: number): string {
  const { title, type, gridPos, fieldConfig: { defaults: { unit, max } } } = picture.panel;
  const [width, height] = [gridPos.w * COLUMN - GAP, gridPos.h * ROW - GAP];
  const frame = `<rect width="${width}" height="${height}" rx="3" fill="#fff" stroke="#d8d9da"/>${text(10, 20, title, 'font-weight="600"')}`;
  const courses = coursesOf(picture);
  const content = type === 'stat' ? single(courses, unit, width, height) : graph(courses, { unit, max, from, to, width, height });
  return `<g transform="translate(${gridPos.x * COLUMN},${gridPos.y * ROW})">${frame}${content}</g>`;
}

function single([course]: Course[], unit: string, width: number, height: number): string {
  const last = course?.points.at(-1)?.[1];
  return text(width / 2, height / 2 + 22, last === undefined ? 'no data' : formatted(last, unit), 'font-size="30" text-anchor="middle" fill="#37872d"');
}

interface Axes {
  readonly unit: string;
  readonly max?: number;
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
}

function graph(courses: readonly Course[], { unit, max, from, to, width, height }: Axes): string {
  const top = max ?? (Math.max(...courses.flatMap(({ points }) => points.map(([, value]) => value)), 0) * 1.1 || 1);
  const [w, h] = [width - LEFT - 12, height - TOP - BOTTOM];
  const x = (time: number) => Math.round((LEFT + (time - from) / (to - from) * w) * 10) / 10;
  const y = (value: number) => Math.round((TOP + h - value / top * h) * 10) / 10;
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => top * i / TICKS).map(value =>
    `<path d="M${LEFT} ${y(value)}h${w}" stroke="#e9edf2"/>${text(LEFT - 6, y(value) + 4, formatted(value, unit), 'text-anchor="end" font-size="10" fill="#666"')}`);
  const times = Array.from({ length: TICKS + 1 }, (_, i) => from + (to - from) * i / TICKS).map(time =>
    text(x(time), TOP + h + 15, `${Math.round(time - from)} s`, 'text-anchor="middle" font-size="10" fill="#666"'));
  const paths = courses.map(({ points }, i) => points.length === 0 ? '' :
    `<path d="M${points.map(([time, value]) => `${x(time)} ${y(value)}`).join('L')}" fill="none" stroke="${COLORS[i % COLORS.length]}" stroke-width="1.3"/>`);
  let at = LEFT;
  const legends = courses.map(({ name }, i) => {
    const place = at;
    at += 22 + name.length * 6.2;
    return at > width ? '' : `<rect x="${place}" y="${height - 19}" width="10" height="3" fill="${COLORS[i % COLORS.length]}"/>${text(place + 14, height - 14, name, 'font-size="11"')}`;
  });
  return [...ticks, ...times, ...paths, ...legends].join('');
}

const [file] = process.argv.slice(2);
if (!file) {
  throw new Error('usage: tsx scripts/dashboard-pictures.ts <file that DASHBOARD_DATA named>');
}
const { from, to, pictures } = JSON.parse(readFileSync(file, 'utf8')) as { from: number; to: number; pictures: Picture[] };
for (const [name, title] of Object.entries(PICTURES)) {
  const own = pictures.filter(({ dashboard }) => title.test(dashboard));
  const height = Math.max(...own.map(({ panel: { gridPos } }) => gridPos.y + gridPos.h)) * ROW;
  const width = Math.max(...own.map(({ panel: { gridPos } }) => gridPos.x + gridPos.w)) * COLUMN;
  writeFileSync(join(IMAGES, `dashboard-${name}.svg`), [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-${GAP} -${GAP} ${width + GAP} ${height + GAP}" font-family="Helvetica, Arial, sans-serif" font-size="13">`,
    `<rect x="-${GAP}" y="-${GAP}" width="${width + GAP}" height="${height + GAP}" fill="#f4f5f5"/>`,
    ...own.map(picture => drawn(picture, from, to)),
    '</svg>\n',
  ].join('\n'));
}
