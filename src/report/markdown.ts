import { wildcards } from './dns-records';
import { markdownCode, markdownTable, markdownText } from './markdown-text';
import { prerequisitesSection } from './prerequisites-markdown';
import { ExposureReportDocument, ReportedControlPlane, ReportedCosts, ReportedDnsRecord, ReportedEntry, ReportedKubernetesService } from './report-document';
import { placementText, platformTopology, tenantTopology } from './topology';
import { tally } from '../report-page/tally';
import { FOUND_BY } from '../report-page/tenants';


const NOT_KNOWN = 'not known';

/** So many control planes are named where others are counted. */
const NAMED_CONTROL_PLANES = 3;

/**
 * The report as Markdown, with diagrams in Mermaid.
 *
 * @param limit above so many control planes the topology groups them, and there is none for each tenant
 */
export function reportMarkdown(document: ExposureReportDocument, limit: number): string {
  const { controlPlanes, sharedAddresses, costs } = document;
  return join([
    `# ${markdownText(document.title)}`,
    [`${counted(controlPlanes.length, 'control plane')} behind ${sharedAddresses.length > 0 ? sharedAddresses.map(markdownCode).join(', ') : 'one shared address'}.`],
    '## Topology',
    platformTopology(controlPlanes, sharedAddresses, limit),
    '## Control planes',
    inNumbers(controlPlanes),
    overview(controlPlanes),
    '## DNS records to create',
    ...dnsSection(document),
    '## Ports to open',
    portTable(document),
    controlPlanes.some(({ konnectivityAgentArgs }) => konnectivityAgentArgs.length > 0)
      ? ['With konnectivity nothing connects from the management cluster to workers: their agents connect to the shared address.']
      : [],
    '## Must exist before',
    ...prerequisitesSection(document),
    ...costs ? ['## Costs of a month', ...costSection(costs)] : [],
    '## Tenants',
    ...controlPlanes.flatMap(controlPlane => tenantSection(controlPlane, controlPlanes.length <= limit ? sharedAddresses : undefined)),
  ]);
}

/** The part on one tenant as a document of its own. */
export function tenantMarkdown(controlPlane: ReportedControlPlane, sharedAddresses: string[]): string {
  return join(tenantSection(controlPlane, sharedAddresses).map((block, i) => i === 0 ? `# ${markdownText(fullName(controlPlane))}` : block));
}

/** How many of what; nothing about what is not known of any. */
function inNumbers(controlPlanes: ReportedControlPlane[]): string[] {
  return ([
    ['Platforms', ({ platform }) => platform],
    ['Kubernetes', ({ kubernetesVersion }) => kubernetesVersion],
    ['API servers of a tenant', ({ replicas }) => replicas],
    ['ingress controllers', ({ controller }) => controller],
  ] as [string, (controlPlane: ReportedControlPlane) => string | number | undefined][]).flatMap(([title, valueOf]) => {
    const counts = tally(controlPlanes, controlPlane => String(valueOf(controlPlane) ?? NOT_KNOWN));
    return counts.every(([value]) => value === NOT_KNOWN) ? [] : [`- ${title}: ${counts.map(([value, count]) => `${markdownText(value)} (${count})`).join(', ')}`];
  });
}

function overview(controlPlanes: ReportedControlPlane[]): string[] {
  return markdownTable(['control plane', 'API server', 'cluster ID', 'tcp-proxy', 'way of pods', 'TLS opened', 'who can be the API server'], controlPlanes.map(controlPlane => [
    markdownCode(fullName(controlPlane)),
    markdownCode(controlPlane.kubeconfigServer),
    markdownCode(controlPlane.clusterId ?? ''),
    controlPlane.tcpProxy ? `${controlPlane.tcpProxy.upstream}, ${placementText(controlPlane.tcpProxy)}` : 'none of this app',
    controlPlane.kubernetesService.way,
    yesNo(controlPlane.kubernetesService.opensTls),
    controlPlane.kubernetesService.apiServerKeys,
  ]));
}

function dnsSection({ controlPlanes, sharedAddresses, dnsRecords, wildcardDnsRecords }: ExposureReportDocument): string[][] {
  const row = ({ name, type, value }: ReportedDnsRecord) => [markdownCode(name), type, markdownCode(value)];
  const columns = ['name', 'type', 'value'];
  const known = new Set(dnsRecords.map(({ name }) => name));
  const withoutAddress = controlPlanes.flatMap(({ entries = [] }) => entries)
    .flatMap(({ name: entry, dnsNames }) => dnsNames.filter(name => !known.has(name)).map(name => [markdownCode(name), markdownCode(entry)]));
  const ofEntries = withoutAddress.length === 0 ? [] : [['Each of these names must resolve to the address of its entry.'], markdownTable(['name', 'entry'], withoutAddress)];
  if (sharedAddresses.length === 0) {
    const names = [...new Set(controlPlanes.flatMap(({ dnsNames }) => dnsNames))];
    return [
      ['Each of these names must resolve to the shared address.'],
      markdownTable(['name'], names.map(name => [markdownCode(name)])),
      ...wildcardHint(wildcards(names).map(name => [markdownCode(name)]), ['name']),
      ...dnsRecords.length === 0 ? [] : [['The names of other entries:'], markdownTable(columns, dnsRecords.map(row))],
      ...ofEntries,
    ];
  }
  return [markdownTable(columns, dnsRecords.map(row)), ...wildcardHint(wildcardDnsRecords.map(row), columns), ...ofEntries];
}

function wildcardHint(rows: string[][], columns: string[]): string[][] {
  return rows.length === 0 ? [] : [['Or wildcards, which serve tenants to come as well:'], markdownTable(columns, rows)];
}

function portTable({ ports, controlPlanes }: ExposureReportDocument): string[] {
  return markdownTable(['from', 'to', 'TCP port', 'for', 'control planes'], ports.map(({ from, to, port, purposes, controlPlanes: users }) => [
    markdownText(from),
    markdownText(to),
    String(port),
    markdownText(purposes.join('; ')),
    users.length === controlPlanes.length ? 'all' : users.length <= NAMED_CONTROL_PLANES ? users.map(markdownCode).join(', ') : `${users.length} of ${controlPlanes.length}`,
  ]));
}

function costSection({ currency, loadBalancerPerTenant, sharedEdge, breakEvenTenants, comparisons }: ReportedCosts): string[][] {
  const amount = (value: number) => `${value.toFixed(2)} ${markdownText(currency)}`;
  return [
    markdownTable(['tenants', 'a LoadBalancer for each', 'shared edge', 'saved in a month', 'saved in a year'], comparisons.map(row => [
      String(row.tenants), amount(row.loadBalancers), amount(row.sharedEdge), amount(row.savings), amount(12 * row.savings),
    ])),
    [`A tenant with a LoadBalancer of its own costs ${amount(loadBalancerPerTenant)}, the shared edge ${amount(sharedEdge)} for all.` +
      (breakEvenTenants === undefined ? '' : ` The shared edge costs less from ${counted(breakEvenTenants, 'tenant')} on.`)],
  ];
}

/** @param sharedAddresses for the topology; undefined for none */
function tenantSection(controlPlane: ReportedControlPlane, sharedAddresses: string[] | undefined): (string | string[])[] {
  const { routes, certSans, konnectivityAgentArgs, tcpProxy } = controlPlane;
  return [
    `### ${markdownText(fullName(controlPlane))}`,
    sharedAddresses ? tenantTopology(controlPlane, sharedAddresses) : [],
    markdownTable(['route', 'host', 'found by', 'port', 'Service', 'Service port', 'pod port'], routes.map(route => [
      markdownCode(route.name), markdownCode(route.hostname), FOUND_BY[route.foundBy], String(route.port),
      markdownCode(`${route.serviceNamespace}/${route.serviceName}`), String(route.servicePort), String(route.podPort),
    ])),
    ...entryTable(controlPlane.entries ?? []),
    markdownTable(['certificate SANs'], certSans.map(san => [markdownCode(san)])),
    markdownTable(['setting', 'value'], [
      ['kubeconfig server', markdownCode(controlPlane.kubeconfigServer)],
      ...optionalRow('platform', controlPlane.platform),
      ...optionalRow('Kubernetes', controlPlane.kubernetesVersion),
      ...optionalRow('API servers', controlPlane.replicas),
      ...optionalRow('ingress controller', controlPlane.controller),
      ...controlPlane.clusterId === undefined ? [] : [['cluster ID', markdownCode(controlPlane.clusterId)]],
      ['way to the nodes', wayText(controlPlane.nodes)],
      ...konnectivityAgentArgs.length === 0 ? [] : [['konnectivity agent', konnectivityAgentArgs.map(markdownCode).join(' ')]],
      ...kubernetesServiceRows(controlPlane.kubernetesService),
      ['Service networks', controlPlane.serviceCidrs.map(markdownCode).join(', ')],
      ['pod networks', controlPlane.podCidrs.map(markdownCode).join(', ')],
      ...tcpProxy ? [
        ['tcp-proxy', `${markdownCode(`${tcpProxy.namespace}/${tcpProxy.name}`)} on ${placementText(tcpProxy)}, ports ${tcpProxy.listenPort} and ${tcpProxy.healthPort}`],
        ['tcp-proxy upstream', `${tcpProxy.upstream}: ${markdownCode(`${tcpProxy.upstreamHost}`)} port ${tcpProxy.upstreamPort}`],
        ...tcpProxy.certificate === undefined ? [] : [['tcp-proxy certificate', tcpProxy.certificate === 'none' ? wayText('none') : markdownCode(tcpProxy.certificate)]],
        ...tcpProxy.advertiseAddresses.length === 0 ? [] : [['advertise address', tcpProxy.advertiseAddresses.map(markdownCode).join(', ')]],
      ] : [],
    ]),
  ];
}

function optionalRow(name: string, value: string | number | undefined): string[][] {
  return value === undefined ? [] : [[name, markdownText(String(value))]];
}

/** The entries beside the main one. */
function entryTable(entries: ReportedEntry[]): string[][] {
  return entries.length === 0 ? [] : [markdownTable(['entry', 'hosts', 'kubeconfig server', 'controller', 'sources', 'certificate'], entries.map(entry => [
    markdownCode(entry.name),
    entry.dnsNames.map(markdownCode).join(', '),
    markdownCode(entry.kubeconfigServer ?? ''),
    markdownText(entry.controller ?? 'not known'),
    entry.controller === undefined ? 'not known' : entry.allowedCidrs?.map(markdownCode).join(', ') ?? 'everyone',
    entry.certificate === undefined ? 'of the tenant\'s CA' : markdownText(entry.certificate),
  ]))];
}

/** What is missing stands out. */
function wayText(way: string): string {
  return way === 'none' ? '**none**' : markdownText(way);
}

/** What the tenant's pods have, and what else there is. */
function kubernetesServiceRows(service: ReportedKubernetesService): string[][] {
  const { description, endpoints, opensTls, apiServerKeys, clientCertificates, way, recommended, alternatives } = service;
  return [
    ['pods reach the API server by', [wayText(description), ...endpoints.map(markdownCode)].join(' ')],
    ['TLS opened on the way', yesNo(opensTls)],
    ...clientCertificates === undefined ? [] : [['client certificates of pods', clientCertificates ? 'arrive' : 'are lost; tokens work']],
    ['who can be the API server', apiServerKeys],
    ...recommended === way ? [] : [['recommended way', recommended]],
    ...alternatives.map(other => [`${other.way} would need`, markdownText(other.needs)]),
  ];
}

function yesNo(yes: boolean | undefined): string {
  return yes === undefined ? NOT_KNOWN : yes ? 'yes' : 'no';
}

function fullName({ namespace, name }: ReportedControlPlane): string {
  return `${namespace}/${name}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Blocks are apart by an empty line. */
function join(blocks: (string | string[])[]): string {
  return `${blocks.map(block => [block].flat().join('\n')).filter(block => block !== '').join('\n\n')}\n`;
}
