import { startGateway, TLV_TYPE } from '../../../test/data-path/support/gateway';
import { stopParts } from '../../../test/data-path/support/parts';
import { describeWithHaproxy } from '../../../test/support/haproxy';
import { ProxyProtocolTarget } from '../../src/live/target';
import { Examination, Tenant } from '../support/tenant';

jest.setTimeout(60_000);

afterEach(stopParts);

const ID = '0f6c1fd0-6f0b-4f0e-9d25-6f2f0d8a3a01';
const SERVICE = 'tenant-01.tenants.svc.cluster.local';

/** The shared gateway of the library, which knows the tenant by its hosts and its cluster ID. */
async function gatewayFor(tenant: Tenant, target = tenant): Promise<{ sniPort: number; clusterIdPort: number }> {
  return startGateway({
    hosts: [`${tenant.host} ${SERVICE}:${tenant.api.port}`, `${tenant.konnectivityHost} ${SERVICE}:${tenant.konnectivityPort}`],
    clusterIds: [`${ID} ${SERVICE}:${target.api.port}`],
    addresses: [`${SERVICE} 127.0.0.1`],
  });
}

function proxyProtocol(port: number, changes: Partial<ProxyProtocolTarget> = {}) {
  return { proxyProtocol: { host: '127.0.0.1', port, clusterId: ID, tlvType: TLV_TYPE, ...changes } };
}

describeWithHaproxy('the doctor at a shared gateway', () => {
  test('finds nothing wrong with one of the library', async () => {
    const tenant = await Tenant.create('tenant-01');
    const { sniPort, clusterIdPort } = await gatewayFor(tenant);
    const examination = await Examination.of(tenant, sniPort, proxyProtocol(clusterIdPort));
    const { 'admin-kubeconfig': kubeconfig, ...others } = examination.statuses;
    expect(new Set(Object.values(others))).toEqual(new Set(['ok']));
    expect(kubeconfig).toBe('skipped');
    expect(examination.hop('proxy-refusal').detail).toMatch(/^refused/);
  });

  test('finds nothing wrong with its IPv6 address', async () => {
    const tenant = await Tenant.create('tenant-01');
    const { sniPort, clusterIdPort } = await gatewayFor(tenant);
    expect((await Examination.of(tenant, sniPort, proxyProtocol(clusterIdPort, { host: '::1' }))).failed).toEqual([]);
  });

  test.each([
    ['an unknown cluster ID', { clusterId: 'another' }],
    ['another TLV type', { tlvType: 0xe2 }],
  ])('tells that the gateway refuses %s', async (_, changes) => {
    const tenant = await Tenant.create('tenant-01');
    const { sniPort, clusterIdPort } = await gatewayFor(tenant);
    const examination = await Examination.of(tenant, sniPort, proxyProtocol(clusterIdPort, changes));
    expect(examination.failed).toEqual(['proxy-protocol']);
    expect(examination.hop('proxy-protocol').remedy).toMatch(/knows the cluster ID, that both sides use the same TLV type/);
  });

  test('tells that the cluster ID leads to another tenant', async () => {
    const tenant = await Tenant.create('tenant-01');
    const { sniPort, clusterIdPort } = await gatewayFor(tenant, await Tenant.create('tenant-02'));
    const examination = await Examination.of(tenant, sniPort, proxyProtocol(clusterIdPort));
    expect(examination.hop('proxy-protocol').detail).toMatch(/^another server answers: "CN=kube-apiserver"/);
  });

  test('tells that a port takes connections without a known cluster ID', async () => {
    const tenant = await Tenant.create('tenant-01');
    const { sniPort, clusterIdPort } = await gatewayFor(tenant);
    const open = await startGateway({
      clusterIds: [`${ID} ${SERVICE}:${tenant.api.port}`, `hcp-doctor-unknown ${SERVICE}:${tenant.api.port}`],
      addresses: [`${SERVICE} 127.0.0.1`],
    });
    expect((await Examination.of(tenant, sniPort, proxyProtocol(open.clusterIdPort))).failed).toEqual(['proxy-refusal']);
    expect(clusterIdPort).not.toBe(open.clusterIdPort);
  });
});
