import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { Operator } from './operator';
import { TenantApiServer } from './tenant-api-server';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantDelivery } from '../../../../src';
import { eventually } from '../../../data-path/support/eventually';
import { startIngress } from '../../../data-path/support/ingress';
import { stopParts } from '../../../data-path/support/parts';
import { Cluster, EXPOSURE } from '../../../e2e/support/cluster';
import { CORE_GROUPS, Management } from '../../../e2e/support/delivery';
import { KUBERNETES_VERSION } from '../../../e2e/support/versions';
import { recordRun } from '../../../support/compatibility';

const { name: NAME, namespace: NAMESPACE, api: { host: HOST } } = EXPOSURE;
const KONNECTIVITY_HOST = 'tenant-01.konnectivity.example.com';

/** Of a tenant. */
const TESTS = 4;

export interface TenantTestProps {
  /** As its makers write it. */
  readonly system: string;
  platform(): ControlPlanePlatform;
  start(cluster: Cluster): Promise<Operator>;
}

/** One tenant of a real operator, from the manifests to what runs in it. */
export function describeTenant({ system, platform, start }: TenantTestProps): void {
  describe(`a tenant of ${system} behind a shared address`, () => {
    let cluster: Cluster;
    let operator: Operator | undefined;
    let tenant: TenantApiServer;
    let passed = 0;

    /** The objects of the management cluster, with and without a tcp-proxy. */
    function manifests(tcpProxy: boolean): any[] {
      const chart = new Chart(new App({ outdir: mkdtempSync(join(tmpdir(), 'dist-')) }), 'management');
      const tenants = new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.sync() });
      const controlPlane = new IngressExposedControlPlane(chart, NAME, {
        namespace: NAMESPACE,
        // The operator is to give the API server that the tests have the flags of its version.
        kubernetesVersion: KUBERNETES_VERSION,
        hostname: HOST,
        konnectivity: { hostname: KONNECTIVITY_HOST },
        platform: platform(),
        controller: IngressController.haproxy(),
      });
      const charts = tenants.of(controlPlane);
      if (tcpProxy) {
        new TcpProxyAddon(charts, 'tcp-proxy', { controlPlane });
      }
      return chart.toJson().filter(({ apiVersion, kind }: any) => CORE_GROUPS.includes(apiVersion) || kind === 'TenantControlPlane');
    }

    beforeAll(async () => {
      jest.spyOn(process, 'emitWarning').mockImplementation();
      cluster = await Cluster.start({ behindIngress: false, apiServerArgs: ['--service-cluster-ip-range=10.200.0.0/16'] });
      operator = await start(cluster);
      await cluster.kubectl(['create', 'namespace', NAMESPACE]);
      await cluster.apply(manifests(true));
      tenant = await TenantApiServer.start(cluster, NAMESPACE, NAME);
      await startIngress(cluster.folder, { [HOST]: 6443 }, 443);
    }, 600_000);

    afterAll(async () => {
      if (operator) {
        await recordRun({
          system,
          version: operator.version,
          with: `kube-apiserver ${KUBERNETES_VERSION}, HAProxy`,
          what: 'a tenant: the API server with the arguments and Secrets of the operator, kubectl at the public host, konnectivity agents, sync and the certificate of the tcp-proxy',
          result: passed === TESTS ? 'passed' : 'failed',
        });
      }
      await stopParts();
      jest.restoreAllMocks();
    });

    test('answers kubectl at its public host, by the kubeconfig that the operator made', async () => {
      expect(await tenant.kubectl('admin.conf', 'config', 'view', '--output=jsonpath={.clusters[0].cluster.server}')).toBe(`https://${HOST}:443`);
      expect(await tenant.kubectl('admin.conf', 'get', '--raw=/version')).toContain(`v${KUBERNETES_VERSION}`);
      expect(await tenant.kubectl('admin.conf', 'auth', 'whoami', '--output=jsonpath={.status.userInfo.username}')).toBe('kubernetes-admin');
      passed++;
    });

    test('does not write the endpoints that its tcp-proxy owns', async () => {
      expect(await eventually(() => tenant.get('service', 'default', 'kubernetes'))).toBeDefined();
      expect(await tenant.get('endpoints', 'default', 'kubernetes')).toBeUndefined();
      expect(tenant.args.filter(arg => arg.startsWith('--endpoint-reconciler-type'))).toEqual(['--endpoint-reconciler-type=none']);
      passed++;
    });

    test('has konnectivity agents that dial the shared address', async () => {
      const agent = await eventually(() => tenant.get('daemonset', 'kube-system', 'konnectivity-agent'), 180_000);
      expect(agent.spec.template.spec.containers[0].args).toEqual(expect.arrayContaining([`--proxy-server-host=${KONNECTIVITY_HOST}`, '--proxy-server-port=443']));
      passed++;
    }, 200_000);

    test('gets its tcp-proxy and the certificate for it from sync, by the Secrets that the operator made', async () => {
      const management = Management.of(cluster, 'tenant-sync');
      const sync = await management.startSync('sync-operators', 8412);
      await management.synced(sync, 120_000);
      expect(await tenant.get('deployment', 'kube-system', 'tcp-proxy')).toBeDefined();
      expect(await tenant.get('secret', 'kube-system', 'tcp-proxy-tls')).toMatchObject({ type: 'kubernetes.io/tls' });
      passed++;
    }, 180_000);
  });
}
