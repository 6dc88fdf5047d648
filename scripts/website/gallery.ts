import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App } from 'cdk8s';
import { tabs, Translator } from './page';
import { topologySvg } from './topology-svg';
import { appsOf, Example } from '../../examples/apps';
import { ExposureReport, ExposureReportDocument } from '../../src';

const EXAMPLES = join(__dirname, '..', '..', 'examples');
/** Those of docs/report.md. */
const PRICES = { currency: 'EUR', loadBalancer: 5.39, address: 0.5, addressesPerTenant: 2 };

/** The names of the examples. */
export function exampleNames(): string[] {
  return readdirSync(EXAMPLES, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(({ name }) => name).sort();
}

export interface Gallery {
  /** By their paths on the website, without an ending. */
  readonly pages: ReadonlyMap<string, string>;
  /** By their names. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** A page for each example, with its picture, its program, what it writes and what it costs; and one with all pictures. */
export async function gallery(names: readonly string[], translator: Translator): Promise<Gallery> {
  const programs = names.map(name => ({ title: `examples/${name}/main.ts`, before: '', text: readFileSync(join(EXAMPLES, name, 'main.ts'), 'utf8').trimEnd() }));
  const translated = translator(programs);
  const pages = new Map<string, string>();
  const pictures = new Map<string, string>();
  const overview: string[] = [];
  for (const [i, name] of names.entries()) {
    const { text } = programs[i];
    const { document, output } = await synthesized(name);
    const picture = `example-${name}.svg`;
    const title = firstComment(text);
    pictures.set(picture, topologySvg(document));
    const shown = `![${title}](/images/${picture})`;
    overview.push(`## [${name}](./${name}.md)`, '', title, '', shown, '', costOf(document), '');
    pages.set(`examples/${name}`, [
      `# ${name}`, '', title, '', shown, '', '## Program', '',
      tabs(programs[i], translated[i]), '', `[On GitHub](https://github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane/tree/main/examples/${name})`, '',
      '## Output', '', ...output, '', '## Cost', '', costOf(document), '',
    ].join('\n'));
  }
  pages.set('examples/index', ['# Examples', '', 'Each is a complete program, compiled and synthesized by the tests; `npm run example` writes the manifests of all.', '', ...overview].join('\n'));
  return { pages, pictures };
}

/** What an example says of itself. */
function firstComment(program: string): string {
  const lines = program.split('\n');
  const comment = lines.slice(0, lines.findIndex(line => !line.startsWith('//')));
  return comment.map(line => line.replace(/^\/\/ ?/, '')).join(' ');
}

async function synthesized(name: string): Promise<{ document: ExposureReportDocument; output: string[] }> {
  const outdir = mkdtempSync(join(tmpdir(), 'gallery-'));
  process.env.CDK8S_OUTDIR = outdir;
  try {
    const program: Example = await import(join(EXAMPLES, name, 'main'));
    const apps = appsOf(program);
    const document = reportOf(apps[apps.length - 1].app);
    return { document, output: apps.flatMap(({ folder, app }) => outputOf(folder, app)) };
  } finally {
    delete process.env.CDK8S_OUTDIR;
    rmSync(outdir, { recursive: true });
  }
}

function reportOf(app: App): ExposureReportDocument {
  return new ExposureReport(app, 'gallery', { fileName: 'gallery', folder: 'gallery', sharedAddresses: ['203.0.113.10'], prices: PRICES }).toJson();
}

/** The objects of each chart, by kind. */
function outputOf(folder: string, app: App): string[] {
  const rows = app.charts.map(chart => {
    const kinds = new Map<string, number>();
    chart.toJson().forEach(({ kind }) => kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
    return `| \`${join(folder, chart.node.id)}\` | ${[...kinds].map(([kind, count]) => count === 1 ? kind : `${count} × ${kind}`).join(', ')} |`;
  });
  return ['| chart | objects |', '| --- | --- |', ...rows];
}

function costOf({ costs, controlPlanes }: ExposureReportDocument): string {
  const here = costs?.comparisons.find(({ tenants }) => tenants === controlPlanes.length);
  return here === undefined ? 'No control plane here is behind the shared address.'
    : `${here.tenants === 1 ? 'One tenant' : `${here.tenants} tenants`}: ${here.sharedEdge.toFixed(2)} ${costs!.currency} a month for one shared address, ` +
      `${here.loadBalancers.toFixed(2)} for a LoadBalancer each; with ${PRICES.loadBalancer} for a load balancer and ${PRICES.addressesPerTenant} addresses of ${PRICES.address}. ` +
      'The [report](/report.md) computes it with your prices.';
}
