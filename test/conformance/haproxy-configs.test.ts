import { CONTROLLERS, PLATFORMS, refusedRoutes, refusedTcpProxy, TCP_PROXIES } from './matrix';
import { Tenants } from './tenants';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

/** The configurations of one platform behind the first controller that it works with, each once. */
function configsOf(platform: string): string[] {
  const controller = Object.keys(CONTROLLERS).find(name => !refusedRoutes(platform, name))!;
  const working = Object.keys(TCP_PROXIES).filter(name => !refusedTcpProxy(name));
  const configs = working.flatMap(tcpProxy => {
    const [addon] = new Tenants({ platform, controller, konnectivity: true, tcpProxy }).tcpProxies;
    return [addon.haproxyConfig, ...addon.nodeFiles.filter(file => file.path.endsWith('/haproxy.cfg')).map(file => file.content)];
  });
  return [...new Set(configs)];
}

// The configuration depends on the exposure and the tcp-proxy alone, so it is the same behind every controller.
describeWithHaproxy('HAProxy accepts every configuration of every tcp-proxy', () => {
  test.each(Object.keys(PLATFORMS))('%s', async platform => {
    const configs = configsOf(platform);
    expect(configs.length).toBeGreaterThan(5);
    for (const config of configs) {
      expect(await checkConfig(config)).toBe('');
    }
  }, 60_000);

  test('and it is the same behind every controller', () => {
    const configs = Object.keys(CONTROLLERS).map(controller =>
      new Tenants({ platform: 'kamaji', controller, konnectivity: true, tcpProxy: 'sni, replicas, owned' }).tcpProxies[0].haproxyConfig);
    expect(new Set(configs).size).toBe(1);
  });
});
