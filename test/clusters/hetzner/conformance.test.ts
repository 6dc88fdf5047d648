import { HetznerTenant } from './harness';
import { ClusterApiVersion, HetznerAccess, IngressController, K0smotronApiVersion } from '../../../src';
import { CONTROLLERS } from '../../conformance/matrix';

const DIRECT: { [name: string]: HetznerAccess } = {
  LoadBalancer: HetznerAccess.loadBalancer(),
  NodePort: HetznerAccess.nodePort({ host: 'nodes.example.com' }),
};
// A gateway that this library makes needs a chart of its own; its routes are those of gateway-api.
const ACCESSES = [...Object.keys(DIRECT), ...Object.keys(CONTROLLERS).filter(name => !name.includes('of this library'))];
const CELLS = ACCESSES.flatMap(access =>
  Object.values(ClusterApiVersion).flatMap(clusterApiVersion =>
    Object.values(ClusterApiVersion).flatMap(hetznerApiVersion =>
      Object.values(K0smotronApiVersion).map(k0smotronVersion => ({ access, clusterApiVersion, hetznerApiVersion, k0smotronVersion })))));

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('every object of a cluster on Hetzner is valid', () => {
  test.each(CELLS)('$access, Cluster API $clusterApiVersion, Hetzner $hetznerApiVersion, k0smotron $k0smotronVersion', cell => {
    const access = DIRECT[cell.access] ?? HetznerAccess.ingress({
      controller: CONTROLLERS[cell.access](undefined as any, 'example.com') as IngressController, domain: 'example.com',
    });
    const { clusterApiVersion, hetznerApiVersion, k0smotronVersion: apiVersion } = cell;
    const tenant = new HetznerTenant({ access, clusterApiVersion, hetznerApiVersion, controlPlane: { apiVersion } });
    tenant.cluster.addWorkerPool('large', {
      type: 'cpx42',
      placementGroup: 'spread',
      publicIpv4: false,
      publicIpv6: true,
      sshKeyNames: ['other'],
      files: [{ path: '/etc/motd', secret: { name: 'motd', key: 'text' } }],
      preK0sCommands: ['true'],
      postK0sCommands: ['true'],
    });
    expect(tenant.synth().map(({ apiVersion: version, kind }) => `${version} ${kind}`)).toEqual(expect.arrayContaining([
      `cluster.x-k8s.io/${clusterApiVersion} Cluster`,
      `cluster.x-k8s.io/${clusterApiVersion} MachineDeployment`,
      `infrastructure.cluster.x-k8s.io/${hetznerApiVersion} HetznerCluster`,
      `infrastructure.cluster.x-k8s.io/${hetznerApiVersion} HCloudMachineTemplate`,
      `controlplane.cluster.x-k8s.io/${apiVersion} K0smotronControlPlane`,
      `bootstrap.cluster.x-k8s.io/${apiVersion} K0sWorkerConfigTemplate`,
    ]));
  });
});
