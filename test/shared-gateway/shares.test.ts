import { Chart, Testing } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { ExternalTrafficPolicy, SharedIngressGateway, SharedIngressGatewayProps } from '../../src';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);

function configOf(props: Partial<SharedIngressGatewayProps> = {}): string {
  return new SharedIngressGateway(new Chart(Testing.app(), 'management'), 'edge', { namespace: 'shared-ingress', ...props }).haproxyConfig;
}

const conditions = (config: string, sample: string) =>
  [...new Set([...config.matchAll(new RegExp(`reject if \\{ ${sample}(?: -m int)? gt (\\d+) \\}`, 'g'))].map(match => Number(match[1])))];

describe('the connections of a gateway', () => {
  test('are as many as fit into the memory limit, of all ports together, and the process has room for more', () => {
    const config = configOf();
    expect(conditions(config, 'var\\(sess.open\\)')).toEqual([20_000]);
    expect(config).toContain('maxconn 20064\n');
    expect(conditions(configOf({ resources: { limits: { memory: k8s.Quantity.fromString('1Gi') } } }), 'var\\(sess.open\\)')).toEqual([4372]);
    expect(conditions(configOf({ maxConnections: 1000 }), 'var\\(sess.open\\)')).toEqual([1000]);
    expect(conditions(configOf({ maxConnections: 1000, clusterIdRouting: false }), 'fe_conn')).toEqual([1000]);
  });

  test('have an eighth for a source and for a tenant, or what is given', () => {
    const config = configOf({ maxConnections: 1000 });
    expect(conditions(config, 'sc0_conn_cur')).toEqual([125]);
    expect(conditions(config, 'sc1_conn_cur')).toEqual([125]);
    const given = configOf({ maxConnections: 1000, shares: { perSource: 10, perTenant: 300 } });
    expect(conditions(given, 'sc0_conn_cur')).toEqual([10]);
    expect(conditions(given, 'sc1_conn_cur')).toEqual([300]);
  });

  test('have no limit for a source where every source is a node', () => {
    const nodes = { externalTrafficPolicy: ExternalTrafficPolicy.CLUSTER };
    expect(configOf(nodes)).not.toContain('sc0_conn_cur');
    expect(() => configOf({ ...nodes, shares: { trustedSources: ['192.0.2.0/24'] } })).toThrow('with externalTrafficPolicy Cluster sources are nodes');
    expect(() => configOf({ ...nodes, shares: { perSource: 5 } })).toThrow('with externalTrafficPolicy Cluster sources are nodes');
    expect(configOf({ ...nodes, shares: { perTenant: 5 } })).toContain('sc1_conn_cur gt 5 ');
  });

  test.each<[Partial<SharedIngressGatewayProps>, string]>([
    [{ shares: { perSource: 0 } }, 'shares.perSource: 0 is not a number of connections'],
    [{ shares: { perTenant: 1.5 } }, 'shares.perTenant: 1.5 is not'],
    [{ maxConnections: 10, shares: { perTenant: 11 } }, 'shares.perTenant: 11 is not a number of connections up to maxConnections, which is 10'],
    [{ shares: { trustedSources: [] } }, 'shares.trustedSources'],
    [{ shares: { trustedSources: ['192.0.2.1/24'] } }, 'shares.trustedSources[0]: "192.0.2.1/24" has host bits set'],
    [{ resources: { limits: { memory: k8s.Quantity.fromString('256Mi') } } }, 'resources.limits.memory: "256Mi" leaves room for 0 connections'],
  ])('%j is refused', (props, message) => {
    expect(() => configOf(props)).toThrow(message);
  });
});

describeWithHaproxy('the shares of a gateway', () => {
  test.each<Partial<SharedIngressGatewayProps>>([
    { shares: { trustedSources: ['192.0.2.0/24', '2001:db8::/32'] } },
    { maxConnections: 1 },
    { clusterIdRouting: false, loadBalancerProxyProtocol: { trustedCidrs: ['10.0.0.0/8'] }, shares: { trustedSources: ['192.0.2.0/24'] } },
  ])('are accepted by HAProxy (%j)', async props => {
    expect(await checkConfig(configOf(props))).toBe('');
  });
});
