import { IConstruct } from 'constructs';
import { OperatorAnswer } from './answer';
import type { OperatorCase } from './cases';
import type { Claims } from './claims';
import { Claims as ClaimedNames } from '../../../src/synthesis/claims';

/** What this library says of a control plane of k0smotron that no shared address leads to. */
export interface DirectClaims {
  readonly service: { readonly type: string; readonly annotations: { readonly [name: string]: string } };
  /** Where workers reach it. */
  readonly externalAddress: string;
  readonly sans: string[];
  readonly networks: { readonly podCIDR: string; readonly serviceCIDR: string; readonly clusterDomain: string };
  /** Whether k0s publishes its address itself, as no tcp-proxy does. */
  readonly publishesEndpoints: boolean;
}

/** The address that a load balancer gets in the tests. */
export const LOAD_BALANCER_ADDRESS = '203.0.113.20';

export function directClaimed(of: OperatorCase): Claims {
  const { direct, resource: { spec }, manifests } = of;
  const { apiEndpoint } = direct!;
  const cluster = manifests.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === of.name);
  const { clusterNetwork: { pods, services, serviceDomain } } = cluster.spec;
  return {
    objects: claimedObjects(of).filter(object => !object.endsWith('-kubeconfig')).sort(),
    ports: portsOf(of),
    secrets: [],
    apiServer: {
      service: { type: spec.service.type, annotations: annotationsOf(spec) },
      externalAddress: apiEndpoint?.host ?? LOAD_BALANCER_ADDRESS,
      sans: [`kubernetes.default.svc.${serviceDomain}`],
      networks: { podCIDR: pods.cidrBlocks[0], serviceCIDR: services.cidrBlocks[0], clusterDomain: serviceDomain },
      publishesEndpoints: true,
    },
    routes: [],
  };
}

export function directAnswered(of: OperatorCase, answer: OperatorAnswer): Claims {
  const { resource } = of;
  const { api, network: { podCIDR, serviceCIDR, clusterDomain } } = answer.k0s!;
  const { type, annotations, ports } = answer.services[serviceOf(of)] ?? { type: 'none', ports: {} };
  const wanted = Object.keys(annotationsOf(resource.spec));
  return {
    objects: answer.objects.filter(object => object !== `${resource.kind}/${resource.metadata.name}`),
    ports: Object.values(ports).map(port => `${serviceOf(of)}:${port}`),
    secrets: [],
    apiServer: {
      service: { type, annotations: Object.fromEntries(Object.entries(annotations ?? {}).filter(([name]) => wanted.includes(name))) },
      externalAddress: api.externalAddress,
      sans: directClaimed(of).apiServer.sans.filter((name: string) => api.sans.includes(name)),
      networks: { podCIDR, serviceCIDR, clusterDomain },
      publishesEndpoints: api.extraArgs?.['endpoint-reconciler-type'] !== 'none',
    },
    routes: answer.routes.map(({ name: _, ...route }) => route),
  };
}

function portsOf(of: OperatorCase): string[] {
  const { apiEndpoint } = of.direct!;
  const { apiPort, konnectivityPort } = of.resource.spec.service;
  return [apiEndpoint?.port ?? apiPort, konnectivityPort].map(port => `${serviceOf(of)}:${port}`);
}

function serviceOf(of: OperatorCase): string {
  return claimedObjects(of).filter(object => object.startsWith('Service/') && !object.endsWith('-etcd'))[0].replace('Service/', '');
}

/** Names that the library keeps for what k0smotron makes, as `Kind/name`. */
function claimedObjects({ direct, resource: { metadata: { namespace } } }: OperatorCase): string[] {
  const { kinds } = ClaimedNames.of(direct!) as unknown as { readonly kinds: Kinds };
  return [...kinds].flatMap(([what, groups]) => [...groups.values()].flatMap(names => [...names])
    .filter(([name, { derived, holder }]) => derived && name.startsWith(`${namespace}/`) && holder.node.path.startsWith(`${direct!.node.path}/`))
    .map(([name]) => `${what.split(' ')[0]}/${name.slice(namespace.length + 1)}`));
}

/** By kind, group and name. */
type Kinds = Map<string, Map<unknown, Map<string, { readonly derived: boolean; readonly holder: IConstruct }>>>;

/** What a patch puts onto the Service. */
function annotationsOf({ patches = [] }: any): { [name: string]: string } {
  return Object.assign({}, ...patches.filter(({ target }: any) => target.kind === 'Service').map(({ patch }: any) => JSON.parse(patch.content).metadata.annotations));
}
