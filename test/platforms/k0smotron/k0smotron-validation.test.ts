import { HOSTS, K0smotronTenant } from './k0smotron-harness';
import {
  ControlPlanePlatform, IngressController, K0smotronClusterProps, K0smotronPatchType, K0smotronServiceType, K0smotronStorage, TlsService,
} from '../../../src';

const standalone = (props?: K0smotronClusterProps) => ControlPlanePlatform.k0smotron(props);

const SERVICE_PATCH = {
  kind: 'Service', component: 'control-plane', type: K0smotronPatchType.JSON, content: [{ op: 'add', path: '/spec/ports/-', value: { name: 'oauth', port: 9443 } }],
};

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('wrong input', () => {
  const tenant = (props: ConstructorParameters<typeof K0smotronTenant>[1]) => () => new K0smotronTenant(standalone(), props);

  test.each<[string, () => unknown, string]>([
    ['no konnectivity', tenant({ konnectivity: undefined }), 'konnectivity: is not set, but k0smotron runs konnectivity always'],
    ['konnectivity on a port of its own', tenant({ konnectivity: { hostname: 'k.example.com', port: 8132 } }),
      'konnectivity.port: 8132 differs from the API server\'s, 443; k0smotron knows one public port. Leave it out'],
    ['equal hosts', tenant({ konnectivity: { hostname: HOSTS.hostname } }), 'is also the endpoint of kube-apiserver'],
    ['a wildcard host', tenant({ hostname: '*.example.com' }), 'hostname: "*.example.com" is a wildcard'],
    ['an old k0s', tenant({ kubernetesVersion: '1.34.0' }), 'kubernetesVersion: "v1.34.0+k0s.0" is older than 1.34.1'],
    ['a distribution that is not k0s', tenant({ kubernetesVersion: '1.34.3+rke2r1' }), 'kubernetesVersion: "1.34.3+rke2r1" is not a version of k0s'],
    ['dual stack', tenant({ network: { serviceCidrs: ['10.96.0.0/16', 'fd00::/112'], podCidrs: ['10.244.0.0/16', 'fd00:1::/64'] } }), 'network.serviceCidrs: ["10.96.0.0/16","fd00::/112"] does not work'],
    ['IPv6', tenant({ network: { serviceCidrs: ['fd00::/112'], podCidrs: ['fd00:1::/64'] } }), 'network.serviceCidrs: ["fd00::/112"] does not work: k0smotron\'s Service kubernetes in the tenant is IPv4 only'],
    ['a DNS address of its own', tenant({ network: { dnsServiceIps: ['10.96.0.53'] } }),
      'network.dnsServiceIps: ["10.96.0.53"] cannot be chosen: k0s gives its DNS the tenth address, 10.96.0.10'],
    ['a TLS service on a port that k0smotron\'s Service lacks', tenant({ tlsServices: [{ name: 'oauth', hostname: 'oauth.example.com', servicePort: 9443 }] }),
      'tlsServices "oauth": 9443 is not a port of k0smotron\'s Service kmc-tenant-01, which has 30443 and 30132 alone. Name the Service that has it in serviceName'],
    ['equal ports', () => standalone({ apiPort: 8132, konnectivityPort: 8132 }), 'konnectivityPort: 8132 is also the apiPort'],
    ['a reserved konnectivity port', () => standalone({ konnectivityPort: 443 }), 'konnectivityPort: 443 is refused by the konnectivity server as reserved or ephemeral'],
    ['an ephemeral konnectivity port', () => standalone({ konnectivityPort: 50000 }), 'Give one from 1024 to 49151'],
    ['a port out of range', () => standalone({ apiPort: 70000 }), 'apiPort: 70000 is not a port'],
    ['a name of the K0smotronControlPlane that is none', () => ControlPlanePlatform.k0smotronControlPlane({ controlPlaneName: 'Bad Name' }),
      'controlPlaneName: "Bad Name" is not a valid name'],
    ['no replicas', () => standalone({ replicas: 0 }), 'replicas: 0 is not a number of replicas'],
    ['node-local load balancing', () => standalone({ k0sConfig: { network: { nodeLocalLoadBalancing: { enabled: true } } } }),
      'k0sConfig.network.nodeLocalLoadBalancing.enabled: true is refused by k0s together with an external address'],
    ['dual stack in the k0s configuration', () => standalone({ k0sConfig: { network: { dualStack: { enabled: true } } } }),
      'k0sConfig.network.dualStack.enabled: true does not work'],
    ['a SAN beside the exposure', () => standalone({ k0sConfig: { api: { sans: ['a'] } } }), 'k0sConfig.api.sans: ["a"] would be overwritten'],
    ['an external address beside the exposure', () => standalone({ k0sConfig: { api: { externalAddress: 'a' } } }), 'Use "hostname" and "port" of the control plane'],
    ['another endpoint reconciler', () => standalone({ k0sConfig: { api: { extraArgs: { 'endpoint-reconciler-type': 'lease' } } } }),
      'k0sConfig.api.extraArgs.endpoint-reconciler-type: "lease" would be overwritten'],
    ['a network beside the exposure', () => standalone({ k0sConfig: { network: { serviceCIDR: '10.0.0.0/16' } } }), 'Use "network.serviceCidrs"'],
    ['a storage beside the typed one', () => standalone({ k0sConfig: { storage: { type: 'kine' } } }), 'Use "storage"'],
    ['a whole ClusterConfig', () => standalone({ k0sConfig: { kind: 'ClusterConfig', spec: {} } }), 'is a whole ClusterConfig. Give the content of its "spec"'],
    ['a flag that is none', () => standalone({ controlPlaneFlags: ['debug'] }), 'controlPlaneFlags[0]: "debug" is not a flag'],
    ['a configuration file', () => standalone({ controlPlaneFlags: ['--config=/etc/k0s.yaml'] }), 'would keep k0s from reading the generated configuration. Use "k0sConfig"'],
    ['the stack of konnectivity', () => standalone({ manifests: [{ name: 'konnectivity', configMapName: 'a' }] }), 'manifests[0].name: "konnectivity" is the stack of k0s\' own'],
    ['a stack twice', () => standalone({ manifests: [{ name: 'a', configMapName: 'a' }, { name: 'a', secretName: 'a' }] }), 'manifests[1].name: "a" is used twice'],
    ['a resource claim', () => standalone({ resources: { claims: [{ name: 'gpu' }] } }), 'resources.claims: [{"name":"gpu"}] cannot be passed on by the operator'],
    ['an amount that is no quantity', () => standalone({ resources: { limits: { memory: '1Gi' as any } } }), 'resources.limits["memory"]: "1Gi" is not a Quantity'],
    ['an amount for etcd that is no quantity', () => K0smotronStorage.etcd({ resources: { limits: { memory: '1Gi' as any } } }),
      'storage.etcd.resources.limits["memory"]: "1Gi" is not a Quantity'],
    ['a stack from nowhere', () => standalone({ manifests: [{ name: 'a' }] }), 'Give either configMapName or secretName'],
  ])('is an error: %s', (_, act, message) => {
    expect(act).toThrow(message);
  });

  test.each<[string, K0smotronClusterProps, Partial<TlsService>]>([
    ['of a Service of its own', {}, { serviceName: 'oauth', servicePort: 9443 }],
    ['on the port of the API server', {}, { servicePort: 30443 }],
    ['on a port that is patched into the Service', { patches: [SERVICE_PATCH] }, { servicePort: 9443 }],
  ])('is not: a TLS service %s', (_, props, service) => {
    const tlsServices = [{ name: 'oauth', hostname: 'oauth.example.com', servicePort: 9443, ...service }];
    expect(new K0smotronTenant(standalone(props), { tlsServices }).controlPlane.routes).toHaveLength(3);
  });

  test('is an error when two tenants share a host', () => {
    const first = new K0smotronTenant(standalone());
    const { controlPlane } = new K0smotronTenant(standalone(), { name: 'tenant-02' });
    expect(controlPlane.exposure.api.host).toBe(first.controlPlane.exposure.api.host);
    expect(() => {
      new (first.controlPlane.constructor as any)(first.chart, 'tenant-02', {
        namespace: 'tenants', kubernetesVersion: '1.34.3', controller: IngressController.haproxy(), platform: standalone(), ...HOSTS,
      });
      first.app.synthYaml();
    }).toThrow('SNI host: "kube-api.example.com:443" is used by both');
  });

  test('is an error when two tenants of one cluster have the same node ports, whatever their namespaces', () => {
    const platform = (props: K0smotronClusterProps = {}) => standalone({ serviceType: K0smotronServiceType.NODE_PORT, ...props });
    const synthesized = (other: K0smotronClusterProps) => {
      const { app, chart, controlPlane } = new K0smotronTenant(platform());
      new (controlPlane.constructor as any)(chart, 'tenant-02', {
        namespace: 'others', kubernetesVersion: '1.34.3', controller: IngressController.haproxy(), platform: platform(other), domain: 'example.com', konnectivity: {},
      });
      return () => app.synthYaml();
    };
    expect(synthesized({ apiPort: 30444 })).toThrow('node port in cluster "management": "30132" is used by both');
    expect(synthesized({ apiPort: 30444, konnectivityPort: 30133 })).not.toThrow();
  });

  test.each<[string, K0smotronClusterProps, any, RegExp]>([
    ['a LoadBalancer beside the shared address', { serviceType: K0smotronServiceType.LOAD_BALANCER }, {}, /^serviceType: "LoadBalancer" gives every control plane an address/],
    ['a NodePort beside the shared address', { serviceType: K0smotronServiceType.NODE_PORT }, {}, /^serviceType: "NodePort" takes the ports/],
    ['a node port outside of the range', { serviceType: K0smotronServiceType.NODE_PORT, apiPort: 6443 }, {}, /^apiPort: 6443 is also the node port, and lies outside/],
    ['a privileged port', { apiPort: 443 }, {}, /^apiPort: 443 makes the control plane download libcap/],
    ['a host with a number before its address', {}, { hostname: 'api.1.192.0.2.10.sslip.io' }, /^hostname: "api.1.192.0.2.10.sslip.io" has a number before the IP address/],
  ])('is warned of: %s', (_, props, controlPlane, warning) => {
    expect(new K0smotronTenant(standalone(props), controlPlane).warnings()).toContainEqual(expect.stringMatching(warning));
  });

  test('is not warned of: a host with a letter before its address', () => {
    expect(new K0smotronTenant(standalone(), { hostname: 'api.t1.192.0.2.10.nip.io' }).warnings()).toEqual([]);
  });
});
