import { IConstruct } from 'constructs';
import { compareCosts } from './costs';
import { dnsRecords, wildcards } from './dns-records';
import { BY_HOST, BY_PORT, OWN_ADDRESS } from './found-by';
import { reportedKubernetesService } from './kubernetes-service';
import { portsToOpen } from './ports';
import { reportedPrerequisites } from './prerequisites';
import { ExposurePrices } from './prices';
import { ExposureReportDocument, ReportedControlPlane, ReportedEntry } from './report-document';
import { reportedFactsOf } from '../control-plane/reported-facts';
import { sizeOf } from '../manifests/size';
import { systemName, systemOf } from '../manifests/systems';
import { edgeOf } from '../model/edge-facts';
import { Endpoint } from '../model/endpoint';
import { requireKnownEntry, serverNameOf } from '../model/entry';
import { entryFactsOf } from '../model/entry-facts';
import { API_ROUTE, Exposure } from '../model/exposure';
import { isRoutedByPort } from '../model/routed-by-port';
import { tcpProxyOf } from '../model/tcp-proxy-facts';
import { nodeWay } from '../model/tenant-paths';

/** What a report is made of beside the control planes. */
export interface ReportOptions {
  readonly title: string;
  readonly sharedAddresses: string[];
  /** By the names of entries. */
  readonly entryAddresses: { readonly [entry: string]: string[] };
  readonly prices?: ExposurePrices;
}

/** The report on every control plane below a construct. */
export function reportDocument(scope: IConstruct, { title, sharedAddresses, entryAddresses, prices }: ReportOptions): ExposureReportDocument {
  const exposures = exposuresBelow(scope);
  const controlPlanes = exposures.map(reported);
  const dnsNames = [...new Set(controlPlanes.flatMap(controlPlane => controlPlane.dnsNames))];
  return {
    formatVersion: 1,
    title,
    sharedAddresses,
    controlPlanes,
    dnsRecords: [
      ...dnsRecords(dnsNames, sharedAddresses),
      ...controlPlanes.flatMap(({ entries = [] }) => entries.flatMap(entry => dnsRecords(entry.dnsNames, entryAddresses[entry.name] ?? []))),
    ],
    wildcardDnsRecords: dnsRecords(wildcards(dnsNames), sharedAddresses),
    ports: portsToOpen(controlPlanes),
    ...reportedPrerequisites(scope, exposures),
    costs: prices && compareCosts(prices, sharedAddresses.length, controlPlanes.length),
  };
}

/** @throws when addresses are given for an entry that no control plane below the construct has */
export function requireKnownEntries(scope: IConstruct, entryAddresses: ReportOptions['entryAddresses']): void {
  const known = new Set(exposuresBelow(scope).flatMap(({ entries }) => entries));
  Object.keys(entryAddresses).forEach(entry => requireKnownEntry('entryAddresses', entry, known));
}

/** What runs it, in which version and how often: as its custom resource says, where its kind is known, else as its construct does. */
function runningAs(exposure: Exposure): Pick<ReportedControlPlane, 'platform' | 'kubernetesVersion' | 'replicas' | 'controller'> {
  const { platform, kubernetesVersion, resource } = reportedFactsOf(exposure);
  const controller = edgeOf(exposure)?.controller;
  if (!resource || systemOf(resource) === undefined) {
    return { platform, kubernetesVersion, controller };
  }
  const { apiVersion, kind } = resource;
  const { readyReplicas, ...size } = sizeOf({ apiVersion, kind, object: resource.toJson() });
  return { platform: systemName(resource), ...size, controller };
}

/** What there is not, though nobody has said that it is meant. */
const NONE = 'none';

/** Facts about one control plane. */
export function reported(exposure: Exposure): ReportedControlPlane {
  const { name, namespace, kubeconfigServer, clusterId } = exposure;
  const tcpProxy = tcpProxyOf(exposure);
  return {
    name,
    namespace,
    ...runningAs(exposure),
    kubeconfigServer,
    clusterId,
    routes: exposure.routes.map(route => ({
      name: route.name,
      hostname: route.hostname,
      ...route.entry !== undefined && { entry: route.entry },
      foundBy: route.ownAddress ? OWN_ADDRESS : isRoutedByPort(route) ? BY_PORT : BY_HOST,
      port: route.port,
      serviceName: route.serviceName,
      serviceNamespace: route.serviceNamespace,
      servicePort: route.servicePort,
      podPort: route.podPort ?? route.servicePort,
    })),
    certSans: [...exposure.certSans],
    dnsNames: exposure.dnsNames,
    ...exposure.entries.length > 0 && { entries: exposure.entries.map(entry => reportedEntry(exposure, entry)) },
    serviceCidrs: [...exposure.serviceCidrs],
    podCidrs: [...exposure.podCidrs],
    nodes: nodeWay(exposure) ?? NONE,
    konnectivityAgentArgs: exposure.konnectivityAgentArgs,
    kubernetesService: reportedKubernetesService(exposure),
    tcpProxy: tcpProxy && { ...tcpProxy, advertiseAddresses: [...tcpProxy.advertiseAddresses] },
  };
}

function reportedEntry(exposure: Exposure, name: string): ReportedEntry {
  const api = exposure.routes.find(route => route.entry === name && serverNameOf(route) === API_ROUTE);
  return {
    name,
    dnsNames: exposure.dnsNamesOf(name),
    kubeconfigServer: api && new Endpoint(api.hostname, api.port).url,
    ...entryFactsOf(exposure, name),
  };
}

/**
 * The exposures of the constructs below a construct, each once: of control planes, whatever class they are of, and of
 * tcp-proxies that lead to control planes of elsewhere. Sorted, as the order of construction must not show.
 */
function exposuresBelow(scope: IConstruct): Exposure[] {
  const found = new Set<Exposure>();
  for (const construct of scope.node.findAll()) {
    const { exposure } = construct as { exposure?: unknown };
    if (exposure instanceof Exposure) {
      found.add(exposure);
    }
  }
  const keys = new Map([...found].map(exposure => [exposure, `${exposure.namespace}/${exposure.name} ${exposure.kubeconfigServer}`]));
  return [...found].sort((a, b) => keys.get(a)! < keys.get(b)! ? -1 : 1);
}
