import { recordType } from './dns-records';
import { ExposureReportDocument, ReportedControlPlane } from './report-document';

/** The report as a text for a terminal: of each control plane its routes, the names in its certificate and the DNS records to create. */
export function reportSummary({ controlPlanes, sharedAddresses }: ExposureReportDocument): string {
  const shared = sharedAddresses.length > 0 ? [[...new Set(sharedAddresses.map(recordType))].join(', '), sharedAddresses.join(', ')] : [ADDRESS_RECORDS, 'the shared address'];
  return controlPlanes.map(controlPlane => summaryOf(controlPlane, shared)).join('\n');
}

/** Which of them, the address decides. */
const ADDRESS_RECORDS = 'A, AAAA';

/** @param shared types and values of the records that lead to the shared address */
function summaryOf(controlPlane: ReportedControlPlane, shared: string[]): string {
  const { namespace, name, platform, controller, kubeconfigServer, routes, certSans, dnsNames, entries = [] } = controlPlane;
  const made = [...platform === undefined ? [] : [platform], ...controller === undefined ? [] : [`behind ${controller}`]].join(' ');
  return [
    `${namespace}/${name}: ${made === '' ? '' : `${made}, `}${kubeconfigServer}`,
    '  routes',
    ...columns(routes.map(route => [route.name, `${route.hostname}:${route.port}`, `-> ${route.serviceNamespace}/${route.serviceName}:${route.servicePort}`])),
    '  certificate SANs',
    ...columns(certSans.map(san => [san])),
    '  DNS records to create',
    ...columns([
      ...dnsNames.map(dnsName => [dnsName, ...shared]),
      ...entries.flatMap(entry => entry.dnsNames.map(dnsName => [dnsName, ADDRESS_RECORDS, `the address of the entry ${entry.name}`])),
    ]),
    '',
  ].join('\n');
}

function columns(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column].length)));
  return rows.map(row => `    ${row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd()}`);
}
