import { CONTROLLERS, PLATFORMS, refused, refusedRoutes, TCP_PROXIES } from './matrix';
import { Tenants } from './tenants';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

/** The configurations of one platform behind the first controller that it works with, each once. */
function configsOf(platform: string): string[] {
  const controller = Object.keys(CONTROLLERS).find(name => !refusedRoutes({ platform, controller: name, konnectivity: true }))!;
  const cells = Object.keys(TCP_PROXIES).map(tcpProxy => ({ platform, controller, konnectivity: true, tcpProxy }));
  return [...new Set(cells.filter(cell => !refused(cell)).flatMap(cell => configsIn(new Tenants(cell))))];
}

/** Whether any tcp-proxy works with the platform, behind some controller. */
function hasTcpProxies(platform: string): boolean {
  return Object.keys(CONTROLLERS).some(controller => !refused({ platform, controller, konnectivity: true, tcpProxy: 'sni, replicas, owned' }));
}

/** The configurations in the ConfigMaps of an app. */
function configsIn(tenants: Tenants): string[] {
  return tenants.manifests().flatMap(({ kind, data }) => kind === 'ConfigMap' && data['haproxy.cfg'] ? [data['haproxy.cfg']] : []);
}

// The configuration depends on the exposure and the tcp-proxy alone, so it is the same behind every controller.
describeWithHaproxy('HAProxy accepts every configuration of every tcp-proxy', () => {
  test.each(Object.keys(PLATFORMS).filter(hasTcpProxies))('%s', async platform => {
    const configs = configsOf(platform);
    expect(configs.length).toBeGreaterThan(5);
    for (const config of configs) {
      expect(await checkConfig(config)).toBe('');
    }
  }, 60_000);

  test('and that of the shared gateway', async () => {
    const configs = configsIn(new Tenants({ platform: 'kamaji', controller: 'the shared gateway of this library', konnectivity: true }));
    expect(configs).toHaveLength(1);
    expect(await checkConfig(configs[0])).toBe('');
  });

  test('and it is the same behind every controller', () => {
    const configs = Object.keys(CONTROLLERS).map(controller =>
      new Tenants({ platform: 'kamaji', controller, konnectivity: true, tcpProxy: 'sni, replicas, owned' }).tcpProxies[0].haproxyConfig);
    expect(new Set(configs).size).toBe(1);
  });
});
