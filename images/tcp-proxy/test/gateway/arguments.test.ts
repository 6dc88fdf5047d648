import { gatewayPodSpec } from '../../../../src/shared-gateway/gateway-pod';
import { gatewayCommand } from '../../src/gateway/command';
import { gatewayConfiguration } from '../../src/gateway/configuration';

test('the agent understands the arguments that the library writes', () => {
  const { containers: [container] } = gatewayPodSpec({
    name: 'edge',
    image: 'tcp-proxy:1',
    resources: {},
    nodeSelector: {},
    priorityClassName: 'system-cluster-critical',
    selectorLabels: {},
    clusterIdRouting: true,
    nameservers: ['10.96.0.10', 'fd00:10:96::a'],
    closeRemovedTenants: true,
    propagationDelaySeconds: 15,
    gracePeriodSeconds: 300,
    logLevel: 'info',
    routeConfigMaps: [],
  });
  const [name, ...args] = container.args!;
  const command = gatewayCommand();
  expect(name).toBe(command.name());
  expect(command.parseOptions(args)).toEqual({ operands: [], unknown: [] });
  expect(gatewayConfiguration(command.opts())).toMatchObject({
    haproxyConfig: '/etc/haproxy/haproxy.cfg',
    routesDir: '/etc/tcp-proxy/routes',
    nameserver: ['10.96.0.10', 'fd00:10:96::a'],
    closeRemoved: true,
    propagationDelay: 15_000,
    gracePeriod: 300_000,
  });
});
