import { writeFileSync } from 'fs';
import { join } from 'path';
import { MeasuredCommand, Metric, METRICS } from '../src/agent/contract/metrics';

/*
 * Writes the reference of the agent's metrics from the descriptions that the agent itself makes them of.
 */
export const METRICS_PAGE = join(__dirname, '..', 'docs', 'metrics.md');

const SECTIONS: readonly { readonly title: string; readonly of: readonly MeasuredCommand[] }[] = [
  { title: 'Every command', of: ['serve', 'gateway', 'sync', 'register'] },
  { title: 'Tcp-proxy and gateway', of: ['serve', 'gateway'] },
  { title: 'Tcp-proxy: `serve`', of: ['serve'] },
  { title: 'Shared gateway: `gateway`', of: ['gateway'] },
  { title: 'Delivery and certificates: `sync`', of: ['sync'] },
  { title: 'Registration: `register`', of: ['register'] },
];

/** The whole page. */
export function metricsPage(): string {
  return `# Metrics

<!-- Written by scripts/metrics-page.ts: change src/agent/contract/metrics.ts, then \`npx tsx scripts/metrics-page.ts\`. -->

Every pod of the image answers on \`/metrics\` of its health port, 8404 unless you chose another;
[monitoring](monitoring.md) says how Prometheus comes to it. The tcp-proxy and the gateway add what [HAProxy's own exporter](https://www.haproxy.com/documentation/haproxy-configuration-tutorials/alerts-and-monitoring/prometheus/)
has, as \`haproxy_…\`. A metric is removed or renamed as every other part of the interface is: with a line in [upgrades](upgrading.md).
${SECTIONS.map(section).join('')}`;
}

function section({ title, of }: typeof SECTIONS[number]): string {
  const rows = (Object.values(METRICS) as Metric[]).filter(({ commands }) => commands.join() === of.join()).map(row);
  return `\n## ${title}\n\n| metric | type | is |\n| --- | --- | --- |\n${rows.join('')}`;
}

function row({ name, type, help, labels }: Metric): string {
  const names = Object.keys(labels);
  const values = Object.entries(labels).map(([label, known]) => `\`${label}\`: ${typeof known === 'string' ? known : known.map(value => `\`${value}\``).join(', ')}`);
  return `| \`${name}${names.length > 0 ? `{${names.join()}}` : ''}\` | ${type} | ${[help, ...values].join('<br>')} |\n`;
}

if (require.main === module) {
  writeFileSync(METRICS_PAGE, metricsPage());
}
