import { X509Certificate } from 'crypto';
import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { Datastore, startDatastore } from './datastore';
import { Network, ownNetwork } from './network';
import { Operator } from './operator';
import { TenantApiServer } from './tenant-api-server';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantControlPlaneProps, TenantDelivery } from '../../../../src';
import { eventually } from '../../../data-path/support/eventually';
import { stopParts } from '../../../data-path/support/parts';
import { Cluster, EXPOSURE } from '../../../e2e/support/cluster';
import { KUBERNETES_VERSION } from '../../../e2e/support/versions';
import { recordRun } from '../../../support/compatibility';

/*
 * A tenant moves from one management cluster to another, each with an operator, by the steps of docs/moving.md that concern operators. The
 * address of the tenant and what it is delivered are those of test/e2e/tenant-move.test.ts.
 */

const { name: NAME, namespace: NAMESPACE, api: { host: HOST } } = EXPOSURE;
/** Of docs/moving.md, step 1. */
const SECRETS = ['ca', 'front-proxy-ca-certificate', 'sa-certificate', 'datastore-config'];
/** Of a move. */
const TESTS = 7;

export interface MoveTestProps {
  /** As its makers write it. */
  readonly system: string;
  /** API group of its kinds. */
  readonly group: string;
  platform(props?: TenantControlPlaneProps): ControlPlanePlatform;
  start(cluster: Cluster, datastore: Datastore, network: Network): Promise<Operator>;
}

/** A management cluster. */
class Site {
  public static async start(number: number): Promise<Site> {
    const cluster = await Cluster.start({ behindIngress: false, apiServerArgs: [`--service-cluster-ip-range=10.20${number}.0.0/16`, '--bind-address=0.0.0.0'] });
    await cluster.kubectl(['create', 'namespace', NAMESPACE]);
    return new Site(cluster, ownNetwork(cluster, number));
  }

  public tenant!: TenantApiServer;

  private constructor(public readonly cluster: Cluster, public readonly network: Network) {}

  public async secret(suffix: string): Promise<any> {
    return this.cluster.get('secret', NAMESPACE, `${NAME}-${suffix}`);
  }

  public async startTenant(): Promise<void> {
    this.tenant = await TenantApiServer.start(this.cluster, NAMESPACE, NAME, this.network);
  }
}

/** One tenant of two real operators, one after the other. */
export function describeMove({ system, group, platform, start }: MoveTestProps): void {
  describe(`a tenant of ${system} moves to another management cluster`, () => {
    const resource = `tenantcontrolplanes.${group}`;
    let operator: Operator | undefined;
    let [old, next]: Site[] = [];
    let passed = 0;
    /** Of the first administrator, whom kubeconfigs everywhere may name. */
    let identity: string[];
    let token: string;

    function manifests(props?: TenantControlPlaneProps): any[] {
      const chart = new Chart(new App({ outdir: mkdtempSync(join(tmpdir(), 'dist-')) }), 'management');
      const tenants = new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.sync() });
      const controlPlane = new IngressExposedControlPlane(chart, NAME, {
        namespace: NAMESPACE,
        kubernetesVersion: KUBERNETES_VERSION,
        hostname: HOST,
        konnectivity: { hostname: 'tenant-01.konnectivity.example.com' },
        platform: platform(props),
        controller: IngressController.haproxy(),
      });
      new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
      return chart.toJson().filter(({ kind }: any) => kind === 'TenantControlPlane');
    }

    const controlPlane = (site: Site) => site.cluster.get(resource, NAMESPACE, NAME);
    const statusOf = async (site: Site) => (await controlPlane(site))?.status.kubernetesResources.version.status;
    const patch = (site: Site, body: object) =>
      site.cluster.kubectl(['patch', resource, NAME, '--namespace', NAMESPACE, '--type=merge', '--patch', JSON.stringify(body)]);
    /** What a tenant is: its data, the keys of its tokens, and who its administrator is. */
    async function seen({ tenant }: Site): Promise<string[]> {
      return Promise.all([
        tenant.kubectl('super-admin.svc', 'get', '--raw=/openid/v1/jwks'),
        tenant.kubectl('super-admin.svc', 'get', 'namespace', 'kube-system', '--output=jsonpath={.metadata.uid}'),
        tenant.kubectl('super-admin.svc', 'get', 'configmap', '--namespace=default', 'of-the-tenant', '--output=jsonpath={.data.key}'),
      ]);
    }
    const whoami = ({ cluster, tenant }: Site, flags: string[]) =>
      cluster.kubectl(['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'], { as: [...flags, ...tenant.atService] });

    beforeAll(async () => {
      jest.spyOn(process, 'emitWarning').mockImplementation();
      [old, next] = [await Site.start(1), await Site.start(2)];
      const datastore = await startDatastore(old.cluster);
      operator = await start(old.cluster, datastore, old.network);
      await start(next.cluster, datastore, next.network);
      await old.cluster.apply(manifests());
      await old.startTenant();
      await old.tenant.kubectl('super-admin.svc', 'create', 'configmap', '--namespace=default', 'of-the-tenant', '--from-literal=key=value');
      await old.tenant.kubectl('super-admin.svc', 'create', 'serviceaccount', '--namespace=default', 'app');
      token = (await old.tenant.kubectl('super-admin.svc', 'create', 'token', '--namespace=default', 'app')).trim();
      identity = await old.tenant.as('super-admin.svc');
      await eventually(async () => await statusOf(old) === 'Ready', 120_000);
    }, 900_000);

    afterAll(async () => {
      if (operator) {
        await recordRun({
          system,
          version: operator.version,
          with: `kube-apiserver ${KUBERNETES_VERSION}, etcd`,
          what: 'a tenant moves between two management clusters, each with its operator, on one datastore: Secrets that came along are kept, both API servers serve the same tenant, '
            + 'the old control plane goes without the data',
          result: passed === TESTS ? 'passed' : 'failed',
        });
      }
      await stopParts();
      jest.restoreAllMocks();
      passed++;
    });

    test('the operator keeps the Secrets that came along, and takes the part of the datastore that it is told', async () => {
      const { schema, user } = (await controlPlane(old)).status.storage.setup;
      const copies = await Promise.all(SECRETS.map(suffix => old.secret(suffix)));
      await next.cluster.apply(copies.map(({ apiVersion, kind, type, data, metadata: { name, namespace, labels, annotations } }) =>
        ({ apiVersion, kind, type, data, metadata: { name, namespace, labels, annotations } })));
      await next.cluster.apply(manifests({ dataStoreSchema: schema, dataStoreUsername: user }));
      await next.startTenant();
      const kept = await Promise.all(SECRETS.map(suffix => next.secret(suffix)));
      expect(kept.map(({ data }) => data)).toEqual(copies.map(({ data }) => data));
      expect((await controlPlane(next)).status.storage.setup).toMatchObject({ schema, user });
      await eventually(async () => await statusOf(next) === 'Ready', 120_000);
      passed++;
    }, 600_000);

    test('both API servers serve one tenant: its data, the keys of its tokens, its certificates', async () => {
      expect(await seen(next)).toEqual(await seen(old));
      await old.tenant.kubectl('super-admin.svc', 'create', 'configmap', '--namespace=default', 'by-the-old', '--from-literal=key=value');
      await next.tenant.kubectl('super-admin.svc', 'create', 'configmap', '--namespace=default', 'by-the-new', '--from-literal=key=value');
      expect(await next.tenant.get('configmap', 'default', 'by-the-old')).toBeDefined();
      expect(await old.tenant.get('configmap', 'default', 'by-the-new')).toBeDefined();
      expect(await whoami(next, identity)).toBe('kubernetes-super-admin');
      const ca = next.tenant.caFile(Buffer.from((await old.secret('ca')).data['ca.crt'], 'base64').toString());
      expect(await whoami(next, ['--kubeconfig=/dev/null', `--token=${token}`, `--certificate-authority=${ca}`])).toBe('system:serviceaccount:default:app');
      passed++;
    });

    test('both operators go on, with what came along as it is', async () => {
      const versionOf = async (site: Site, suffix: string) => (await site.secret(suffix)).metadata.resourceVersion;
      const versions = () => Promise.all([old, next].flatMap(site => SECRETS.map(suffix => versionOf(site, suffix))));
      const before = await versions();
      for (const { cluster } of [old, next]) {
        await cluster.kubectl(['delete', 'secret', `${NAME}-api-server-certificate`, '--namespace', NAMESPACE]);
      }
      const renewed = await eventually(async () => {
        const secrets = await Promise.all([old, next].map(site => site.secret('api-server-certificate')));
        return secrets.every(secret => secret?.data) ? secrets : undefined;
      }, 120_000);
      const ca = new X509Certificate(Buffer.from((await old.secret('ca')).data['ca.crt'], 'base64'));
      expect(renewed.map(({ data }) => new X509Certificate(Buffer.from(data['apiserver.crt'], 'base64')).verify(ca.publicKey))).toEqual([true, true]);
      expect(await versions()).toEqual(before);
      passed++;
    }, 200_000);

    test('the old control plane sleeps with no replicas', async () => {
      await old.cluster.apply(manifests({ replicas: 0 }));
      await eventually(async () => (await old.cluster.get('deployment', NAMESPACE, NAME)).spec.replicas === 0, 60_000);
      await old.tenant.stop();
      await old.tenant.report();
      await eventually(async () => await statusOf(old) === 'Sleeping', 60_000);
      passed++;
    }, 200_000);

    test('paused and without finalizers it goes, and the data stays', async () => {
      await patch(old, { metadata: { annotations: { [`${group}/paused`]: '' } } });
      await patch(old, { metadata: { finalizers: null } });
      await old.cluster.kubectl(['delete', resource, NAME, '--namespace', NAMESPACE, '--timeout=60s']);
      expect(await controlPlane(old)).toBeUndefined();
      // A new process asks the datastore who it is.
      await next.tenant.stop();
      await next.tenant.restart();
      expect((await seen(next))[2]).toBe('value');
      await next.tenant.kubectl('super-admin.svc', 'create', 'configmap', '--namespace=default', 'after-the-move');
      passed++;
    }, 200_000);

    test('what is left of it is the Secret of the datastore, whose finalizer nobody takes away', async () => {
      const { metadata } = await old.secret('datastore-config');
      expect(metadata.finalizers).toEqual([expect.stringContaining('datastore-secret')]);
      passed++;
    });

    test('one that is deleted as any other object takes the data with it', async () => {
      await next.cluster.kubectl(['delete', resource, NAME, '--namespace', NAMESPACE, '--timeout=120s']);
      // The API server breaks connections off while it learns that the datastore does not know it any more.
      const toldOf = () => seen(next).then(() => 'nothing', (error: Error) => error.message);
      await eventually(async () => (await toldOf()).includes('permission denied'), 60_000);
      passed++;
    }, 200_000);
  });
}
