import { mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Agent } from './agent';
import { Cluster } from './cluster';
import { Delivered, Management } from './delivery';
import { again, Lane } from './faults';
import { Prometheus } from './prometheus';
import { Relay } from './relay';
import { METRICS } from '../../../src/agent/contract/metrics';
import { eventually } from '../../data-path/support/eventually';

/** What sync brings: a tenant whose endpoints it keeps. */
export const DELIVERED: Delivered = { port: { addresses: ['10.77.0.2'], port: 20001 } };

/** Delivery of one tenant, whose endpoints are kept. */
export async function syncLane(management: Management, tenant: Cluster, healthPort: number, prometheus: Prometheus): Promise<Lane> {
  const [toTenant, toManagement] = [await Relay.start(tenant.port), await Relay.start(management.cluster.port)];
  const visits = join(mkdtempSync(join(tmpdir(), 'visits-')), 'visits.json');
  const args = await management.syncArgs('sync-a', healthPort, `--api-server=https://127.0.0.1:${toManagement.port}`);
  const start = (journal: string) => new Agent([...args, `--visits-file=${journal}`]);
  const startTime = async () => (await prometheus.now(`${METRICS.startTime.name}{job="tenant-sync"}`))[0];
  let sync = start(visits);
  /** Starts it anew, and waits until Prometheus has seen that. */
  const restart = async (journal: string) => {
    const before = await startTime();
    await sync.kill('SIGKILL');
    sync = start(journal);
    await eventually(async () => ![undefined, before].includes(await startTime()), 30_000);
  };
  let restarts = 0;
  const { ca } = tenant;
  return {
    job: 'tenant-sync',
    faults: [
      {
        what: 'the operator has not made the Secrets',
        alerts: ['TenantSyncTenantsFailed'],
        break: () => undefined,
        repair: () => management.writeSecrets({ ca, port: toTenant.port }),
      },
      {
        what: 'the API server of a tenant is gone',
        alerts: ['TenantSyncEndpointsNotFollowed'],
        break: () => toTenant.become('cut'),
        repair: () => toTenant.become('open'),
      },
      {
        what: 'sync dies while it visits a tenant that does not answer',
        alerts: ['TenantSyncTenantsSetAside'],
        break: async () => {
          toTenant.become('silent');
          await eventually(() => readFileSync(visits, 'utf8').includes('"visiting":["'), 30_000);
          await restart(visits);
        },
        repair: () => toTenant.become('open'),
      },
      // With a journal of its own each: none sets the tenant aside for minutes.
      again('sync dies', ['TenantSyncRestarting'], () => restart(`${visits}-${restarts++}`)),
      {
        what: 'sync is started while the API server of the management cluster is gone',
        alerts: ['TenantSyncNotReady', 'TenantSyncNoLeader'],
        break: async () => {
          toManagement.become('cut');
          await sync.kill('SIGKILL');
          sync = start(`${visits}-${restarts++}`);
        },
        repair: () => toManagement.become('open'),
      },
      {
        what: 'the API server of a tenant is gone while the tenant is removed',
        alerts: ['TenantSyncTenantsWaiting'],
        break: async () => {
          toTenant.become('cut');
          await management.removeBundle();
        },
        repair: async () => {
          toTenant.become('open');
          await management.apply(DELIVERED);
        },
      },
    ],
  };
}

/**
 * Registration of one tenant.
 *
 * @param objects what the library makes of it
 */
export async function registerLane({ cluster }: Management, objects: any[], healthPort: number): Promise<Lane> {
  const name = 'tenant-registration';
  await cluster.kubectl(['create', 'namespace', name]);
  const own = ({ kind, metadata }: any) => ['ServiceAccount', 'Role', 'RoleBinding'].includes(kind) && metadata.labels['app.kubernetes.io/name'] === name;
  await cluster.apply(objects.filter(own));
  const folder = mkdtempSync(join(tmpdir(), 'registration-'));
  writeFileSync(join(folder, 'token'), await cluster.token(name, name));
  const list = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name).data['registrations.json'];
  writeFileSync(join(folder, 'registrations.json'), list);
  const [{ secret }] = JSON.parse(list).registrations;
  const start = () => new Agent([
    'register', `--registrations=${folder}/registrations.json`, `--api-server=https://127.0.0.1:${cluster.port}`, `--ca-file=${cluster.caFile}`,
    `--token-file=${folder}/token`, `--health-address=127.0.0.1:${healthPort}`, '--interval=500ms',
  ]);
  let agent = start();
  return {
    job: name,
    faults: [
      {
        what: 'the Secret to keep is somebody else\'s',
        alerts: ['TenantRegistrationTenantsFailed'],
        break: () => cluster.apply([{ apiVersion: 'v1', kind: 'Secret', metadata: secret }]),
        repair: () => cluster.kubectl(['delete', 'secret', `--namespace=${secret.namespace}`, secret.name]),
      },
      { what: 'register is not there', alerts: ['TenantRegistrationDown'], break: () => agent.kill('SIGKILL'), repair: () => { agent = start(); } },
    ],
  };
}
