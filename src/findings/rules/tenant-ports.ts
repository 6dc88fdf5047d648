import { isIP } from 'net';
import { Fault, nameOf, Rule, someOf } from './rule';
import { endpointsAtEdge, routesOfAddress } from '../../manifests/by-address';
import { isOfApi, routesOfPort } from '../../manifests/by-port';
import { pick, pickRecord, pickText } from '../../manifests/fields';
import { listenersOfParent, namedListeners, parentRefsOf } from '../../manifests/gateway';
import { KubernetesEndpoints } from '../../manifests/kubernetes-endpoints';
import { KeysOf, lookUp } from '../../manifests/lookup';
import { Platform } from '../../manifests/platform';
import { hasPortRange } from '../../manifests/read-shared-gateway';
import { groupAndKind, Source } from '../../manifests/source';

export const endpointPort: Rule = {
  code: 'HCP641',
  severity: 'error',
  title: 'default/kubernetes has a port that no edge leads to an API server',
  check: platform => {
    // Where no edge has ports they are those of API servers or proxies, and so they may be where proxies are.
    const edges = platform.portRoutes.length > 0 || platform.sources.some(hasPortRange);
    if (!edges || platform.proxyWorkloads.length > 0) return [];
    // The port of addresses of tenants is one for all.
    const byPort = platform.kubernetesEndpoints
      .filter(({ addresses }) => !addresses.some(({ value }) => routesOfAddress(value, platform).length > 0));
    return byPort.flatMap(({ source, ports }) => ports.flatMap(({ value, path }): Fault[] => {
      const routes = routesOfPort(value, platform);
      // Where nothing is known of a Service, it may be that of an API server.
      if (routes.some(route => isOfApi(route, platform) ?? true)) return [];
      const [other] = routes;
      return [{
        source,
        field: path,
        message: (other === undefined ? `is ${value}, which is a port of no edge in these manifests (${portsOfEdges(platform)})`
          : `is ${value}, which leads to port ${other.servicePort} of Service ${other.namespace}/${other.service}, and that is no API server`)
          + ', so pods reach nothing at kubernetes.default.svc',
        remedy: 'Write the port of the tenant at the shared address, or have the edge lead this one',
      }];
    }));
  },
};

function portsOfEdges({ portRoutes }: Platform): string {
  const ports = [...new Set(portRoutes.map(({ port }) => port))];
  return ports.length === 0 ? 'they have none' : `they have ${someOf(ports.map(String))}`;
}

export const endpointFamily: Rule = {
  code: 'HCP642',
  severity: 'error',
  title: 'default/kubernetes has an address of another family than its slice or the Services',
  check: platform => [
    ...platform.kubernetesEndpoints.flatMap(({ source, addresses, addressType }) => addresses
      .filter(({ value }) => addressType !== undefined && familyOf(value) !== undefined && familyOf(value) !== addressType.value)
      .map(({ value, path }): Fault => ({
        source,
        field: path,
        message: `${value} is ${familyOf(value)}, and the slice is for ${addressType!.value}: the API refuses it`,
        remedy: 'Give each family a slice of its own',
      }))),
    ...platform.controlPlanes.flatMap(controlPlane => {
      const families = serviceFamilies(controlPlane.source);
      return families.length === 0 ? [] : endpointsAtEdge(controlPlane, platform).flatMap(({ source, addresses }) => addresses
        .filter(({ value }) => familyOf(value) !== undefined && !families.includes(familyOf(value)!))
        .map(({ value, path }): Fault => ({
          source,
          field: path,
          message: `${value} is ${familyOf(value)}, and the Services of ${nameOf(controlPlane.source)} are ${families.join(' and ')}, so the Service kubernetes never leads to it`,
          remedy: `Give an address of the shared address that is ${families[0]}`,
        })));
    }),
  ],
};

function familyOf(address: string): string | undefined {
  const family = isIP(address.split('/')[0]);
  return family === 0 ? undefined : `IPv${family}`;
}

/** Of the networks of Services, as far as the control plane says; a list may have both. */
function serviceFamilies({ object }: Source): string[] {
  const texts = ['spec.networkProfile.serviceCidr', 'spec.k0sConfig.spec.network.serviceCIDR'].flatMap(path => pickText(object, path)?.split(',') ?? []);
  const lists = pick(object, 'spec.networkProfile.serviceCidrs');
  const dual = pickRecord(object, 'spec.k0sConfig.spec.network.dualStack').IPv6serviceCIDR;
  const all = [...texts, ...Array.isArray(lists) ? lists : [], ...dual === undefined ? [] : [dual]];
  return [...new Set(all.flatMap(cidr => familyOf(String(cidr).trim()) ?? []))];
}

export const emptyEndpoints: Rule = {
  code: 'HCP643',
  severity: 'error',
  title: 'default/kubernetes has no endpoints',
  check: platform => platform.kubernetesEndpoints
    .filter(({ addresses, ports }) => addresses.length === 0 || ports.length === 0)
    .map(({ source, addresses }) => ({
      source,
      message: `has no ${addresses.length === 0 ? 'address' : 'port'}, so pods reach no API server at kubernetes.default.svc`,
      remedy: 'Write the shared address and the port of the tenant, or take the object away',
    })),
};

export const unmirroredEndpoints: Rule = {
  code: 'HCP644',
  severity: 'error',
  title: 'the Endpoints default/kubernetes are kept from their slice, and no other slice is there',
  check: platform => platform.kubernetesEndpoints
    .filter(({ source }) => source.kind === 'Endpoints' && pickRecord(source.object, 'metadata.labels')[SKIP_MIRROR] === 'true')
    .filter(({ source }) => !lookUp(platform.kubernetesEndpoints, slicesByFile, source.file).length)
    .map(({ source }) => ({
      source,
      field: `metadata.labels["${SKIP_MIRROR}"]`,
      message: 'is "true", and no EndpointSlice of the Service kubernetes is beside it: kube-proxy reads slices alone, so the Service has no endpoints',
      remedy: 'Take the label away, or write the EndpointSlice too',
    })),
};

const SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror';
const slicesByFile: KeysOf<KubernetesEndpoints> = ({ source }) => (source.kind === 'EndpointSlice' ? [source.file] : []);

export const portRouteListener: Rule = {
  code: 'HCP645',
  severity: 'error',
  title: 'a TCPRoute attaches to no listener of TCP',
  check: platform => platform.sources.filter(source => groupAndKind(source) === 'gateway.networking.k8s.io TCPRoute').flatMap(source =>
    parentRefsOf(source).flatMap((parent): Fault[] => {
      const all = listenersOfParent(parent, platform.listeners);
      // A Gateway may be somebody else's; a ListenerSet is the tenant's.
      const known = all.length > 0 || parent.kind === 'ListenerSet';
      const listeners = namedListeners(parent, all);
      if (!known || listeners.some(({ protocol }) => protocol === 'TCP')) return [];
      const wanted = `${parent.sectionName === undefined ? '' : ` "${parent.sectionName}"`}${parent.port === undefined ? '' : ` on port ${parent.port}`}`;
      return [{
        source,
        field: parent.path,
        message: listeners.length > 0 ? `listener "${listeners[0].name}" of ${parent.kind} ${parent.name} has protocol ${listeners[0].protocol}`
          : `${parent.kind} ${parent.name} ${all.length > 0 ? `has no listener${wanted}` : 'is not there'}`,
        remedy: 'Add a listener of protocol TCP for the port of the tenant, and name it',
      }];
    })),
};

export const idleListenerSet: Rule = {
  code: 'HCP646',
  severity: 'warning',
  title: 'a listener of a ListenerSet has no route',
  check: platform => platform.listeners.filter(({ source, protocol }) => source.kind === 'ListenerSet' && protocol === 'TCP').filter(listener =>
    !platform.sources.some(source => source.kind === 'TCPRoute'
      && parentRefsOf(source).some(parent => namedListeners(parent, listenersOfParent(parent, [listener])).length > 0)))
    .map(({ source, path, name, port }) => ({
      source,
      field: path,
      message: `no TCPRoute attaches to listener "${name}" at port ${port}, so who connects there reaches nobody`,
      remedy: 'Add the TCPRoute of the tenant, or take the ListenerSet away',
    })),
};

export const addressAsExternalIp: Rule = {
  code: 'HCP647',
  severity: 'error',
  title: 'the Service of a control plane takes the shared address for itself',
  check: platform => platform.controlPlanes.filter(({ service }) => platform.portRoutes.some(route =>
    route.namespace === service?.namespace && route.service === service.name)).flatMap(({ source }) => ['spec.networkProfile', 'spec.network']
    .filter(path => pick(source.object, `${path}.allowAddressAsExternalIP`) === true)
    .map(path => ({
      source,
      field: `${path}.allowAddressAsExternalIP`,
      message: 'is true, so the Service has externalIPs: nodes of the management cluster send all that is for this address and port to this one tenant',
      remedy: 'Leave it out; the edge leads the port to the Service',
    }))),
};
