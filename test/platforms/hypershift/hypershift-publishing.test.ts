import { HypershiftTenant, HypershiftTenantProps } from './hypershift-tenant';
import {
  DnsTarget, HypershiftApiPublishing, HypershiftManagementCluster, HypershiftProps, IngressController, IngressExposedControlPlaneProps, TenantDns,
} from '../../../src';

const UUID = '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10';
const azure = (azureAuthenticationConfigType: string) => ({
  type: 'Azure',
  azure: {
    azureAuthenticationConfig: { azureAuthenticationConfigType },
    location: 'westeurope',
    resourceGroup: 'tenants',
    securityGroupID: '/subscriptions/1/resourceGroups/tenants/providers/Microsoft.Network/networkSecurityGroups/tenants',
    subnetID: '/subscriptions/1/resourceGroups/tenants/providers/Microsoft.Network/virtualNetworks/tenants/subnets/tenants',
    subscriptionID: '1',
    tenantID: '1',
    vnetID: '/subscriptions/1/resourceGroups/tenants/providers/Microsoft.Network/virtualNetworks/tenants',
  },
});
const ARO = azure('ManagedIdentities');
const SELF_MANAGED_AZURE = azure('WorkloadIdentities');
const { LOAD_BALANCER, NODE_PORT, ROUTE } = HypershiftApiPublishing;
/** Ports of one address for everything. */
const FOUR_PORTS: Partial<IngressExposedControlPlaneProps> = {
  hostname: 'edge.example.com',
  konnectivity: { hostname: 'edge.example.com', port: 30002 },
  tlsServices: [{ name: 'oauth', hostname: 'edge.example.com', port: 30003 }, { name: 'ignition-server', hostname: 'edge.example.com', port: 30004 }],
};
const ROUTES = [
  ['Konnectivity', 'Route', 'tenant-01.konnectivity.example.com'],
  ['OAuthServer', 'Route', 'tenant-01.oauth.example.com'],
  ['Ignition', 'Route', 'tenant-01.ignition-server.example.com'],
];

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

const service = (name: string) => `${name}.tenants-tenant-01.svc.cluster.local`;

describe('the API server by a node port and the others by Routes', () => {
  test.each(['None', 'Agent', 'OpenStack', 'PowerVS', 'KubeVirt'])('on %s', type => {
    const tenant = new HypershiftTenant({ platform: { platform: { type } } });
    // OpenStack is behind a feature gate and not in the CRD that the schemas are of.
    const { services } = type === 'OpenStack' ? (tenant.chart.toJson().find(({ kind }) => kind === 'HostedCluster') as any).spec : tenant.spec;
    expect(services[0]).toEqual({ service: 'APIServer', servicePublishingStrategy: { type: 'NodePort', nodePort: { address: 'tenant-01.k8s.example.com', port: 30001 } } });
    expect(tenant.warnings()).toEqual([]);
  });

  test('may have the API host lead to the API server by its SNI too, for kubectl at 443', () => {
    const tlsServices = [{ name: 'kubectl', hostname: 'tenant-01.k8s.example.com', port: 443, serviceName: 'kube-apiserver', servicePort: 6443 }];
    const tenant = new HypershiftTenant({ controlPlane: { tlsServices } });
    expect(tenant.published()).toEqual([['APIServer', 'NodePort', 'tenant-01.k8s.example.com', 30001], ...ROUTES]);
    expect(tenant.lines('ports')).toEqual([`30001 ${service('kube-apiserver')}:6443`]);
    expect(tenant.lines('hosts')).toContain(`tenant-01.k8s.example.com ${service('kube-apiserver')}:6443`);
  });

  test.each<[string, (listenerSets: boolean) => IngressController]>([
    ['a Gateway', listenerSets => IngressController.gatewayApi({ gateway: { name: 'edge', namespace: 'edge' }, portRange: { first: 30000, last: 30085 }, listenerSets })],
    ['kgateway', listenerSets => IngressController.kgateway({ gateway: { name: 'edge', namespace: 'edge' }, portRange: { first: 30000, last: 30085 }, listenerSets })],
  ])('works behind %s, by a TCPRoute for the port', (_, make) => {
    for (const listenerSets of [false, true]) {
      const tenant = new HypershiftTenant({ controller: make(listenerSets), controlPlane: { networkPolicy: { namespaces: ['edge'] } } });
      const [route] = tenant.manifests().filter(({ kind }) => kind === 'TCPRoute');
      expect(route.spec.rules[0].backendRefs).toEqual([{ name: 'kube-apiserver', namespace: 'tenants-tenant-01', port: 6443 }]);
      expect(route.spec.parentRefs[0]).toMatchObject(listenerSets ? { kind: 'ListenerSet' } : { kind: 'Gateway', sectionName: 'port-30001' });
    }
  });

  test('leads the port to the API server, and the hosts to the others', () => {
    const tenant = new HypershiftTenant({ controlPlane: { allowedCidrs: ['192.0.2.0/24'] } });
    expect(tenant.published()).toEqual([['APIServer', 'NodePort', 'tenant-01.k8s.example.com', 30001], ...ROUTES]);
    expect(tenant.lines('ports')).toEqual([`30001 ${service('kube-apiserver')}:6443:tenants/tenant-01`]);
    expect(tenant.lines('hosts')).toEqual([
      `tenant-01.ignition-server.example.com ${service('ignition-server-proxy')}:443:tenants/tenant-01`,
      `tenant-01.konnectivity.example.com ${service('konnectivity-server')}:8091:tenants/tenant-01`,
      `tenant-01.oauth.example.com ${service('oauth-openshift')}:6443:tenants/tenant-01`,
    ]);
    expect(tenant.lines('cluster-ids')).toEqual([]);
    expect(tenant.controlPlane.exposure.kubeconfigServer).toBe('https://tenant-01.k8s.example.com:30001');
  });

  test('on self-managed Azure warns, as nobody documents it', () => {
    expect(new HypershiftTenant({ platform: { platform: SELF_MANAGED_AZURE } }).warnings().join()).toContain('self-managed Azure');
  });

  test.each([undefined, 443, 7443])('leads to port 6443 of the Service, whatever port %s nodes and endpoints have', apiServerPort => {
    const tenant = new HypershiftTenant({ platform: { apiServerPort } });
    expect(tenant.lines('ports')).toEqual([`30001 ${service('kube-apiserver')}:6443`]);
    expect(tenant.spec.networking.apiServer.port).toBe(apiServerPort ?? 6443);
  });
});

describe('four node ports on one address', () => {
  test.each(Object.values(HypershiftManagementCluster))('work where the management cluster is %s', managementClusterType => {
    const tenant = new HypershiftTenant({ platform: { managementClusterType }, controlPlane: FOUR_PORTS });
    expect(tenant.published()).toEqual([
      ['APIServer', 'NodePort', 'edge.example.com', 30001],
      ['Konnectivity', 'NodePort', 'edge.example.com', 30002],
      ['OAuthServer', 'NodePort', 'edge.example.com', 30003],
      ['Ignition', 'NodePort', 'edge.example.com', 30004],
    ]);
    expect(tenant.lines('hosts')).toEqual([]);
    expect(tenant.lines('ports')).toEqual([
      `30001 ${service('kube-apiserver')}:6443`,
      `30002 ${service('konnectivity-server')}:8091`,
      `30003 ${service('oauth-openshift')}:6443`,
      `30004 ${service('ignition-server-proxy')}:443`,
    ]);
    // HyperShift itself opens node ports to everybody.
    expect(tenant.inHostedNamespace()).toEqual([]);
  });

  test('may share the address with another tenant, and no port', () => {
    const tenant = new HypershiftTenant({ controlPlane: FOUR_PORTS });
    tenant.add('tenant-02', {
      ...FOUR_PORTS,
      port: 30005,
      konnectivity: { hostname: 'edge.example.com', port: 30006 },
      tlsServices: [{ name: 'oauth', hostname: 'edge.example.com', port: 30007 }, { name: 'ignition-server', hostname: 'edge.example.com', port: 30008 }],
    });
    expect(tenant.lines('ports')).toHaveLength(8);
    expect(tenant.object('Service', 'edge').spec.ports.map(({ port }: any) => port)).toEqual([443, 6443, ...Array.from({ length: 8 }, (_, i) => 30001 + i)]);
  });

  test('only ignition needs one on plain Kubernetes', () => {
    const platform = { managementClusterType: HypershiftManagementCluster.KUBERNETES };
    expect(() => new HypershiftTenant({ platform })).toThrow('port of ignition-server: 443 is that of a Route, and HyperShift waits until a router of OpenShift admits it');
    expect(new HypershiftTenant({ platform, controlPlane: { tlsServices: [{ name: 'ignition-server', port: 30002 }] } }).published()[3])
      .toEqual(['Ignition', 'NodePort', 'tenant-01.ignition-server.example.com', 30002]);
  });
});

describe('a load balancer for the API server', () => {
  test.each(['AWS', 'None', 'Agent', 'KubeVirt', 'Azure'])('on %s has an address of its own, and the others share one', type => {
    const platform = type === 'Azure' ? SELF_MANAGED_AZURE : { type };
    const tenant = new HypershiftTenant({ platform: { platform, apiServerPublishing: LOAD_BALANCER }, controlPlane: { port: undefined } });
    const { services } = tenant.chart.toJson().find(({ kind }) => kind === 'HostedCluster')!.spec;
    expect(services[0]).toEqual({ service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer', loadBalancer: { hostname: 'tenant-01.k8s.example.com' } } });
    expect(tenant.controlPlane.exposure.kubeconfigServer).toBe('https://tenant-01.k8s.example.com:6443');
    expect([...tenant.chart.toJson().flatMap(({ kind, data }) => kind === 'ConfigMap' ? [data['hosts.map'] ?? '', data['ports.map'] ?? ''] : [])].join('')).not.toContain('k8s.example.com');
  });

  test('is no name of the shared address', () => {
    const { exposure } = new HypershiftTenant({ platform: { apiServerPublishing: LOAD_BALANCER }, controlPlane: { port: undefined } }).controlPlane;
    expect(exposure.dnsNames).toEqual(ROUTES.map(([, , host]) => host));
    expect(new TenantDns({ exposures: [exposure], target: DnsTarget.addresses(['192.0.2.10']), zones: ['example.com'] }).hosts).not.toContain('tenant-01.k8s.example.com');
  });

  test('works with any controller, and with OpenShift\'s router without an object of ours', () => {
    const props = { platform: { apiServerPublishing: LOAD_BALANCER } };
    const controller = IngressController.gatewayApi({ gateway: { name: 'public', namespace: 'gateways' } });
    const controlPlane = { networkPolicy: { namespaces: ['gateways'] }, port: undefined };
    expect(new HypershiftTenant({ ...props, controller, controlPlane }).inHostedNamespace()).toEqual([
      'Namespace tenants-tenant-01',
      ...['konnectivity-server', 'oauth', 'ignition-server'].map(name => `ReferenceGrant tenants.tenant-01.${name}`),
      'NetworkPolicy shared-address',
    ]);
    const openshift = new HypershiftTenant({ ...props, controller: IngressController.openshift(), controlPlane: { port: undefined } });
    expect([openshift.inHostedNamespace(), openshift.controlPlane.routeObjects]).toEqual([[], []]);
  });
});

describe('ARO HCP', () => {
  const aro = (more: HypershiftTenantProps = {}) => new HypershiftTenant({
    platform: { platform: ARO },
    gateway: { hypershiftCompatibility: true },
    ...more,
    controlPlane: { port: undefined, clusterId: UUID, ...more.controlPlane },
  });

  test('has four Routes of its own', () => {
    const tenant = aro({ controller: IngressController.openshift(), controlPlane: { clusterId: undefined } });
    expect(tenant.published()).toEqual([['APIServer', 'Route', 'tenant-01.k8s.example.com'], ...ROUTES]);
    expect([tenant.inHostedNamespace(), tenant.controlPlane.routeObjects]).toEqual([[], []]);
  });

  test('may have the shared gateway in place of HyperShift\'s router, which takes the cluster ID of its nodes', () => {
    const tenant = aro();
    expect(tenant.spec.clusterID).toBe(UUID);
    expect(tenant.lines('cluster-ids')).toEqual([`${UUID} ${service('kube-apiserver')}:6443`]);
    expect(tenant.lines('hosts')).toHaveLength(4);
  });

  test.each<[string, HypershiftTenantProps, string]>([
    ['a gateway that takes another TLV', { gateway: {} }, 'controller: "shared-gateway" does not take the cluster ID of TLV 0x20'],
    ['a gateway without cluster IDs', { gateway: { hypershiftCompatibility: true, clusterIdRouting: false } }, 'controller: "shared-gateway" does not take the cluster ID of TLV 0x20'],
    ['another controller', { controller: IngressController.traefik() }, 'controller: "traefik" is not HyperShift\'s own shared ingress'],
    ['no cluster ID at the gateway', { controlPlane: { clusterId: undefined } }, 'clusterId: is not set, so HyperShift would choose one'],
    ['two cluster IDs', { platform: { platform: ARO, clusterId: UUID.replace('5', '6') } }, `clusterId: "${UUID}" is not the clusterId of the platform`],
    ['an HTTP proxy, behind which no header comes', { platform: { platform: ARO, httpProxy: { httpsProxy: 'http://proxy:3128' } } }, 'httpProxy.httpsProxy: "http://proxy:3128" has the nodes reach'],
    ['a node port', { platform: { platform: ARO, apiServerPublishing: NODE_PORT } }, 'apiServerPublishing: "NodePort" is not for ARO HCP'],
    ['a load balancer', { platform: { platform: ARO, apiServerPublishing: LOAD_BALANCER } }, 'apiServerPublishing: "LoadBalancer" is not for ARO HCP'],
    ['another port', { controlPlane: { port: 6443 } }, 'port: 6443 is not 443'],
  ])('refuses %s', (_, props, message) => {
    expect(() => aro(props)).toThrow(message);
  });

  test('alone refuses an HTTP proxy', () => {
    expect(new HypershiftTenant({ platform: { httpProxy: { httpsProxy: 'http://proxy:3128' } } }).spec.configuration.proxy.httpsProxy).toBe('http://proxy:3128');
  });
});

test('IBM Cloud has a Route and another port of the Service', () => {
  const tenant = new HypershiftTenant({ platform: { platform: { type: 'IBMCloud' }, apiServerPort: 7443 }, controlPlane: { port: undefined } });
  expect(tenant.published()[0]).toEqual(['APIServer', 'Route', 'tenant-01.k8s.example.com']);
  expect(tenant.lines('hosts')).toContain(`tenant-01.k8s.example.com ${service('kube-apiserver')}:2040`);
});

describe('the NetworkPolicies of HyperShift are opened', () => {
  test('to the gateway\'s pods, for the published pods and not for etcd', () => {
    const tenant = new HypershiftTenant();
    expect(tenant.inHostedNamespace()).toEqual(['Namespace tenants-tenant-01', 'NetworkPolicy shared-address']);
    expect(tenant.object('NetworkPolicy', 'shared-address').spec).toEqual({
      podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['kube-apiserver', 'oauth-openshift', 'ignition-server-proxy', 'metrics-proxy'] }] },
      policyTypes: ['Ingress'],
      ingress: [{
        from: [{
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shared-ingress' } },
          podSelector: { matchLabels: { 'app.kubernetes.io/name': 'shared-ingress-gateway', 'app.kubernetes.io/instance': 'edge' } },
        }],
        ports: [8091, 6443, 8443, 9443].map(port => ({ port, protocol: 'TCP' })),
      }],
    });
    expect(tenant.controlPlane.networkPolicyObject!.name).toBe('shared-address');
  });

  test('to further namespaces and networks', () => {
    const { spec } = new HypershiftTenant({ controlPlane: { networkPolicy: { namespaces: ['backup'], cidrs: ['10.0.0.0/24'] } } }).object('NetworkPolicy', 'shared-address');
    expect(spec.ingress[0].from.slice(1)).toEqual([{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'backup' } } }, { ipBlock: { cidr: '10.0.0.0/24' } }]);
  });

  test.each<[string, Partial<IngressExposedControlPlaneProps>]>([['some ports', {}], ['ports alone', FOUR_PORTS]])(
    'for nodes that are virtual machines of the management cluster, with %s', (_, controlPlane) => {
      const tenant = new HypershiftTenant({ platform: { platform: { type: 'KubeVirt' } }, controlPlane });
      const { spec } = tenant.object('NetworkPolicy', 'shared-address-of-virtual-machines');
      expect([spec.podSelector, spec.policyTypes, spec.ingress]).toEqual([{ matchLabels: { 'kubevirt.io': 'virt-launcher' } }, ['Egress'], undefined]);
      expect(spec.egress[0].to[0].podSelector.matchLabels).toMatchObject({ 'app.kubernetes.io/instance': 'edge' });
    });

  test('in a chart with a namespace, in which the namespace itself is not', () => {
    const tenant = new HypershiftTenant({ chartNamespace: 'elsewhere' });
    expect(tenant.object('Namespace', 'tenants-tenant-01').metadata).not.toHaveProperty('namespace');
  });

  test('to nobody unknown: another controller must be named', () => {
    const props = { platform: { apiServerPublishing: LOAD_BALANCER }, controller: IngressController.gatewayApi({ gateway: { name: 'public', namespace: 'gateways' } }) };
    expect(() => new HypershiftTenant({ ...props, controlPlane: { port: undefined } })).toThrow('networkPolicy: is not set, and the NetworkPolicies of HyperShift keep gateway-api');
  });
});

describe('is refused:', () => {
  test.each<[string, Partial<HypershiftProps>, Partial<IngressExposedControlPlaneProps>, string]>([
    ['no port', {}, { port: undefined }, 'port of kube-apiserver: 443 is not a node port: they are 30000 to 32767'],
    ['a port outside of the range', {}, { port: 32768 }, 'port of kube-apiserver: 32768 is not a node port'],
    ['a port outside of a range of the user\'s', { serviceNodePortRange: '31000-31100' }, {}, 'port of kube-apiserver: 30001 is not a node port: they are 31000 to 31100'],
    ['a range that is none', { serviceNodePortRange: '31000' }, {}, 'serviceNodePortRange: "31000" is not a range of ports'],
    ['a range that ends before it begins', { serviceNodePortRange: '31000-30000' }, {}, 'is not a range of ports'],
    ['a node port twice', {}, { konnectivity: { port: 30001 } }, 'port of konnectivity-server: 30001 is also that of kube-apiserver'],
    ['a port of konnectivity that is none', {}, { konnectivity: { port: 8443 } }, 'port of konnectivity-server: 8443 is not a node port'],
    ['a node port on AWS', { platform: { type: 'AWS' } }, {}, 'apiServerPublishing: "NodePort" is refused by HyperShift on AWS'],
    ['a node port on GCP', { platform: { type: 'GCP' } }, {}, 'apiServerPublishing: "NodePort" is refused by HyperShift on GCP'],
    ['a Route outside of ARO', { apiServerPublishing: ROUTE }, { port: undefined }, 'apiServerPublishing: "Route" makes HyperShift run a router with a load balancer of its own'],
    ['a Route on AWS', { apiServerPublishing: ROUTE, platform: { type: 'AWS' } }, { port: undefined }, 'Use HypershiftApiPublishing.LOAD_BALANCER'],
    ['a Route on self-managed Azure', { apiServerPublishing: ROUTE, platform: SELF_MANAGED_AZURE }, { port: undefined }, 'apiServerPublishing: "Route" makes'],
    ['a way that HyperShift does not know', { apiServerPublishing: 'Ingress' as HypershiftApiPublishing }, {}, 'apiServerPublishing: "Ingress" is not one that there is'],
    ['konnectivity by a node port on AWS', { apiServerPublishing: LOAD_BALANCER, platform: { type: 'AWS' } }, { port: undefined, konnectivity: { port: 30002 } }, 'port of konnectivity-server: 30002 is not 443, and HyperShift takes Routes alone'],
    ['OAuth by a node port on Azure', { platform: SELF_MANAGED_AZURE }, { tlsServices: [{ name: 'oauth', port: 30002 }] }, 'port of oauth: 30002 is not 443'],
    ['another port of the load balancer', { apiServerPublishing: LOAD_BALANCER }, { port: 443 }, 'port: 443 is not that of HyperShift\'s load balancer, 6443'],
    ['networks that HyperShift does not enforce', { allowedCidrBlocks: ['192.0.2.0/24'] }, {}, 'allowedCidrBlocks: ["192.0.2.0/24"] has no effect on an API server that is published by a node port'],
    ['a host that ends in a digit', {}, { domain: 'example.c1' }, 'host of kube-apiserver: "tenant-01.k8s.example.c1" is refused by HyperShift'],
    ['a host that ends in one letter', {}, { domain: 'example.c' }, 'is refused by HyperShift, which wants two or more letters'],
    ['an internationalized top-level domain', {}, { domain: 'example.xn--p1ai' }, 'is refused by HyperShift'],
    ['a cluster ID that no node sends', {}, { clusterId: UUID }, `clusterId: "${UUID}" has no effect: nodes of HyperShift send a cluster ID on ARO HCP alone`],
    ['Routes without hosts', {}, { hostname: 'edge.example.com', konnectivity: { hostname: 'konnectivity.example.com' } }, 'tlsServices: [] lacks "oauth" and "ignition-server", which the platform publishes too'],
    ['one Route without a host', {}, { hostname: 'edge.example.com', konnectivity: { hostname: 'konnectivity.example.com' }, tlsServices: [{ name: 'oauth', hostname: 'oauth.example.com' }] }, 'lacks "ignition-server"'],
    ['a further service without a port', {}, { tlsServices: [{ name: 'metrics-proxy' }] }, 'tlsServices[0].servicePort: is not set, and the platform has no service "metrics-proxy"'],
  ])('%s', (_, platform, controlPlane, message) => {
    expect(() => new HypershiftTenant({ platform, controlPlane })).toThrow(message);
  });

  test.each(['traefik', 'haproxy', 'istio', 'openshift'] as const)('a node port behind %s, which finds tenants by their hosts', controller => {
    expect(() => new HypershiftTenant({ controller: IngressController[controller](), controlPlane: { networkPolicy: { namespaces: ['edge'] } } }))
      .toThrow(`controller: "${controller}" does not lead port 30001 to the API server without a host name`);
  });

  test('a port of another tenant, at whatever gateway', () => {
    const tenant = new HypershiftTenant();
    tenant.add('tenant-02', { port: 30001 });
    expect(() => tenant.manifests()).toThrow('node port in cluster "management": "30001" is used by both management/tenant-01 and management/tenant-02');
  });

});

test('ports that Kubernetes may give to others cause one warning', () => {
  const gateway = { portRange: { first: 30000, last: 32767 } };
  expect(new HypershiftTenant({ gateway, controlPlane: { port: 30085 } }).warnings()).toEqual([]);
  expect(new HypershiftTenant({ gateway, controlPlane: { port: 30086 } }).warnings()).toEqual([
    'Kubernetes may give node ports above 30085 to any Service before HyperShift asks for them: prefer smaller ones.',
  ]);
});

test('sources that HyperShift does not enforce behind the controller cause a warning', () => {
  const platform = { apiServerPublishing: LOAD_BALANCER, allowedCidrBlocks: ['192.0.2.0/24'] };
  expect(new HypershiftTenant({ platform, controller: IngressController.openshift(), controlPlane: { port: undefined } }).warnings()).toEqual([]);
  expect(new HypershiftTenant({ platform, controlPlane: { port: undefined } }).warnings().join()).toContain('Give the control plane allowedCidrs too');
});
