import { App, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import { IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps } from '../../src';
import { PlainPlatform } from '../support/plain';

/** A control plane's place, and what tells it apart from others at the shared address. */
interface Place { readonly namespace: string; readonly name: string; readonly hostname: string; readonly port?: number; readonly entry?: string }

/** By kind of object. */
interface Join { [kind: string]: (manifest: any) => string[] }

/*
 * What each controller makes of namespaces and names, and where that was read. `{}` stands for what it adds of its own.
 */
const JOINED: { [type: string]: { controller: () => IngressController; join: Join } } = {
  // traefik/traefik, pkg/provider/kubernetes/crd: makeID, makeServiceKey (which hashes the rule).
  'traefik': {
    controller: () => IngressController.traefik({ entryPointsByPort: { 6443: 'api' } }),
    join: {
      IngressRouteTCP: ({ metadata, spec }) => spec.routes.map((route: any) => `${metadata.namespace}-${metadata.name}-{${route.match}}`),
      MiddlewareTCP: ({ metadata }) => [`middleware ${metadata.namespace}-${metadata.name}`],
    },
  },
  // traefik/traefik before 3.7.15, pkg/provider/kubernetes/gateway: loadTLSRoute.
  'gateway-api': {
    controller: () => IngressController.gatewayApi({ gateway: { name: 'public', namespace: 'gateways' } }),
    join: {
      TLSRoute: ({ metadata, spec }) => spec.parentRefs.map((ref: any) =>
        `tlsroute-${metadata.namespace}-${metadata.name}-gw-${ref.namespace}-${ref.name}-ep-{}`),
    },
  },
  // haproxytech/kubernetes-ingress, pkg/service: GetBackendName.
  'haproxy': { controller: () => IngressController.haproxy(), join: { Ingress: ofServices((namespace, name, port) => `${namespace}_svc_${name}_${port}`) } },
  // jcmoraisjr/haproxy-ingress, pkg/haproxy/types/backends.go: buildID.
  'haproxy-ingress': { controller: () => IngressController.haproxyIngress(), join: { Ingress: ofServices((...parts) => parts.join('_')) } },
  // kubernetes/ingress-nginx, internal/ingress/controller/util.go: upstreamName.
  'ingress-nginx': { controller: () => IngressController.ingressNginx(), join: { Ingress: ofServices((...parts) => parts.join('-')) } },
  // nginx/kubernetes-ingress, internal/configs: generateUnixSocket and the names of upstreams and files.
  'f5-nginx': { controller: () => IngressController.f5Nginx(), join: { TransportServer: ({ metadata }) => [`ts_${metadata.namespace}_${metadata.name}`] } },
  // projectcontour/contour, internal/envoy/cluster.go: Clustername.
  'contour': {
    controller: () => IngressController.contour(),
    join: { HTTPProxy: ({ metadata, spec }) => spec.tcpproxy.services.map((service: any) => `${metadata.namespace}/${service.name}/${service.port}/{}`) },
  },
  // istio/istio, pilot/pkg/model/service.go: BuildSubsetKey. The AuthorizationPolicies are named here.
  'istio': {
    controller: () => IngressController.istio(),
    join: {
      VirtualService: ({ metadata, spec }) => spec.tls.flatMap((tls: any) => tls.route.map(({ destination }: any) =>
        `outbound|${destination.port.number}||${destination.host}.${metadata.namespace}.svc.cluster.local`)),
      Gateway: ({ metadata }) => [`${metadata.namespace}/${metadata.name}`],
      AuthorizationPolicy: ({ metadata }) => [`${metadata.namespace}/${metadata.name}`],
    },
  },
  // openshift/router, pkg/router/template/router.go: routeKeyFromParts.
  'openshift': { controller: () => IngressController.openshift(), join: { Route: ({ metadata }) => [`be_tcp:${metadata.namespace}:${metadata.name}`] } },
  // cilium/cilium, operator/pkg/model/translation/envoy_cluster.go: getClusterName.
  'cilium': { controller: () => IngressController.cilium(), join: { Ingress: ofServices((...parts) => parts.join(':')) } },
};
const FILTERING = ['traefik', 'haproxy', 'haproxy-ingress', 'istio', 'openshift'];

/** One text, split into a namespace and a name at each of two places: joined with `-`, both are the text again. */
const TWO_SPLITS = fc.array(fc.constantFrom('a', 'b', 'c', 'kube', 'tenant'), { minLength: 3, maxLength: 5 })
  .chain(parts => fc.uniqueArray(fc.integer({ min: 1, max: parts.length - 1 }), { minLength: 2, maxLength: 2 })
    .map(places => places.map(place => [parts.slice(0, place).join('-'), parts.slice(place).join('-')])));

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe.each(Object.entries(JOINED))('%s', (type, { controller, join }) => {
  test('never makes one name of two control planes', () => {
    fc.assert(fc.property(TWO_SPLITS, ([[namespace, name], [otherNamespace, otherName]]) => {
      expectDistinct(type === 'ingress-nginx', controller(), join,
        { namespace, name, hostname: 'one.example.com' }, { namespace: otherNamespace, name: otherName, hostname: 'two.example.com' });
    }), { numRuns: 40 });
  });

  test('never makes one name of two control planes with further entries', () => {
    const entry = fc.constantFrom('a', 'b', 'public');
    fc.assert(fc.property(TWO_SPLITS, entry, entry, ([[namespace, name], [otherNamespace, otherName]], one, two) => {
      expectDistinct(type === 'ingress-nginx', controller(), join,
        { namespace, name, hostname: 'one.example.com', entry: one }, { namespace: otherNamespace, name: otherName, hostname: 'two.example.com', entry: two });
    }), { numRuns: 40 });
  });

  test('never makes one name of tenants/b-c and tenants-b/c', () => {
    expectDistinct(type === 'ingress-nginx', controller(), join,
      { namespace: 'tenants', name: 'b-c', hostname: 'one.example.com' }, { namespace: 'tenants-b', name: 'c', hostname: 'two.example.com' });
  });
});

test('Traefik keeps two control planes with one host at two ports apart, or they are an error', () => {
  const { controller, join } = JOINED.traefik;
  expectDistinct(true, controller(), join,
    { namespace: 'tenants', name: 'b-c', hostname: 'one.example.com' }, { namespace: 'tenants-b', name: 'c', hostname: 'one.example.com', port: 6443 });
});

test('ingress-nginx would send one tenant to the Service of another, so their names are an error', () => {
  expect(() => synthesize(IngressController.ingressNginx(),
    { namespace: 'tenants', name: 'b-c', hostname: 'one.example.com' }, { namespace: 'tenants-b', name: 'c', hostname: 'two.example.com' }))
    .toThrow('name that ingress-nginx joins of namespace and name: "tenants-b-c-6443" is used by both management/tenants-b_c and management/tenants_b-c. ' +
      'To the controller they would be one, and one of them would get the other\'s connections: rename one, or its namespace.');
});

test('two control planes may share a Service', () => {
  const chart = new Chart(new App(), 'management');
  const tlsServices = [{ name: 'oauth', serviceName: 'oauth', servicePort: 443 }];
  expose(chart, IngressController.ingressNginx(), { namespace: 'tenants', name: 'a', hostname: 'one.example.com' }, { domain: 'one.example.com', tlsServices });
  expose(chart, IngressController.ingressNginx(), { namespace: 'tenants', name: 'b', hostname: 'two.example.com' }, { domain: 'two.example.com', tlsServices });
  expect(chart.node.root.node.validate()).toEqual([]);
});

test('two installations of one controller join names of their own', () => {
  const chart = new Chart(new App(), 'management');
  expose(chart, IngressController.ingressNginx(), { namespace: 'tenants', name: 'b-c', hostname: 'one.example.com' });
  expose(chart, IngressController.ingressNginx({ ingressClassName: 'other' }), { namespace: 'tenants-b', name: 'c', hostname: 'two.example.com' });
  expect(chart.node.root.node.validate()).toEqual([]);
});

/** Either the joined names differ, or synthesis says what is wrong, where no other name of ours would help. */
function expectDistinct(refused: boolean, controller: IngressController, join: Join, ...places: Place[]): void {
  let manifests: any[][];
  try {
    manifests = synthesize(controller, ...places);
  } catch (error) {
    expect([refused, (error as Error).message]).toEqual([true, expect.stringContaining(`name that ${controller.type} joins of namespace and name`)]);
    return;
  }
  const joined = manifests.map(objects => new Set(objects.flatMap(object => join[object.kind]?.(object) ?? [])));
  expect(joined.map(names => names.size > 0)).toEqual([true, true]);
  expect([...joined[0]].filter(name => joined[1].has(name))).toEqual([]);
}

/** The objects of each control plane. */
function synthesize(controller: IngressController, ...places: Place[]): any[][] {
  const chart = new Chart(new App(), 'management');
  const constructs = places.map(place => expose(chart, controller, place));
  const errors = chart.node.root.node.validate();
  if (errors.length > 0) {
    throw new Error(errors.join('\n'));
  }
  return constructs.map(construct => construct.node.findAll().flatMap(node => 'toJson' in node ? [(node as any).toJson()] : []));
}

function expose(
  chart: Chart, controller: IngressController, place: Place, further: Partial<IngressExposedControlPlaneProps> = {},
): IngressExposedControlPlane {
  const { namespace, name, hostname, port, entry } = place;
  const sources = FILTERING.includes(controller.type) && { allowedCidrs: ['10.0.0.0/8'] };
  return new IngressExposedControlPlane(chart, `${namespace}_${name}`, {
    namespace,
    name,
    hostname,
    port,
    kubernetesVersion: '1.34.3',
    platform: new PlainPlatform(),
    controller,
    ...further,
    ...entry !== undefined && { furtherEntries: [{ name: entry, hostname: `${entry}.${hostname}`, ...sources }] },
    ...sources,
  });
}

function ofServices(join: (namespace: string, name: string, port: number) => string): (manifest: any) => string[] {
  return ({ metadata, spec }) => spec.rules.flatMap((rule: any) => rule.http.paths.map(({ backend: { service } }: any) =>
    join(metadata.namespace, service.name, service.port.number)));
}
