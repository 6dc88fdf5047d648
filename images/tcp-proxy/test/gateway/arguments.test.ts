import { Chart, Testing } from 'cdk8s';
import { SharedIngressGateway } from '../../../../src';
import { gatewayCommand } from '../../src/gateway/command';
import { gatewayConfiguration } from '../../src/gateway/configuration';

test('the agent understands the arguments that the library writes', () => {
  const { workload } = new SharedIngressGateway(new Chart(Testing.app(), 'management'), 'edge', {
    namespace: 'shared-ingress',
    nameservers: ['10.96.0.10', 'fd00:10:96::a'],
    closeRemovedTenants: true,
  });
  const [name, ...args] = workload.toJson().spec.template.spec.containers[0].args;
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
