import { App, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import {
  ControlPlanePlatform, HetznerAccess, HetznerHostedCluster, HetznerRegion, HypershiftApiPublishing, IngressController, IngressExposedControlPlane,
  K0rdentClusterDeployment, K0rdentConfig, K0smotronJoinToken, ManagementCluster, K0smotronServiceType, K0smotronStorage,
} from '../../src';

type Make = (chart: Chart, name: string) => unknown;

const platform = (make: () => ControlPlanePlatform, controller = IngressController.traefik(), namespace = 'tenants'): Make => (chart, name) =>
  new IngressExposedControlPlane(chart, name, {
    namespace, kubernetesVersion: '1.34.3', domain: `${ManagementCluster.of(chart).name}.example.com`, konnectivity: {}, platform: make(), controller,
  });
const k0smotron = platform(() => ControlPlanePlatform.k0smotron());
const viaClusterApi = platform(() => ControlPlanePlatform.k0smotronControlPlane());
const kine = platform(() => ControlPlanePlatform.k0smotron({ storage: K0smotronStorage.kine('database') }));
const nats = platform(() => ControlPlanePlatform.k0smotron({ storage: K0smotronStorage.nats() }));
const ofType = (serviceType: K0smotronServiceType) => platform(() => ControlPlanePlatform.k0smotron({ serviceType }));
const kamaji = platform(() => ControlPlanePlatform.kamaji());
const steward = platform(() => ControlPlanePlatform.steward());
const kamajiControlPlane = platform(() => ControlPlanePlatform.kamajiControlPlane());
const hypershift = platform(() => ControlPlanePlatform.hypershift({
  releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret', apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER,
}), IngressController.openshift());
const common = { k0sVersion: '1.34.3', region: HetznerRegion.NBG1, workers: { type: 'cpx22' }, sshKeyNames: ['ops'] };
const hetzner: Make = (chart, name) =>
  new HetznerHostedCluster(chart, name, { ...common, namespace: 'tenants', access: HetznerAccess.loadBalancer() });
const k0rdent: Make = (chart, name) => new K0rdentClusterDeployment(chart, name, {
  namespace: 'tenants',
  template: 'hetzner-hosted-cp-1-2-0',
  credential: 'c',
  config: K0rdentConfig.hostedHetzner({ ...common, access: HetznerAccess.loadBalancer() }),
});

/** The errors of an app with control planes under these names, each in a chart of its own. */
function errors(...controlPlanes: [make: Make, name: string, cluster?: string][]): string[] {
  const app = new App();
  controlPlanes.forEach(([make, name, cluster = 'management'], i) => {
    const chart = new Chart(app, `chart-${i}`);
    ManagementCluster.assign(chart, cluster);
    make(chart, name);
  });
  return app.node.validate();
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

test('two control planes whose objects would have one name are told of in one message, with a name that both have', () => {
  const message = 'Service in cluster "management": "tenants/kmc-prod-etcd" is used by both chart-0/prod and chart-1/prod-etcd. ' +
    'Rename one of them. If they go to different clusters, say so before anything is made in them: ManagementCluster.assign(chart, "eu-1").';
  expect(errors([k0smotron, 'prod'], [k0smotron, 'prod-etcd'])).toEqual([message]);
  expect(errors([k0smotron, 'prod'], [viaClusterApi, 'prod-etcd'])).toEqual([message]);
});

test.each<[string, Make, string, Make, string]>([
  ['etcd of one and the API server of the other', k0smotron, 'prod', k0smotron, 'prod-etcd'],
  ['the same, one by Cluster API', viaClusterApi, 'prod', k0smotron, 'prod-etcd'],
  ['the same, without shared address', hetzner, 'prod', k0smotron, 'prod-etcd'],
  ['the same, from k0rdent\'s chart', k0rdent, 'prod', k0smotron, 'prod-etcd'],
  ['NATS of one and the API server of the other', nats, 'prod', k0smotron, 'prod-nats'],
  ['the load balancer of one and the ClusterIP of the other', ofType(K0smotronServiceType.LOAD_BALANCER), 'prod', k0smotron, 'prod-lb'],
  ['the node ports of one and the ClusterIP of the other', ofType(K0smotronServiceType.NODE_PORT), 'prod', k0smotron, 'prod-nodeport'],
  ['the entrypoint of one and the configuration of the other', k0smotron, 'prod', k0smotron, 'entrypoint-prod'],
  ['the telemetry of one and the configuration of the other', k0smotron, 'prod', k0smotron, 'prod-telemetry'],
  ['the CA of two systems', k0smotron, 'prod', kamaji, 'prod'],
  ['the objects of a cluster of k0rdent and of one of Cluster API', k0rdent, 'prod', hetzner, 'prod'],
  ['the Services of two systems', k0smotron, 'prod', kamaji, 'kmc-prod'],
  ['the kubeconfig that Cluster API wants and the administrator\'s', kamajiControlPlane, 'prod-admin', kamaji, 'prod'],
  ['the same, of k0smotron', k0smotron, 'prod-admin', kamajiControlPlane, 'prod'],
  ['the kubeconfigs of HyperShift and Steward', hypershift, 'prod', steward, 'prod'],
  ['the TenantControlPlane of Cluster API\'s provider and another', kamajiControlPlane, 'prod', kamaji, 'prod'],
])('%s: an error for two control planes of one namespace, none in two clusters', (_, one, name, other, otherName) => {
  expect(errors([one, name], [other, otherName])).toContainEqual(expect.stringMatching(/ in cluster "management": "tenants\/.*" (is used by|of) both /));
  expect(errors([one, name, 'one'], [other, otherName, 'two'])).toEqual([]);
});

test.each<[string, Make, string, Make, string]>([
  ['a database outside needs no etcd', kine, 'prod', kine, 'prod-etcd'],
  ['etcd is no NATS', k0smotron, 'prod', k0smotron, 'prod-nats'],
  ['a ClusterIP is no load balancer', k0smotron, 'prod', k0smotron, 'prod-lb'],
  ['Kamaji keeps to its prefix', kamaji, 'prod', kamaji, 'prod-admin'],
  ['Steward too', steward, 'prod', kamaji, 'prod-konnectivity'],
])('%s: no message', (_, one, name, other, otherName) => {
  expect(errors([one, name], [other, otherName])).toEqual([]);
});

test('one control plane is never in conflict with itself, whatever it is called', () => {
  const makes = [k0smotron, viaClusterApi, nats, kamaji, steward, kamajiControlPlane, hypershift, hetzner, k0rdent];
  fc.assert(fc.property(fc.constantFrom(...makes), fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/), (make, name) => {
    expect(errors([make, name])).toEqual([]);
  }), { numRuns: 60 });
});

test('a join token takes the name of its request and of its Secret', () => {
  const app = new App();
  const chart = new Chart(app, 'management');
  const controlPlane = k0smotron(chart, 'prod') as IngressExposedControlPlane;
  new K0smotronJoinToken(chart, 'token', { controlPlane });
  expect(app.node.validate()).toEqual([]);
  new K0smotronJoinToken(chart, 'ca', { controlPlane, name: 'prod-ca' });
  expect(app.node.validate()).toEqual([expect.stringMatching(/^Secret in cluster "management": "tenants\/prod-ca" is used by both management\/ca and management\/prod\./)]);
});
