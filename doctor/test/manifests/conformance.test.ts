import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { TenantDelivery } from '../../../src';
import {
  CONTROLLERS, PLATFORMS, refused, refusedRoutes, refusedTcpProxy, TCP_PROXIES, TCP_PROXY_KINDS,
} from '../../../test/conformance/matrix';
import { Combination, Tenants } from '../../../test/conformance/tenants';
import { checkManifests, Finding } from '../../src/manifests/check';
import { check } from '../support/manifests';

jest.setTimeout(120_000);

/** How many combinations were checked, so that an empty loop is no success. */
const checked = { controllers: 0, tcpProxies: 0, deliveries: 0 };
const checkedOf = new Map<string, number>();

/** What the manifests of Cluster API say beside a control plane that is made for it. */
function clusterApiObjects(objects: any[]): any[] {
  const kinds = ['K0smotronControlPlane', 'KamajiControlPlane'];
  return objects.filter(({ kind }) => kinds.includes(kind)).map(({ kind, apiVersion, metadata }) => ({
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Cluster',
    metadata: { name: metadata.name.replace(/-cp$/, ''), namespace: metadata.namespace },
    spec: { controlPlaneRef: { apiVersion, kind, name: metadata.name } },
  }));
}

/** What the doctor says of the manifests of a combination; undefined where the library refuses it. */
function findings(combination: Combination): string[] | undefined {
  if (refused(combination)) {
    return undefined;
  }
  const objects = new Tenants(combination).manifests();
  return texts(check([...objects, ...clusterApiObjects(objects)].map(object => JSON.stringify(object)).join('\n---\n')), combination);
}

function isSynthesized(combination: Combination, outdir: string): boolean {
  try {
    new Tenants(combination, { outdir }).app.synth();
    return true;
  } catch {
    return false;
  }
}

function texts(found: Finding[], { controller }: Combination): string[] {
  return found.map(({ code, object, message }) => `${code} ${object?.kind} ${object?.name}: ${message}`)
    // The user has asked for an old version.
    .filter(text => !(controller.startsWith('gateway-api v1alpha') && text.startsWith('HCP407')));
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

const ALL_PLATFORMS = Object.keys(PLATFORMS);

const PAIRS = ALL_PLATFORMS.flatMap(platform => Object.keys(CONTROLLERS).map(controller => ({ platform, controller })))
  .filter(pair => !refusedRoutes({ ...pair, konnectivity: true }))
  // Its routes are ConfigMaps, in which the doctor sees none.
  .filter(({ controller }) => controller !== 'a controller of the user\'s own');

const DELIVERIES: { [name: string]: () => TenantDelivery } = {
  manifests: () => TenantDelivery.manifests(),
  sync: () => TenantDelivery.sync(),
  flux: () => TenantDelivery.flux({ source: { name: 'tenants' } }),
  argoCd: () => TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/tenants.git' }),
  clusterResourceSet: () => TenantDelivery.clusterResourceSet(),
};

describe('the doctor has nothing to say of the manifests of this library', () => {
  test.each(PAIRS)('$platform, $controller', ({ platform, controller }) => {
    const results = TCP_PROXY_KINDS.flatMap(tcpProxy => (tcpProxy === TCP_PROXY_KINDS[0] ? [true, false] : [true]).map(konnectivity =>
      findings({ platform, controller, konnectivity, tcpProxy, tenants: 2 }))).filter(found => found !== undefined);
    checked.controllers += results.length;
    checkedOf.set(platform, (checkedOf.get(platform) ?? 0) + results.length);
    expect(results.flat()).toEqual([]);
  });

  test.each(Object.keys(TCP_PROXIES).filter(name => !refusedTcpProxy(name)))('tcp-proxy: %s', tcpProxy => {
    const results = ['kamaji', 'steward', 'kamaji-control-plane'].map(platform => findings({ platform, controller: 'haproxy', konnectivity: true, tcpProxy, tenants: 2 }));
    checked.tcpProxies += results.length;
    expect(results).toEqual(results.map(() => []));
  });

  test.each(Object.keys(DELIVERIES))('delivery: %s', delivery => {
    const results = ALL_PLATFORMS.flatMap(platform => ['haproxy', 'traefik', 'gateway-api'].map(controller => {
      const outdir = mkdtempSync(join(tmpdir(), 'doctor-delivery-'));
      try {
        const combination = { platform, controller, konnectivity: true, tcpProxy: 'sni, every node, owned', tenants: 2, delivery: DELIVERIES[delivery]() };
        return isSynthesized(combination, outdir) ? texts(checkManifests([outdir]).findings, combination) : undefined;
      } finally {
        rmSync(outdir, { recursive: true });
      }
    })).filter(found => found !== undefined);
    checked.deliveries += results.length;
    expect(results.flat()).toEqual([]);
    expect(results.length).toBeGreaterThan(0);
  });

  test('of as many as there are', () => {
    process.stdout.write(`manifests without a finding: ${JSON.stringify(checked)}\n`);
    expect(ALL_PLATFORMS.filter(platform => !checkedOf.get(platform))).toEqual([]);
    expect(checked.controllers).toBeGreaterThanOrEqual(1000);
    expect(checked.tcpProxies).toBeGreaterThanOrEqual(100);
    expect(checked.deliveries).toBeGreaterThanOrEqual(120);
  });
});
