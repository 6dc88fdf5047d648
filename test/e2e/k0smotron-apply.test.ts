import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { Cluster } from './support/cluster';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon } from '../../src';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { CRD_FOLDER } from '../support/crd-schemas';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start();
  await cluster.kubectl(['apply', '--server-side', `--filename=${join(CRD_FOLDER, 'k0smotron.io_clusters.json')}`]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  await cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenants' } }]);
}, 180_000);

afterAll(stopParts);

function clusterOf(name: string, certSans?: string[]): object {
  const app = new App();
  const controlPlane = new IngressExposedControlPlane(new Chart(app, 'management'), name, {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    konnectivity: {},
    certSans,
    platform: ControlPlanePlatform.k0smotron(),
    controller: IngressController.haproxy(),
  });
  new TcpProxyAddon(new Chart(app, 'tenant'), 'tcp-proxy', { controlPlane });
  return controlPlane.platformObject.toJson();
}

/** What k0smotron patches into the spec when it has reconciled (its `generateConfig`, `reconcileIngress`, `ensureCertificates`). */
async function reconcile(name: string): Promise<void> {
  const host = `${name}.k8s.example.com`;
  const konnectivityHost = `${name}.konnectivity.example.com`;
  const spec = {
    certificateRefs: [{ type: 'ca', name: `${name}-ca` }],
    manifests: [{ name: `kmc-${name}-ingress`, configMap: { name: `kmc-${name}-ingress` } }],
    k0sConfig: {
      spec: {
        api: {
          port: 30443,
          externalAddress: `${host}:443`,
          extraArgs: { 'endpoint-reconciler-type': 'none' },
          sans: ['10.43.7.7', '127.0.0.1', `kmc-${name}`, 'localhost', host, konnectivityHost],
        },
        konnectivity: { agentPort: 30132, externalAddress: konnectivityHost },
        storage: { type: 'etcd' },
      },
    },
  };
  await cluster.kubectl(['patch', 'clusters.k0smotron.io', name, '--namespace=tenants', '--type=merge', '--field-manager=k0smotron', `--patch=${JSON.stringify({ spec })}`]);
}

const sansOf = async (name: string) => (await cluster.get('clusters.k0smotron.io', 'tenants', name)).spec.k0sConfig.spec.api.sans;

test('a Cluster that k0smotron has written to is applied again, from the server\'s side, without a conflict', async () => {
  const manifest = clusterOf('server-side');
  await eventually(() => cluster.apply([manifest], '--server-side', '--field-manager=platform'), 30_000);
  await reconcile('server-side');
  await cluster.apply([manifest], '--server-side', '--field-manager=platform');
  expect(await sansOf('server-side')).toContain('10.43.7.7');
}, 120_000);

test('and from the client\'s side without a change', async () => {
  const manifest = clusterOf('client-side');
  await eventually(() => cluster.apply([manifest]), 30_000);
  await reconcile('client-side');
  expect(await cluster.apply([manifest])).toContain('client-side unchanged');
  expect(await sansOf('client-side')).toContain('10.43.7.7');
}, 120_000);

test('names of the user\'s are in conflict with what k0smotron writes, as the warning says', async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
  const manifest = clusterOf('own-names', ['api.internal.example.com']);
  await eventually(() => cluster.apply([manifest], '--server-side', '--field-manager=platform'), 30_000);
  await reconcile('own-names');
  await expect(cluster.apply([manifest], '--server-side', '--field-manager=platform')).rejects.toThrow(/conflict with "k0smotron".*\.spec\.k0sConfig\.spec\.api\.sans/s);
  await cluster.apply([manifest], '--server-side', '--field-manager=platform', '--force-conflicts');
}, 120_000);
