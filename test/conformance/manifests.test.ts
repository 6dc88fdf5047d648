import { CONTROLLERS, GATEWAY, PLATFORMS, refusedRoutes, refusedTcpProxy, TCP_PROXIES, TCP_PROXY_KINDS } from './matrix';
import { Tenants } from './tenants';
import { IngressExposedControlPlane } from '../../src';
import { routedHosts } from '../support/route-hosts';
import { expectValid } from '../support/schemas';

const PAIRS = Object.keys(PLATFORMS).flatMap(platform => Object.keys(CONTROLLERS).map(controller => ({ platform, controller })));
const CELLS = PAIRS
  .filter(({ platform, controller }) => !refusedRoutes(platform, controller))
  .flatMap(pair => [true, false].map(konnectivity => ({ ...pair, konnectivity })));
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
    for (const tcpProxy of TCP_PROXY_KINDS) {
      const { controlPlanes, ...charts } = new Tenants({ ...cell, tcpProxy, tenants: 2 });
      const management = charts.management.toJson();
      expectAllValid(management);
      expectOneRouteForEachHost(management, controlPlanes);
      expect([GATEWAY.namespace, 'tenants']).toEqual(expect.arrayContaining(namespaces(management)));

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
    const [com, net] = ['example.com', 'example.net'].map(domain =>
      JSON.stringify(new Tenants({ ...cell, domain, tcpProxy: 'sni, replicas, owned' }).manifests()));
    const withoutChecksum = (text: string) => text.replace(/"[^"]*checksum[^"]*":"[^"]*"/g, '');
    expect(net.split('example.net').length).toBeGreaterThan(5);
    expect(withoutChecksum(net)).toBe(withoutChecksum(com).replace(/example\.com/g, 'example.net'));
  });
});

describe('combinations that cannot work are errors', () => {
  test.each(PAIRS.filter(({ platform, controller }) => refusedRoutes(platform, controller)))('$platform, $controller', ({ platform, controller }) => {
    for (const konnectivity of [true, false]) {
      expect(() => new Tenants({ platform, controller, konnectivity })).toThrow(`: ${refusedRoutes(platform, controller)}`);
    }
  });

  test.each(Object.keys(TCP_PROXIES).filter(refusedTcpProxy))('tcp-proxy: %s', tcpProxy => {
    expect(() => new Tenants({ platform: 'kamaji', controller: 'haproxy', konnectivity: true, tcpProxy }))
      .toThrow(`: ${refusedTcpProxy(tcpProxy)}`);
  });
});

function expectOneRouteForEachHost(management: any[], controlPlanes: IngressExposedControlPlane[]): void {
  const expected = controlPlanes.flatMap(({ routes }) => routes.map(route => route.hostname));
  expect(expected.length).toBeGreaterThan(0);
  expect(routedHosts(management).sort()).toEqual(expected.sort());
}

function namespaces(manifests: any[]): string[] {
  return [...new Set(manifests.map(({ metadata }) => metadata.namespace))];
}
