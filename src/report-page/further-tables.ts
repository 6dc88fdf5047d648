import { counted, Html, html, table } from './html';
import { PageDocument } from './page-document';

const NAMED = 3;

/** What somebody has to create and open around the manifests, folded. */
export function furtherTables({ dnsRecords = [], wildcardDnsRecords = [], ports = [], prerequisites = [], controlPlanes }: PageDocument): Html {
  const records = (list: typeof dnsRecords) => table(['name', 'type', 'value'], list.map(({ name, type, value }) => [html`<code>${name}</code>`, type, html`<code>${value}</code>`]));
  return html`<section id="around"><h2>Around it</h2>
${folded('DNS records', dnsRecords.length, records(dnsRecords))}
${folded('DNS wildcards that serve in the place of several', wildcardDnsRecords.length, records(wildcardDnsRecords))}
${folded('Ports to open', ports.length, table(['from', 'to', 'TCP port', 'for', 'tenants'], ports.map(({ from, to, port, purposes, controlPlanes: users }) =>
  [from, to, port, purposes.join('; '), users.length === controlPlanes.length ? 'all' : named(users)])))}
${folded('Must exist before', prerequisites.length, table(['kind', 'name', 'for', 'clusters'], prerequisites.map(({ kind, apiVersion, namespace, name, reason, clusters }) =>
  [kind === 'API' ? `API ${apiVersion}` : kind, namespace === undefined ? name : `${namespace}/${name}`, reason, named(clusters)])))}
</section>`;
}

function folded(title: string, count: number, content: Html | undefined): Html | undefined {
  return content && html`<details class="further"><summary><strong>${title}</strong> <span>${counted(count, 'line')}</span></summary>${content}</details>`;
}

function named(names: readonly string[]): string {
  return names.length <= NAMED ? names.join(', ') : `${names.slice(0, NAMED - 1).join(', ')} and ${names.length - NAMED + 1} more`;
}
