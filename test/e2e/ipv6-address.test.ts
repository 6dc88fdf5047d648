import { App, Chart, Testing } from 'cdk8s';
import { Agent } from './support/agent';
import { Cluster } from './support/cluster';
import { Gateway } from './support/gateway';
import { IngressExposedControlPlane, KubernetesServiceEndpoints, KubernetesServicePath, SharedIngressGateway } from '../../src';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { PlainPlatform } from '../support/plain';

jest.setTimeout(240_000);
afterAll(stopParts);

const PREFIX = '2001:db8:1::/64';
const IPV6 = { serviceCidrs: ['fd00:10:96::/112'], podCidrs: ['fd00:10:244::/56'] };

let cluster: Cluster;
let controlPlane: IngressExposedControlPlane;
let tenant: object[];

beforeAll(async () => {
  cluster = await Cluster.start({
    behindIngress: false, apiServerArgs: [`--service-cluster-ip-range=${IPV6.serviceCidrs[0]}`, '--advertise-address=2001:db8:99::1'],
  });
  const app = new App({ outdir: 'unwritten' });
  const management = new Chart(app, 'management');
  const edge = new SharedIngressGateway(management, 'edge', { namespace: 'edge', addressRange: { prefix: PREFIX } });
  controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    platform: new PlainPlatform(),
    controller: edge.asController(),
    network: IPV6,
    kubernetesService: KubernetesServicePath.ipv6Address(),
  });
  const chart = new Chart(app, 'tenant');
  new KubernetesServiceEndpoints(chart, 'kubernetes', { controlPlane });
  tenant = Testing.synth(chart);
  expect((await new Agent(['address', `--local-network=${PREFIX}`, '--once']).exited).code).toBe(0);

  const { exposure } = controlPlane;
  const route = { ...exposure.addressRoute!, servicePort: cluster.port };
  await Gateway.start([{ exposure, routes: [route], address: { address: exposure.kubernetesEndpoint!.addresses[0], route } }], [],
    { addressPort: exposure.kubernetesEndpoint!.port });
}, 240_000);

/** kubectl with the administrator's client certificate, at an endpoint, by the in-cluster name. */
function kubectlAt(address: string, port: number, ...args: string[]): Promise<string> {
  return cluster.kubectl(args, {
    as: [
      `--server=https://[${address}]:${port}`, '--tls-server-name=kubernetes.default.svc', `--certificate-authority=${cluster.caFile}`,
      `--client-certificate=${cluster.file('admin.crt')}`, `--client-key=${cluster.file('admin.key')}`,
    ],
  });
}

test('the endpoints of an IPv6 tenant are an address of the gateway, where a client certificate arrives and other addresses lead nowhere', async () => {
  await cluster.apply(tenant);
  const service = await eventually(() => cluster.get('service', 'default', 'kubernetes'), 30_000);
  expect(service.spec).toMatchObject({ ipFamilies: ['IPv6'], clusterIP: 'fd00:10:96::1' });
  const { items } = JSON.parse(await cluster.kubectl(['get', 'endpointslices', '--namespace=default', '--selector=kubernetes.io/service-name=kubernetes', '--output=json']));
  expect(items.map(({ addressType }: any) => addressType)).toEqual(service.spec.ipFamilies);
  const [{ endpoints: [{ addresses: [address] }], ports: [{ port }] }] = items;
  expect([address, port]).toEqual([controlPlane.exposure.kubernetesEndpoint!.addresses[0], 7443]);

  expect(await kubectlAt(address, port, 'auth', 'whoami', '--output=jsonpath={.status.userInfo.username}')).toBe('admin');
  expect((await kubectlAt(address, port, 'get', 'namespaces', '--output=name')).split('\n')).toContain('namespace/default');
  await expect(kubectlAt('2001:db8:1::1', port, 'get', 'namespaces', '--request-timeout=5s')).rejects.toThrow(/EOF|reset|closed/);
});
