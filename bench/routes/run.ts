import { execFileSync } from 'child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { cpus, tmpdir } from 'os';
import { join } from 'path';
import { loadAll } from 'js-yaml';
import { GatewayInstallation } from '../../images/tcp-proxy/test/gateway/gateway-installation';
import { mountedMapFile, ROUTING_TABLES } from '../../src/agent/contract/routing-tables';
import { eventually } from '../../test/data-path/support/eventually';
import { stopParts } from '../../test/data-path/support/parts';
import { TenantServer } from '../../test/data-path/support/tenant-server';
import { Cluster } from '../../test/e2e/support/cluster';
import { openConnections, SteadyClient, untilRouted } from '../gateway/clients';
import { ApiClient } from '../proxy/api-client';

/** Runs in the namespace that bench/routes.ts makes. */

const TENANTS = 10_000;
const CHANGES = 100;
const OPEN_CONNECTIONS = 200;
const NAMESPACE = 'shared-ingress';
const RESULT = join(__dirname, '..', 'results', 'routes.json');

const clusterId = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
const serviceOf = (i: number) => `kube-apiserver.tenant-${i}.svc.cluster.local`;

async function main(folder: string): Promise<void> {
  const { port } = await TenantServer.start('tenant');
  const manifests = synthesize(folder, port);
  const cluster = await Cluster.start({ behindIngress: false });
  const api = new ApiClient(cluster);
  await cluster.kubectl(['create', 'namespace', NAMESPACE]);
  // Not by kubectl's client-side apply, which keeps a copy in an annotation of limited size.
  await cluster.apply(manifests.filter(({ kind }) => ['ConfigMap', 'ServiceAccount', 'Role', 'RoleBinding'].includes(kind)), '--server-side');

  const installation = await startGateway(folder, cluster, manifests);
  const { clusterIdPort } = installation;
  const shards = manifests.filter(({ metadata }) => /-routes-\d+-of-/.test(metadata.name));
  const open = await openConnections(clusterIdPort, clusterId(1), OPEN_CONNECTIONS);
  const [worker] = await installation.workers();
  const client = new SteadyClient(clusterIdPort, clusterId(1));
  const times: number[] = [];
  for (let i = TENANTS; i < TENANTS + CHANGES; i++) {
    const shard = shards[i % shards.length];
    shard.data['cluster-ids.map'] += `${clusterId(i)} ${serviceOf(i)}:${port}\n`;
    const began = performance.now();
    await api.send('PATCH', `/api/v1/namespaces/${NAMESPACE}/configmaps/${shard.metadata.name}?fieldManager=kubectl&force=true`, shard, 'application/apply-patch+yaml');
    times.push(await untilRouted(clusterIdPort, clusterId(i), began));
  }
  await client.stop();

  times.sort((a, b) => a - b);
  const quantile = (q: number) => Math.round(times[Math.min(times.length - 1, Math.floor(q * times.length))] * 10) / 10;
  const workers = await installation.workers();
  const result = {
    machine: { cpu: cpus()[0].model, cpus: cpus().length, node: process.version },
    tenants: TENANTS,
    changes: CHANGES,
    msFromApplyToRouted: { p50: quantile(0.5), p99: quantile(0.99), worst: quantile(1) },
    reloads: workers.length === 1 && workers[0].pid === worker.pid ? 0 : 'some',
    lostOfOpen: open.filter(({ ended }) => ended).length,
    lostOfNew: client.lost,
    newConnections: client.made,
    targets: { p99Ms: { limit: 1_000, met: quantile(0.99) <= 1_000 } },
  };
  mkdirSync(join(RESULT, '..'), { recursive: true });
  writeFileSync(RESULT, `${JSON.stringify(result, undefined, 2)}\n`);
  console.log(JSON.stringify(result, undefined, 2));
  api.close();
  await installation.remove();
}

function synthesize(folder: string, port: number): any[] {
  execFileSync(process.execPath, [...process.execArgv, join(__dirname, '..', 'gateway', 'synth.ts'), String(TENANTS), String(port), folder], { stdio: 'ignore' });
  return loadAll(readFileSync(join(folder, 'management.k8s.yaml'), 'utf8'));
}

/** Starts the agent with the flags of the Deployment for the API, and the ConfigMaps as they are now mounted: for good, as no kubelet is here. */
async function startGateway(folder: string, cluster: Cluster, manifests: any[]): Promise<GatewayInstallation> {
  const installation = await GatewayInstallation.create();
  for (let i = 0; i < TENANTS + CHANGES; i++) installation.dns.records.set(serviceOf(i), ['127.0.0.1']);
  const shards = manifests.filter(({ metadata }) => /-routes-\d+-of-/.test(metadata.name));
  installation.mountRoutes(Object.fromEntries(shards.flatMap(({ data }, shard) => ROUTING_TABLES.map(table => [mountedMapFile(table, shard), data[`${table}.map`]]))));
  writeFileSync(join(folder, 'token'), await cluster.token(NAMESPACE, 'edge'));
  const { args } = manifests.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
  const agent = installation.start(...args.filter((arg: string) => arg.startsWith('--route-config-map=')), `--namespace=${NAMESPACE}`,
    `--api-server=https://127.0.0.1:${cluster.port}`, `--ca-file=${cluster.caFile}`, `--token-file=${folder}/token`, '--resolve-interval=30s');
  await eventually(async () => {
    const { status, body } = await agent.http('/readyz');
    return status === 200 && body.includes('as the API has them');
  }, 120_000);
  return installation;
}

const folder = mkdtempSync(join(tmpdir(), 'bench-routes-'));
main(folder).finally(async () => {
  await stopParts();
  rmSync(folder, { recursive: true, force: true });
}).then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
