import { writeFileSync } from 'fs';
import { join } from 'path';
import { GatewayInstallation, routeLine } from './gateway-installation';
import { routesRules } from '../../../../src/agent/contract/rbac';
import { stopParts } from '../../../../test/data-path/support/parts';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { Agent } from '../support/agent';
import { eventually } from '../support/eventually';
import { issueCertificate } from '../support/fake-api/certificates';
import { FakeCluster } from '../support/fake-api/fake-cluster';

jest.setTimeout(90_000);

const NAMES = ['edge-routes-0-of-2', 'edge-routes-1-of-2'];
const certificate = issueCertificate('localhost');

let gateway: GatewayInstallation;
let cluster: FakeCluster;

beforeEach(async () => {
  gateway = await GatewayInstallation.create();
  cluster = new FakeCluster(certificate);
  cluster.roles = [{ namespace: 'gateway', rules: routesRules(NAMES) }];
  await cluster.start();
});
afterEach(async () => {
  await gateway.remove();
  await cluster.stop();
  await stopParts();
});

function start(): Agent {
  writeFileSync(join(gateway.dir, 'ca.crt'), certificate.ca);
  writeFileSync(join(gateway.dir, 'token'), 'token-1');
  return gateway.start(...NAMES.map(name => `--route-config-map=${name}`), '--namespace=gateway', `--api-server=${cluster.url}`,
    `--ca-file=${gateway.dir}/ca.crt`, `--token-file=${gateway.dir}/token`);
}

const put = (shard: number, clusterIds: string) =>
  cluster.put(`/api/v1/namespaces/gateway/configmaps/${NAMES[shard]}`, { data: { 'hosts.map': '', 'cluster-ids.map': clusterIds, 'ports.map': '', 'allowed.map': '' } });
const served = (clusterId: string) => eventually(async () => expect(await gateway.answer(clusterId)).toBe(clusterId));
const rejected = (clusterId: string) => eventually(async () => expect(await gateway.answer(clusterId)).toBe(''));

describeWithHaproxy('routes that the API has and the kubelet has not brought yet', () => {
  test('are served and withdrawn without a reload, and open connections of others go on', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    gateway.mountTenants([one]);
    put(0, routeLine(one));
    put(1, '');
    const agent = start();
    await agent.readyz(200, 'as the API has them');
    const [worker] = await gateway.workers();
    const open = await gateway.connection('one');

    put(1, routeLine(two));
    await served('two');
    put(1, '');
    await rejected('two');
    expect(open.ended).toBe(false);
    expect(await gateway.workers()).toEqual([worker]);
  });

  test('are not lost with the API server, nor when HAProxy is started again without it', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    gateway.mountTenants([one]);
    put(0, routeLine(one));
    put(1, routeLine(two));
    const agent = start();
    await served('two');
    await cluster.stop();
    await agent.readyz(200, 'not followed by the API');
    process.kill((await gateway.workers())[0].pid, 'SIGKILL');
    await served('one');
    await served('two');
  });

  test('are checked like mounted ones', async () => {
    const one = await gateway.tenant('one');
    gateway.mountTenants([one]);
    put(0, `${routeLine(one)}quote" x.y:1\n`);
    put(1, '');
    const { routes } = await start().readyz(200, '1 refused');
    expect(routes.detail).toContain('cluster-ids-00.map:2: "quote\\" x.y:1" is not a line of cluster-ids');
    await served('one');
  });
});

describeWithHaproxy('a gateway whose API server never answers', () => {
  test('is ready with what is mounted, and follows that', async () => {
    await cluster.stop();
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    gateway.mountTenants([one]);
    await start().readyz(200, 'not followed by the API');
    await served('one');
    gateway.mountTenants([one, two]);
    await served('two');
  });
});
