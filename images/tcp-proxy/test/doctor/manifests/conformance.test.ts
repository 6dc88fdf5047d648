import {
  CONTROLLERS, PLATFORMS, refusedRoutes, refusedTcpProxy, TCP_PROXIES,
} from '../../../../../test/conformance/matrix';
import { Combination, Tenants } from '../../../../../test/conformance/tenants';
import { Source } from '../../../src/doctor/manifests/documents';
import { readPlatform } from '../../../src/doctor/manifests/model/platform';
import { RULES } from '../../../src/doctor/manifests/rules';

jest.setTimeout(60_000);

/** What the doctor says of the manifests that the library makes, as codes and messages. */
function findings(combination: Combination): string[] {
  const sources = new Tenants(combination).manifests().map((object): Source => ({
    file: 'manifests.yaml',
    line: 1,
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: object.metadata.namespace ?? 'default',
    name: object.metadata.name,
    object,
  }));
  const platform = readPlatform(sources);
  return RULES.flatMap(rule => rule.check(platform).map(({ source, message }) => `${rule.code} ${source.kind} ${source.name}: ${message}`));
}

/** What is meant: the user has asked for an old version. */
function asked(finding: string, controller: string): boolean {
  return controller.startsWith('gateway-api v1alpha') && finding.startsWith('HCP407');
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

const PAIRS = Object.keys(PLATFORMS).flatMap(platform => Object.keys(CONTROLLERS).map(controller => ({ platform, controller })))
  .filter(({ platform, controller }) => !refusedRoutes(platform, controller))
  // Its routes are ConfigMaps, in which the doctor sees none.
  .filter(({ controller }) => controller !== 'a controller of the user\'s own');

describe('the doctor has nothing to say of the manifests of this library', () => {
  test.each(PAIRS)('$platform, $controller', pair => {
    const found = [true, false].flatMap(konnectivity => findings({ ...pair, konnectivity, tcpProxy: 'sni, replicas, owned', tenants: 2 }));
    expect(found.filter(finding => !asked(finding, pair.controller))).toEqual([]);
  });

  test.each(Object.keys(TCP_PROXIES).filter(name => !refusedTcpProxy(name)))('tcp-proxy: %s', tcpProxy => {
    expect(findings({ platform: 'kamaji', controller: 'haproxy', konnectivity: true, tcpProxy, tenants: 2 })).toEqual([]);
  });
});
