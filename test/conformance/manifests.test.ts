import { CONTROLLERS, GATEWAY, PLATFORMS, refused, refusedRoutes, refusedTcpProxy, TCP_PROXIES, TCP_PROXY_KINDS } from './matrix';
import { Tenants } from './tenants';
import { IngressController, IngressExposedControlPlane } from '../../src';
import { routedHosts, routePorts } from '../support/route-hosts';
import { expectValid } from '../support/schemas';

const PAIRS = Object.keys(PLATFORMS).flatMap(platform => Object.keys(CONTROLLERS).map(controller => ({ platform, controller })));
const ALL_CELLS = PAIRS.flatMap(pair => [true, false].map(konnectivity => ({ ...pair, konnectivity })));
const CELLS = ALL_CELLS.filter(cell => !refusedRoutes(cell));
const CELL = '$platform, $controller, konnectivity: $konnectivity';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

const valid = new Set<string>();

/** Validates what was not validated yet: most objects of two cells are equal. */
function expectAllValid(manifests: any[]): void {
  for (const manifest of manifests) {
    const text = JSON.stringify(manifest);
    if (!valid.has(text)) {
      valid.add(text);
      expectValid(manifest);
    }
  }
}

describe('every SNI host has exactly one route, whoever makes it, and every object is valid and in the cluster that it belongs to', () => {
  test.each(CELLS)(CELL, cell => {
    for (const tcpProxy of TCP_PROXY_KINDS.filter(kind => !refused({ ...cell, tcpProxy: kind }))) {
      const { controlPlanes, ...charts } = new Tenants({ ...cell, tcpProxy, tenants: 2 });
      const management = charts.management.toJson();
      expectAllValid(management);
      expectOneRouteForEachHost(management, controlPlanes, charts.controller);
      const ofOperators = controlPlanes.map(({ routes: [{ serviceNamespace }] }) => serviceNamespace);
      // A Namespace has none.
      expect([GATEWAY.namespace, 'tenants', ...ofOperators, undefined]).toEqual(expect.arrayContaining(namespaces(management)));

      charts.tenants.forEach((chart, i) => {
        const manifests = chart.toJson();
        expectAllValid(manifests);
        expect(['default', 'kube-system']).toEqual(expect.arrayContaining(namespaces(manifests)));
        expect(JSON.stringify(manifests)).not.toContain(`tenant-0${2 - i}`);
      });
    }
  });
});

describe('the objects of every tcp-proxy are valid', () => {
  test.each(Object.keys(TCP_PROXIES).filter(name => !refusedTcpProxy(name)))('%s', tcpProxy => {
    for (const platform of ['kamaji', 'kamaji, dual stack']) {
      expectAllValid(new Tenants({ platform, controller: 'haproxy', konnectivity: true, tcpProxy }).manifests());
    }
  });
});

describe('a domain occurs in the output only because it was given', () => {
  test.each(CELLS.filter(({ konnectivity }) => konnectivity))(CELL, cell => {
    const tcpProxy = ['sni, replicas, owned'].find(name => !refused({ ...cell, tcpProxy: name }));
    const [com, net] = ['example.com', 'example.net'].map(domain => JSON.stringify(new Tenants({ ...cell, domain, tcpProxy }).manifests()));
    const withoutChecksum = (text: string) => text.replace(/"[^"]*checksum[^"]*":"[^"]*"/g, '');
    expect(net.split('example.net').length).toBeGreaterThan(1);
    expect(withoutChecksum(net)).toBe(withoutChecksum(com).replace(/example\.com/g, 'example.net'));
  });
});

describe('combinations that cannot work are errors', () => {
  test.each(ALL_CELLS.filter(cell => refusedRoutes(cell)))(CELL, cell => {
    expect(() => new Tenants(cell)).toThrow(`: ${refusedRoutes(cell)}`);
  });

  test.each(Object.keys(PLATFORMS))('%s with a tcp-proxy that its platform refuses', platform => {
    const controller = Object.keys(CONTROLLERS).find(name => !refusedRoutes({ platform, controller: name, konnectivity: true }))!;
    for (const tcpProxy of Object.keys(TCP_PROXIES)) {
      const cell = { platform, controller, konnectivity: true, tcpProxy };
      const reason = refused(cell);
      if (reason !== undefined) {
        expect(() => new Tenants(cell).app.synthYaml()).toThrow(reason);
      }
    }
  });

  test.each(Object.keys(TCP_PROXIES).filter(refusedTcpProxy))('tcp-proxy: %s', tcpProxy => {
    expect(() => new Tenants({ platform: 'kamaji', controller: 'haproxy', konnectivity: true, tcpProxy }))
      .toThrow(`: ${refusedTcpProxy(tcpProxy)}`);
  });
});

function expectOneRouteForEachHost(management: any[], controlPlanes: IngressExposedControlPlane[], controller: IngressController): void {
  const routes = controlPlanes.flatMap(controlPlane => controlPlane.routes.filter(({ ownAddress }) => !ownAddress));
  const [byPort, byHost] = [true, false].map(found => routes.filter(route => controller.routesByPort(route) === found));
  // HyperShift makes Routes whether there is a router or not.
  const unserved = controlPlanes.filter(({ platform, operatorRoutes }) => platform?.bringsTcpProxy && operatorRoutes.length === 0)
    .flatMap(controlPlane => controlPlane.routes.map(({ hostname }) => hostname));
  expect(routes.length).toBeGreaterThan(0);
  expect(routedHosts(management, unserved).sort()).toEqual(byHost.map(({ hostname }) => hostname).sort());
  const ports = [...byPort, ...controlPlanes.flatMap(({ exposure: { portRoute } }) => portRoute ?? [])].map(({ port }) => port);
  expect(management.flatMap(routePorts).sort()).toEqual(ports.sort());
}

function namespaces(manifests: any[]): string[] {
  return [...new Set(manifests.map(({ metadata }) => metadata.namespace))];
}
