import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';

/*
 * Puts a map at the top of API.md, as jsii-docgen has written it: the classes that a user starts from, and every type by what it is about.
 */
const ROOT = join(__dirname, '..');

/** What users make first, in the order in which they meet it. */
export const START_HERE = [
  'IngressExposedControlPlane', 'ControlPlanePlatform', 'IngressController', 'Exposure',
  'TcpProxyAddon', 'TcpProxyUpstream', 'TcpProxyPlacement', 'TcpProxyEndpoints', 'TcpProxyCertificate', 'KubernetesServiceHostInjection',
  'TenantCharts', 'TenantDelivery',
  'SharedIngressGateway', 'PassthroughGateway', 'IngressControllerInstall',
  'HetznerHostedCluster', 'K0rdentClusterDeployment',
  'TenantDns', 'ExposureReport', 'SynthesizedPlatform',
];

/** The rooms of src/ by what they are about. */
export const TOPICS: { [title: string]: string[] } = {
  'Control planes, and how they are reached': ['control-plane', 'model'],
  'Platforms': ['platforms'],
  'Ingress controllers and their installation': ['controllers', 'ingress-controller-install'],
  'The shared gateway': ['shared-gateway', 'haproxy'],
  'Whose hosts are whose': ['host-policy'],
  'Inside a tenant cluster': ['kubernetes-service', 'tcp-proxy', 'certificates', 'service-host-injection'],
  'Delivery to tenant clusters': ['delivery'],
  'Whole clusters': ['clusters'],
  'DNS': ['dns'],
  'Pods of the image, in every place': ['agent'],
  'Monitoring': ['monitoring'],
  'Reports, warnings and tests': ['report', 'synthesis', 'assertions', 'manifests'],
};

/** What is read of an assembly of jsii. */
export interface Assembly {
  readonly types: { [fqn: string]: AssemblyType };
}

interface AssemblyType {
  readonly name: string;
  readonly fqn: string;
  readonly symbolId: string;
  readonly docs?: { readonly summary?: string };
}

/** The map. Fails for a type that is about nothing known, so that none is left out. */
export function apiMap({ types }: Assembly): string {
  const all = Object.values(types).sort((a, b) => a.name < b.name ? -1 : 1);
  const link = ({ name, fqn }: { name: string; fqn: string }) => `<a href="#${fqn}">${name}</a>`;
  const start = START_HERE.map(name => {
    const type = all.find(candidate => candidate.name === name);
    if (!type) {
      throw new Error(`scripts/api-map.ts: there is no ${name} to start from`);
    }
    return `| ${link(type)} | ${type.docs?.summary ?? ''} |`;
  });
  const known = Object.values(TOPICS).flat();
  const lost = all.filter(type => !known.includes(roomOf(type.symbolId)));
  if (lost.length > 0) {
    throw new Error(`scripts/api-map.ts: no topic has the rooms of ${lost.map(({ name }) => name).join(', ')}`);
  }
  const topics = Object.entries(TOPICS).map(([title, rooms]) =>
    `| ${title} | ${all.filter(({ symbolId }) => rooms.includes(roomOf(symbolId))).map(link).join(', ')} |`);
  return [
    '## Where to start', '', '| | |', '| --- | --- |', ...start, '',
    '## By topic', '', '| | |', '| --- | --- |', ...topics, '',
  ].join('\n');
}

/** `dns` of `src/dns/tenant-dns:TenantDns`. */
function roomOf(symbolId: string): string {
  return symbolId.replace(/^src\//, '').split('/')[0];
}

if (require.main === module) {
  const page = join(ROOT, 'API.md');
  const assembly: Assembly = JSON.parse(readFileSync(join(ROOT, '.jsii'), 'utf8'));
  const [title, ...rest] = readFileSync(page, 'utf8').split('\n');
  writeFileSync(page, [title, '', apiMap(assembly), ...rest.slice(1)].join('\n'));
}
