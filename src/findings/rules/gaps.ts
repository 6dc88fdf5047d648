import { Fault, Rule } from './rule';
import { Gap, GAPS_ANNOTATION, hasGap } from '../../manifests/gaps';
import { Platform } from '../../manifests/platform';

const FIELD = `metadata.annotations["${GAPS_ANNOTATION}"]`;

/**
 * What the library says of a tenant itself, as it sees both clusters: from manifests of one alone nobody can tell what is missing in
 * the other.
 */
function told(platform: Platform, gap: Gap, message: string, remedy: string): Fault[] {
  return platform.sources.filter(source => hasGap(source, gap)).map(source => ({ source, field: FIELD, message, remedy }));
}

export const noKubernetesService: Rule = {
  code: 'HCP609',
  severity: 'warning',
  title: 'pods of a tenant have no way to the Service kubernetes',
  check: platform => told(platform, 'kubernetes-service',
    'says that the app which made it has no tcp-proxy for the tenant, nor another way: pods dial kubernetes.default.svc by IP address, which no route by host leads anywhere',
    'Add a TcpProxyAddon to the chart of the tenant, or say with KubernetesServicePath what leads there, none() included'),
};

export const noCertificate: Rule = {
  code: 'HCP627',
  severity: 'warning',
  title: 'nothing makes the certificate of a tcp-proxy',
  check: platform => told(platform, 'certificate',
    'says that the app which made it makes no certificate for the tcp-proxy, whose pods do not become ready without',
    'Take the chart of the tenant from TenantCharts.of(), or say who brings it with TcpProxyCertificate.existingSecret() or onNodes()'),
};

export const noTunnel: Rule = {
  code: 'HCP705',
  severity: 'warning',
  title: 'the API server has no way to the nodes of a tenant',
  check: platform => told(platform, 'konnectivity',
    'says that there is no konnectivity, and nobody has said that the API server reaches the nodes: exec, logs, webhooks and aggregated APIs fail then',
    'Give konnectivity: {}, or say nodesReachable: true'),
};
