import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, IngressExposedControlPlane, K0smotronApiVersion, K0smotronIngressProps, K0smotronServiceType, TcpProxyAddon,
  TcpProxyEndpoints, TcpProxyPlacement,
} from '../../../src';
import { CONTROLLERS } from '../../conformance/matrix';
import { routedHosts } from '../../support/route-hosts';
import { expectValid } from '../../support/schemas';

type Props = Pick<K0smotronIngressProps, 'apiVersion' | 'serviceType' | 'apiPort' | 'konnectivityPort'>;

const PLATFORMS: { [name: string]: (props: Props) => ControlPlanePlatform } = {
  Cluster: props => ControlPlanePlatform.k0smotron(props),
  K0smotronControlPlane: props => ControlPlanePlatform.k0smotronControlPlane(props),
};

const CELLS = Object.keys(PLATFORMS).flatMap(platform =>
  Object.values(K0smotronApiVersion).flatMap(apiVersion =>
    Object.values(K0smotronServiceType).flatMap(serviceType =>
      Object.keys(CONTROLLERS).map(controller => ({ platform, apiVersion, serviceType, controller })))));
const CELL = '$platform $apiVersion, $serviceType, $controller';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

function synth(cell: typeof CELLS[number], tcpProxy = false): { management: any[]; tenants: any[]; controlPlanes: IngressExposedControlPlane[] } {
  const app = new App();
  const management = new Chart(app, 'management');
  const controller = CONTROLLERS[cell.controller](management, 'example.com');
  const versions = { apiVersion: cell.apiVersion, serviceType: cell.serviceType };
  const controlPlanes = ['tenant-01', 'tenant-02'].map((name, i) => new IngressExposedControlPlane(management, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    konnectivity: {},
    platform: PLATFORMS[cell.platform]({ ...versions, apiPort: 30443 + i, konnectivityPort: 30132 + i }),
    controller,
  }));
  const tenants = tcpProxy ? controlPlanes.map(controlPlane => {
    const chart = new Chart(app, controlPlane.exposure.name);
    new TcpProxyAddon(chart, 'tcp-proxy', {
      controlPlane, namespace: 'default', placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.kubernetesService(),
    });
    return chart;
  }) : [];
  app.synthYaml();
  return { management: management.toJson(), tenants: tenants.flatMap(chart => chart.toJson()), controlPlanes };
}

describe('every object of k0smotron is valid', () => {
  test.each(CELLS)(CELL, cell => {
    synth(cell).management.forEach(expectValid);
  });

  const PATCHABLE = CELLS.filter(cell => cell.apiVersion === K0smotronApiVersion.V1BETA2 && cell.serviceType === K0smotronServiceType.CLUSTER_IP);
  test.each(PATCHABLE)(`${CELL}, with a TcpProxyAddon`, cell => {
    const { management, tenants } = synth(cell, true);
    [...management, ...tenants].forEach(expectValid);
  });
});

describe('every SNI host of k0smotron has exactly one route, to a Service that k0smotron makes', () => {
  test.each(CELLS)(CELL, cell => {
    const { management, controlPlanes } = synth(cell);
    expect(routedHosts(management).sort()).toEqual(controlPlanes.flatMap(({ routes }) => routes.map(route => route.hostname)).sort());

    const suffix = { ClusterIP: '', NodePort: '-nodeport', LoadBalancer: '-lb' }[cell.serviceType];
    expect(controlPlanes.map(({ routes }) => routes[0].serviceName)).toEqual([`kmc-tenant-01${suffix}`, `kmc-tenant-02${suffix}`]);
  });
});
