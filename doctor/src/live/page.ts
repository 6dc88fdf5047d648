import { statSync, writeFileSync } from 'fs';
import { dirname } from 'path';
import { HopResult, isHealthy } from './hop';
import { Examinee } from './read-target';
import { Examination, summaryOf } from './report';
import { readReportFile } from './report-file';
import { tenantName } from './tenants';
import { ConfigurationError } from '../../../cli/configuration';
import { printable } from '../../../cli/printable';
import { ControlPlane, Server, serversOf } from '../../../src/manifests/control-plane';
import { sizeOf } from '../../../src/manifests/size';
import { LiveCertificate, LiveFacts, LiveTenant } from '../../../src/report-page/live-facts';
import { reportPage } from '../../../src/report-page/page';
import { PageControlPlane, PageDocument, PageRoute } from '../../../src/report-page/page-document';
import { LiveOptions } from '../options';

/** Which server shows its certificate at which hop. */
const SERVERS: { readonly [hop in HopResult['hop']]?: string } = { 'chain': 'API server', 'konnectivity-certificate': 'konnectivity server' };

/** Writes a page of what was seen. */
export type PageWriter = (examinations: Examination[], left: ControlPlane[]) => void;

/**
 * What writes the page that the flags ask for. What stands in its way is said before anything is looked at.
 *
 * @throws ConfigurationError
 */
export function pageWriter({ page, report }: Pick<LiveOptions, 'page' | 'report'>, now: () => Date = () => new Date()): PageWriter | undefined {
  if (page === undefined) return undefined;
  const refused = (reason: string) => new ConfigurationError(`--page ${JSON.stringify(page)}: ${reason}`);
  if (!statSync(dirname(page), { throwIfNoEntry: false })?.isDirectory()) throw refused('its folder does not exist');
  const known = report === undefined ? undefined : readReportFile(report);
  return (examinations, left) => {
    try {
      writeFileSync(page, reportPage(documentOf(examinations, left, known), liveFactsOf(examinations, now())));
    } catch (error) {
      throw refused(`cannot be written: ${(error as Error).message}`);
    }
  };
}

/** What the report says, and control planes that it does not have, as far as their objects tell. */
function documentOf(examinations: Examination[], left: ControlPlane[], report: PageDocument | undefined): PageDocument {
  const known = new Set(report?.controlPlanes.map(({ namespace, name }) => `${namespace}/${name}`));
  const further = [
    ...examinations.flatMap(examinee => examinee.controlPlane ? [ofObjects(examinee.controlPlane, examinee.target)] : []),
    ...left.map(controlPlane => ofObjects(controlPlane)),
  ].filter(({ namespace, name }) => !known.has(`${namespace}/${name}`));
  const base = report ?? { title: 'Hosted control planes', sharedAddresses: [], controlPlanes: [] };
  return { ...base, controlPlanes: [...base.controlPlanes, ...further] };
}

function ofObjects(controlPlane: ControlPlane, target?: Examinee['target']): PageControlPlane {
  const { source, system, sans } = controlPlane;
  const { kubernetesVersion, replicas } = sizeOf(source);
  return {
    name: source.name,
    namespace: source.namespace,
    platform: system,
    kubernetesVersion,
    replicas,
    routes: target ? routesOf(controlPlane, target) : [],
    certSans: sans?.value,
  };
}

function routesOf(controlPlane: ControlPlane, { host, port, byPort, konnectivity }: Examinee['target']): PageRoute[] {
  const [api, tunnel] = controlPlane.service === undefined ? [] : serversOf(controlPlane);
  const backend = (server?: Server) => server && {
    serviceNamespace: server.namespace, serviceName: server.services[0], servicePort: server.port,
  };
  return [
    { name: 'kube-apiserver', hostname: host, foundBy: byPort ? 'port' : 'sni', port, ...backend(api) },
    ...konnectivity ? [{ name: 'konnectivity-server', hostname: konnectivity.host, foundBy: 'sni', port: konnectivity.port, ...backend(tunnel) }] : [],
  ];
}

function liveFactsOf(examinations: Examination[], now: Date): LiveFacts {
  return { at: now.toISOString().replace(/\.\d+Z$/, 'Z'), tenants: examinations.flatMap(tenantOf) };
}

function tenantOf({ controlPlane, results }: Examination): LiveTenant[] {
  if (!controlPlane) return [];
  const { source: { namespace, name } } = controlPlane;
  return [{
    namespace,
    name,
    healthy: isHealthy(results),
    summary: summaryOf(results),
    faults: results.flatMap(({ hop, status, detail, remedy }) =>
      remedy === undefined ? [] : [{ hop, status, detail: printable(detail), remedy: printable(remedy) }]),
    certificates: results.flatMap(({ hop, certificate }): LiveCertificate[] => {
      const of = SERVERS[hop];
      return certificate && of !== undefined ? [{ of, ...certificate }] : [];
    }),
    readyReplicas: sizeOf(controlPlane.source).readyReplicas,
  }];
}

/** For whom a page cannot be: a path that nobody's objects told of. */
export function refuseNameless(examinees: Examinee[]): void {
  if (examinees.some(({ controlPlane }) => controlPlane === undefined)) {
    throw new ConfigurationError('--page is of tenants: give --manifests or --kubeconfig, which say whose path it is');
  }
  const names = examinees.map(({ controlPlane }) => tenantName(controlPlane!));
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new ConfigurationError(`--page: there are two control planes ${JSON.stringify(twice)}; give the objects of one management cluster`);
}
