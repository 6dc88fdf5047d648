import { execFileSync } from 'child_process';
import { createHash } from 'crypto';
import { mkdtempSync, readdirSync } from 'fs';
import { createServer, Server } from 'http';
import { AddressInfo } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart, Yaml } from 'cdk8s';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantDelivery,
} from '../../src';
import { provided } from './support/provided';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { Cluster, EXPOSURE } from '../e2e/support/cluster';
import { CORE_GROUPS, Management } from '../e2e/support/delivery';
import { Process } from '../e2e/support/process';
import { KUBERNETES_VERSION } from '../e2e/support/versions';
import { recordRun } from '../support/compatibility';

/** Flux' kustomize-controller, and a folder with its definition and those of source-controller. */
const [KUSTOMIZE_CONTROLLER, FLUX_DEFINITIONS] = provided('flux');
const NAMESPACE = 'tenant-certificates';
/** What the tests look at, each once it was seen. */
const seen: string[] = [];
const TESTS = 3;

let management: Management;
let tenant: Cluster;
let artifacts: Server;

/** Commits what an app wrote: the tests play source-controller. */
async function push(repository: string): Promise<void> {
  const archive = execFileSync('tar', ['--create', '--gzip', '--directory', repository, '.'], { maxBuffer: 2 ** 26 });
  const digest = createHash('sha256').update(archive).digest('hex');
  artifacts?.close();
  artifacts = createServer((_, response) => response.end(archive));
  await new Promise<void>(resolve => artifacts.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(artifacts.address() as AddressInfo).port}/${digest}.tar.gz`;
  const now = new Date().toISOString();
  await management.cluster.apply([{
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'fleet', namespace: EXPOSURE.namespace },
    spec: { url: 'https://git.example.com/fleet.git', interval: '10m' },
  }]);
  await management.cluster.kubectl(['patch', 'gitrepository', 'fleet', '--namespace', EXPOSURE.namespace, '--subresource=status', '--type=merge', '--patch', JSON.stringify({
    status: {
      observedGeneration: 1,
      conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', message: 'stored', lastTransitionTime: now }],
      artifact: { url, path: `${digest}.tar.gz`, digest: `sha256:${digest}`, revision: `main@sha1:${digest.slice(0, 40)}`, lastUpdateTime: now, size: archive.length },
    },
  })]);
}

describe('with the controller of Flux', () => {
  let manifests: any[];
  let flux: Process;

  beforeAll(async () => {
    [management, tenant] = await Promise.all([Management.start(NAMESPACE), Cluster.start()]);
    await tenant.apply([{
      apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'kube-system' }, data: { 'ca.crt': tenant.ca.certificate },
    }]);
    const definitions = readdirSync(FLUX_DEFINITIONS).flatMap(file => Yaml.load(join(FLUX_DEFINITIONS, file))).filter(Boolean);
    await management.cluster.apply(definitions, '--server-side');
    await management.cluster.kubectl(['wait', '--for=condition=Established', 'customresourcedefinitions', '--all', '--timeout=60s']);
    flux = new Process('env', [
      `KUBECONFIG=${management.cluster.file('admin.conf')}`, 'RUNTIME_NAMESPACE=flux-system', KUSTOMIZE_CONTROLLER,
      '--watch-all-namespaces', '--metrics-addr=127.0.0.1:18080', '--health-addr=127.0.0.1:19440', '--log-level=info',
    ]);

    const repository = mkdtempSync(join(tmpdir(), 'repository-'));
    const app = new App({ outdir: join(repository, 'dist') });
    const chart = new Chart(app, 'management');
    const tenants = new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.flux({ source: { name: 'fleet' }, retryInterval: '5s', wait: false }) });
    const controlPlane = new IngressExposedControlPlane(chart, EXPOSURE.name, {
      namespace: EXPOSURE.namespace,
      kubernetesVersion: '1.32.13',
      hostname: EXPOSURE.api.host,
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji(),
      controller: IngressController.haproxy(),
    });
    new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
    app.synth();
    manifests = chart.toJson().filter(({ apiVersion, kind }: any) => CORE_GROUPS.includes(apiVersion) || kind === 'Kustomization');
    await push(repository);
  }, 240_000);

  afterAll(stopParts);
  afterAll(() => artifacts?.close());
  afterAll(() => recordRun({
    system: 'Flux kustomize-controller',
    version: /flux-([\d.]+)-/.exec(KUSTOMIZE_CONTROLLER!)![1],
    with: `kube-apiserver ${KUBERNETES_VERSION}`,
    what: 'TenantDelivery.flux(): a tenant\'s objects and certificate, reconciliation, removal',
    result: seen.length === TESTS ? 'passed' : 'failed',
  }));

  test('the objects come from the source, and the certificate from sync', async () => {
    await management.cluster.apply(manifests);
    const sync = await management.startSync('sync-flux', 8411);
    await management.writeSecrets(tenant);
    await management.synced(sync, 120_000);
    await eventually(async () => {
      if (await tenant.get('deployment', 'kube-system', 'tcp-proxy') === undefined) {
        throw new Error(flux.output.slice(-4000));
      }
      return true;
    }, 120_000);
    const { volumes } = (await tenant.get('deployment', 'kube-system', 'tcp-proxy')).spec.template.spec;
    expect(await tenant.get('secret', 'kube-system', volumes.find((volume: any) => volume.name === 'tls').secret.secretName)).toMatchObject({ type: 'kubernetes.io/tls' });
    expect(await tenant.get('configmap', 'kube-system', volumes.find((volume: any) => volume.name === 'ca').configMap.name)).toBeDefined();
    seen.push('delivery');
  }, 300_000);

  test('Flux leaves what sync keeps alone, and has no list of it', async () => {
    const before = await tenant.get('secret', 'kube-system', 'tcp-proxy-tls');
    await management.cluster.kubectl(['annotate', '--overwrite', 'kustomization', EXPOSURE.name, '--namespace', EXPOSURE.namespace, 'reconcile.fluxcd.io/requestedAt=now']);
    await eventually(async () => (await management.cluster.get('kustomization', EXPOSURE.namespace, EXPOSURE.name)).status.lastHandledReconcileAt === 'now', 120_000);
    expect((await tenant.get('secret', 'kube-system', 'tcp-proxy-tls')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    const { entries } = (await management.cluster.get('kustomization', EXPOSURE.namespace, EXPOSURE.name)).status.inventory;
    expect(JSON.stringify(entries)).not.toMatch(/tcp-proxy-tls|tcp-proxy-ca/);
    seen.push('what sync keeps is left alone');
  }, 180_000);

  test('a tenant that leaves has all of it taken away, by Flux and by sync', async () => {
    await management.removeBundle();
    await management.cluster.kubectl(['delete', 'kustomization', EXPOSURE.name, '--namespace', EXPOSURE.namespace, '--timeout=120s']);
    await eventually(async () => await management.status() === undefined, 60_000);
    for (const [kind, name] of [['secret', 'tcp-proxy-tls'], ['configmap', 'tcp-proxy-ca'], ['deployment', 'tcp-proxy'], ['serviceaccount', 'tcp-proxy']]) {
      expect([name, await tenant.get(kind, 'kube-system', name)]).toEqual([name, undefined]);
    }
    seen.push('removal');
  }, 240_000);
});
