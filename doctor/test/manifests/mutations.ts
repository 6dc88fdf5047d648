import { yaml } from './synthesized';

/** One thing that goes wrong in manifests of this library. */
export interface Mutation {
  /** A name in `synthesized.ts`. */
  readonly platform: string;
  readonly what: string;
  readonly change: (objects: any[]) => void;
  /** Of a finding of severity `error` that it must cause; others may come along. */
  readonly code: string;
}

type Change = Mutation['change'];

/** Finds one object; a test that finds none fails. */
function find(objects: any[], kind: string, name: string, group = ''): any {
  const found = objects.find(object => object.kind === kind && object.metadata.name === name && object.apiVersion.includes(group));
  if (!found) throw new Error(`there is no ${kind} ${name} to change`);
  return found;
}

/** Sets a field, or takes it away where the value is undefined. */
function set(kind: string, name: string, path: string, value: unknown): Change {
  return objects => {
    const keys = path.split(' ');
    const last = keys.pop()!;
    const parent = keys.reduce((object, key) => (object[key] ??= {}), find(objects, kind, name));
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  };
}

/** Replaces text in the data of the ConfigMaps that have the key. */
function replace(key: string, from: string | RegExp, to: string, name = ''): Change {
  return objects => objects.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.includes(name)).forEach(({ data }) => {
    if (data?.[key] !== undefined) data[key] = data[key].replace(from, to);
  });
}

/** Replaces text in one of several ConfigMaps of one name: that which has `of` in it. */
function replaceIn(of: string, from: RegExp, to: string): Change {
  return objects => objects.filter(({ kind, data }) => kind === 'ConfigMap' && data?.['haproxy.cfg']?.includes(of)).forEach(({ data }) => {
    data['haproxy.cfg'] = data['haproxy.cfg'].replace(from, to);
  });
}

const add = (text: string): Change => objects => objects.push(yaml(text));

function service(of: string, strategy: unknown): Change {
  return objects => {
    find(objects, 'HostedCluster', 'acme').spec.services.find((item: any) => item.service === of).servicePublishingStrategy = strategy;
  };
}

const K0SMOTRON: [string, Change, string][] = [
  ['the patches that take k0smotron\'s own tcp-proxy out are removed', set('Cluster', 'tenant-02', 'spec patches', undefined), 'HCP606'],
  ['the patches keep one of the three manifests', set('Cluster', 'tenant-03', 'spec patches 0 patch content', '{"data":{"1_haproxy-configmap.yaml":null,"2_haproxy-ds.yaml":null}}'), 'HCP606'],
  ['the patch is broken', set('Cluster', 'tenant-03', 'spec patches 0 patch content', '{'), 'HCP606'],
  ['a tcp-proxy leads to a tenant with the built-in one', replaceIn('tenant-02.k8s', /tenant-02\.k8s/g, 'tenant-01.k8s'), 'HCP606'],
  ['a tcp-proxy leads to another tenant', replaceIn('tenant-02.k8s', /tenant-02\.k8s/g, 'tenant-03.k8s'), 'HCP619'],
  ['a tcp-proxy dials 6443 and the Cluster says 443', replaceIn('tenant-02.k8s', /(server upstream \S+):443/g, '$1:6443'), 'HCP618'],
  ['the Cluster says 6443 and a tcp-proxy dials 443', set('Cluster', 'tenant-02', 'spec ingress port', 6443), 'HCP618'],
  ['a tcp-proxy asks for the konnectivity host', replaceIn('tenant-02.k8s', /tenant-02\.k8s/g, 'tenant-02.konnectivity'), 'HCP611'],
  ['k0s is too old in its minor version', set('Cluster', 'tenant-01', 'spec version', 'v1.34.0+k0s.0'), 'HCP108'],
  ['k0s is too old for the webhook not to notice', set('Cluster', 'tenant-01', 'spec version', 'v1.33.5-k0s.0'), 'HCP108'],
  ['k0s has no version', set('Cluster', 'tenant-01', 'spec version', undefined), 'HCP108'],
  ['nobody may ask for health', set('Cluster', 'tenant-02', 'spec k0sConfig spec api extraArgs', { 'anonymous-auth': 'false' }), 'HCP113'],
  ['the API server writes endpoints', set('Cluster', 'tenant-01', 'spec k0sConfig spec api extraArgs', { 'endpoint-reconciler-type': 'lease' }), 'HCP113'],
  ['nodes balance by themselves', set('Cluster', 'tenant-01', 'spec k0sConfig spec network nodeLocalLoadBalancing', { enabled: true }), 'HCP113'],
  ['the external address has a port', set('Cluster', 'tenant-01', 'spec externalAddress', 'tenant-01.k8s.example.com:443'), 'HCP114'],
  ['the API host is missing', set('Cluster', 'tenant-01', 'spec ingress apiHost', undefined), 'HCP111'],
  ['the konnectivity host is empty', set('Cluster', 'tenant-01', 'spec ingress konnectivityHost', ''), 'HCP111'],
  ['the Ingress is not deployed and there is no other', set('Cluster', 'tenant-01', 'spec ingress deploy', false), 'HCP201'],
  ['the class is another product\'s', set('Cluster', 'tenant-01', 'spec ingress className', 'nginx'), 'HCP301'],
  ['the annotation is missing', set('Cluster', 'tenant-01', 'spec ingress annotations', undefined), 'HCP301'],
  ['both hosts are one', set('Cluster', 'tenant-01', 'spec ingress konnectivityHost', 'tenant-01.k8s.example.com'), 'HCP103'],
  ['two clusters have one host', set('Cluster', 'tenant-02', 'spec ingress apiHost', 'tenant-01.k8s.example.com'), 'HCP104'],
  ['two clusters have the same node ports', set('Cluster', 'tenant-01', 'spec service', { type: 'NodePort', apiPort: 31443, konnectivityPort: 30132 }), 'HCP110'],
  ['a Service of somebody else has a node port',
    add('{apiVersion: v1, kind: Service, metadata: {name: web, namespace: web}, spec: {type: NodePort, ports: [{port: 80, nodePort: 31132}]}}'), 'HCP110'],
  ['the konnectivity port is reserved', set('Cluster', 'tenant-01', 'spec service konnectivityPort', 443), 'HCP107'],
  ['the selector of the Service kubernetes has a typo', set('Service', 'kubernetes', 'spec selector app.kubernetes.io/name', 'tcp-prox'), 'HCP607'],
  ['the selector of the Service kubernetes wants one more label', set('Service', 'kubernetes', 'spec selector tier', 'edge'), 'HCP607'],
  ['targetPort of the Service kubernetes has a typo', set('Service', 'kubernetes', 'spec ports 0 targetPort', 7443), 'HCP608'],
  ['targetPort of the Service kubernetes is an unknown name', set('Service', 'kubernetes', 'spec ports 0 targetPort', 'https'), 'HCP608'],
  ['the Service kubernetes forgets proxies that are not ready', set('Service', 'kubernetes', 'spec publishNotReadyAddresses', undefined), 'HCP605'],
];

const ADDRESSES: [string, Change, string][] = [
  ['an address leads to two tenants', replace('destinations.map', /^2001:db8:1::10 (.*)\n/m, '2001:db8:1::10 $1\n2001:DB8:1:0::10 tenant-02.tenants.svc.cluster.local:6443\n'), 'HCP635'],
  ['the line of an address is of IPv4', replace('destinations.map', '2001:db8:1::10 ', '203.0.113.10 '), 'HCP636'],
  ['the line of an address is for another one', replace('destinations.map', '2001:db8:1::10 ', '2001:db8:1::11 '), 'HCP649'],
  ['no address has a line', objects => objects.filter(({ data }) => data?.['destinations.map']).forEach(({ data }) => data['destinations.map'] = ''), 'HCP649'],
  ['the endpoints have another address', set('EndpointSlice', 'kubernetes', 'endpoints 0 addresses 0', '2001:db8:1::11'), 'HCP649'],
  ['an address leads to the API server of another tenant', replace('destinations.map', /^(2001:db8:1::10 )tenant-01/m, '$1tenant-02'), 'HCP648'],
  ['an address leads to the konnectivity server', replace('destinations.map', /^(2001:db8:1::10 \S+):6443/m, '$1:8132'), 'HCP204'],
  ['the Services of a tenant with an address are IPv4', set('TenantControlPlane', 'tenant-01', 'spec networkProfile serviceCidrs', ['10.96.0.0/16']), 'HCP642'],
  ['a port of the same gateway has no line', replace('ports.map', /^30001 /m, '30002 '), 'HCP641'],
];

const HETZNER: [string, Change, string][] = [
  ['controlPlaneRef has another name', set('Cluster', 'cluster01', 'spec controlPlaneRef name', 'cluster01-kcp'), 'HCP109'],
  ['controlPlaneRef has another kind', set('Cluster', 'cluster01', 'spec controlPlaneRef kind', 'K0sControlPlane'), 'HCP109'],
  ['the control plane is in another namespace', set('K0smotronControlPlane', 'cluster01-cp', 'metadata namespace', 'tenants'), 'HCP109'],
  ['infrastructureRef has another name', set('Cluster', 'cluster01', 'spec infrastructureRef name', 'cluster1'), 'HCP109'],
  ['the endpoint of the cluster is another host', set('Cluster', 'cluster01', 'spec controlPlaneEndpoint', { host: 'api.cluster1.example.com', port: 443 }), 'HCP106'],
  ['the endpoint of the cluster is another port', set('Cluster', 'cluster01', 'spec controlPlaneEndpoint', { host: 'api.cluster01.example.com', port: 6443 }), 'HCP106'],
  ['the endpoint of the infrastructure is another host', set('HetznerCluster', 'cluster01', 'spec controlPlaneEndpoint host', 'api.cluster1.example.com'), 'HCP106'],
  ['k0s is too old', set('K0smotronControlPlane', 'cluster02-cp', 'spec version', 'v1.32.9+k0s.0'), 'HCP108'],
  ['a second cluster takes the same node ports',
    set('K0smotronControlPlane', 'cluster03-cp', 'spec service', { type: 'NodePort', apiPort: 31443, konnectivityPort: 31132 }), 'HCP110'],
  ['the konnectivity host has a typo, and a route the right one',
    set('K0smotronControlPlane', 'cluster02-cp', 'spec ingress konnectivityHost', 'konectivity.cluster02.example.com'), 'HCP202'],
  ['a route leads to the port of another server', set('IngressRouteTCP', 'cluster02-kube-apiserver', 'spec routes 0 services 0 port', 6443), 'HCP204'],
  ['a route leads to a Service with a typo', set('IngressRouteTCP', 'cluster02-kube-apiserver', 'spec routes 0 services 0 name', 'kmc-cluster2'), 'HCP203'],
];

const K0RDENT: [string, Change, string][] = [
  ['the konnectivity host is missing', set('ClusterDeployment', 'cluster01', 'spec config controlPlane ingress konnectivityHost', undefined), 'HCP111'],
  ['the API host is missing', set('ClusterDeployment', 'cluster01', 'spec config controlPlane ingress apiHost', undefined), 'HCP111'],
  ['both hosts are one', set('ClusterDeployment', 'cluster01', 'spec config controlPlane ingress konnectivityHost', 'api.cluster01.example.com'), 'HCP103'],
  ['the API host has a port', set('ClusterDeployment', 'cluster01', 'spec config controlPlane ingress apiHost', 'api.cluster01.example.com:443'), 'HCP101'],
  ['a LoadBalancer is beside the ingress', set('ClusterDeployment', 'cluster01', 'spec config controlPlane service type', 'LoadBalancer'), 'HCP112'],
  ['k0s is too old', set('ClusterDeployment', 'cluster01', 'spec config k0s version', 'v1.33.1+k0s.0'), 'HCP108'],
  ['two clusters take the fixed node ports', objects => {
    const [copy] = JSON.parse(JSON.stringify([find(objects, 'ClusterDeployment', 'cluster01')]));
    copy.metadata.name = 'cluster02';
    copy.spec.config.controlPlane = { service: { type: 'NodePort' } };
    const again = JSON.parse(JSON.stringify(copy));
    again.metadata.name = 'cluster03';
    objects.push(copy, again);
  }, 'HCP110'],
];

const TUNNEL: [string, Change, string][] = [
  ['the route of the tunnel is for another host', set('IngressRouteTCP', 'edge-tunnel', 'spec routes 0 match', 'HostSNI(`tunel.example.com`)'), 'HCP661'],
  ['a tcp-proxy asks for another host in the tunnel', replaceIn('crt @tunnel/tls', /tunnel\.example\.com/g, 'tunnel.example.org'), 'HCP661'],
  ['a client certificate is for nobody', set('Certificate', 'tenant-01-tcp-proxy-tunnel', 'spec commonName', undefined), 'HCP662'],
  ['the line of a client certificate is for another tenant', replace('tunnel.map', 'tenants.tenant-01 ', 'tenants.tenant-03 '), 'HCP662'],
  ['a client certificate leads to the konnectivity port', replace('tunnel.map', ':6443', ':8132'), 'HCP204'],
];

const SHARED_GATEWAY: [string, Change, string][] = [
  ['a cluster ID leads to another tenant', replace('cluster-ids.map', 'id-of-tenant-01 tenant-01.', 'id-of-tenant-01 tenant-02.'), 'HCP620'],
  ['two cluster IDs are exchanged', objects => {
    for (const [from, to] of [['id-of-tenant-01', 'x'], ['id-of-tenant-02', 'id-of-tenant-01'], ['x', 'id-of-tenant-02']]) {
      replace('cluster-ids.map', `${from} tenant`, `${to} tenant`)(objects);
    }
  }, 'HCP620'],
  ['a cluster ID is of nobody', replace('cluster-ids.map', 'id-of-tenant-01', 'id-of-tenant-x1'), 'HCP613'],
  ['a tcp-proxy sends the cluster ID of another tenant', replaceIn('id-of-tenant-01', /id-of-tenant-01/g, 'id-of-tenant-02'), 'HCP620'],
  ['a cluster ID leads to the konnectivity port', replace('cluster-ids.map', ':6443', ':8132'), 'HCP204'],
  ['a cluster ID is in capitals', replace('cluster-ids.map', 'id-of-tenant-01', 'ID-of-tenant-01'), 'HCP613'],
  ['a host leads to a port that nobody has', replace('hosts.map', ':6443', ':6444'), 'HCP204'],
  ['a host leads to the API port in the place of konnectivity', replace('hosts.map', ':8132', ':6443'), 'HCP204'],
  ['a host leads to another tenant', replace('hosts.map', /(tenants-tenant-01\.k8s\S+) tenant-01\./, '$1 tenant-02.'), 'HCP203'],
  ['a host leads to another namespace', replace('hosts.map', '.tenants.svc', '.tenant.svc'), 'HCP203'],
  ['a list of allowed networks is that of nobody', replace('allowed.map', 'tenants/tenant-02', 'tenants/tenant-2'), 'HCP631'],
  ['a list of allowed networks is more than there are tenants', replace('allowed.map', /$/, '198.51.100.0/24@tenants/gone 1\n'), 'HCP631'],
  ['a target names the list of another tenant', replace('hosts.map', ':tenants/tenant-02', ':tenants/tenant-01'), 'HCP631'],
  ['a target names a list that is empty', replace('hosts.map', ':tenants/tenant-02', ':tenants/tenant-3'), 'HCP631'],
  ['an allowed network has a prefix of 33', replace('allowed.map', '203.0.113.0/24', '203.0.113.0/33'), 'HCP632'],
  ['the gateway reads another TLV', replace('haproxy.cfg', 'fc_pp_tlv(0xe1)', 'fc_pp_tlv(0xe2)', 'edge'), 'HCP614'],
];

const HYPERSHIFT: [string, Change, string][] = [
  ['the cluster ID is another than in the map', set('HostedCluster', 'acme', 'spec clusterID', '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3dff'), 'HCP620'],
  ['the gateway reads another TLV', replace('haproxy.cfg', '0x20', '0xe1'), 'HCP633'],
  ['a host leads to port 443 of the API server', replace('hosts.map', 'kube-apiserver.clusters-acme.svc.cluster.local:6443', 'kube-apiserver.clusters-acme.svc.cluster.local:443'), 'HCP204'],
  ['a cluster ID leads to port 443 of the API server', replace('cluster-ids.map', ':6443', ':443'), 'HCP204'],
  ['a host leads to the namespace of another control plane', replace('hosts.map', 'kube-apiserver.clusters-acme.svc', 'kube-apiserver.clusters-bcme.svc'), 'HCP203'],
  ['a host leads to a namespace that is none', replace('hosts.map', 'konnectivity-server.clusters-acme.svc', 'konnectivity-server.acme.svc'), 'HCP203'],
  ['konnectivity has another port', replace('hosts.map', ':8091', ':8090'), 'HCP204'],
  ['konnectivity leads to the API server', replace('hosts.map', 'konnectivity-server.clusters-acme', 'kube-apiserver.clusters-acme'), 'HCP203'],
  ['the konnectivity host has a typo', service('Konnectivity', { type: 'Route', route: { hostname: 'acme.konectivity.example.com' } }), 'HCP202'],
  ['the API host has a typo', service('APIServer', { type: 'Route', route: { hostname: 'acme.k9s.example.com' } }), 'HCP201'],
  ['the API host has a port', service('APIServer', { type: 'Route', route: { hostname: 'acme.k8s.example.com:443' } }), 'HCP101'],
  ['the API server has a LoadBalancer of its own', service('APIServer', { type: 'LoadBalancer' }), 'HCP112'],
  ['two API servers have one node port', service('APIServer', { type: 'NodePort', nodePort: { address: '203.0.113.10', port: 30001 } }), 'HCP110'],
  ['the OAuth host has a typo', service('OAuthServer', { type: 'Route', route: { hostname: 'acme.oath.example.com' } }), 'HCP211'],
  ['OAuth leads to port 443', replace('hosts.map', 'oauth-openshift.clusters-acme.svc.cluster.local:6443', 'oauth-openshift.clusters-acme.svc.cluster.local:443'), 'HCP204'],
  ['the ignition host has no route', replace('hosts.map', /acme\.ignition.*\n/, ''), 'HCP211'],
  ['ignition leads to the API server', replace('hosts.map', 'ignition-server-proxy.clusters-acme', 'kube-apiserver.clusters-acme'), 'HCP203'],
  ['konnectivity and the API have one host', service('Konnectivity', { type: 'Route', route: { hostname: 'acme.k8s.example.com' } }), 'HCP103'],
];

const NODE_PORT = 'spec services 0 servicePublishingStrategy nodePort port';

const HYPERSHIFT_PORTS: [string, Change, string][] = [
  ['the node port is none of the gateway\'s', set('HostedCluster', 'tenant-01', NODE_PORT, 30002), 'HCP634'],
  ['the node port is that of another server', set('HostedCluster', 'tenant-01', NODE_PORT, 30011), 'HCP634'],
  ['two tenants have one node port', set('HostedCluster', 'tenant-01', NODE_PORT, 30010), 'HCP110'],
  ['the node port of konnectivity is another', set('HostedCluster', 'tenant-02', NODE_PORT.replace('0', '1'), 30020), 'HCP634'],
  ['the gateway has another port', replace('ports.map', '30001 ', '30002 '), 'HCP634'],
  ['the gateway has the port no more', replace('ports.map', /^30001 .*\n/m, ''), 'HCP634'],
  ['the gateway has no port at all', replace('ports.map', /[^]*/, ''), 'HCP634'],
  ['a port leads to another tenant', replace('ports.map', '30001 kube-apiserver.clusters-tenant-01', '30001 kube-apiserver.clusters-tenant-02'), 'HCP634'],
  ['a port leads to another server of the tenant', replace('ports.map', '30012 oauth-openshift', '30012 ignition-server-proxy'), 'HCP634'],
  ['a port is there twice', replace('ports.map', /^30001 (.*)\n/m, '30001 $1\n30001 kube-apiserver.clusters-tenant-02.svc.cluster.local:6443\n'), 'HCP634'],
  ['a port leads to port 443 of the API server', replace('ports.map', /^(30001 \S+):6443/m, '$1:443'), 'HCP204'],
  ['a port leads to the API port in the place of konnectivity', replace('ports.map', ':8091', ':6443'), 'HCP204'],
  ['a port names the list of another tenant', replace('ports.map', ':clusters/tenant-01', ':clusters/tenant-02'), 'HCP631'],
  ['a port names a list that is empty', replace('ports.map', ':clusters/tenant-02', ':clusters/tenant-2'), 'HCP631'],
];

const KAMAJI_PORTS: [string, Change, string][] = [
  ['the gateway has the API port no more', replace('ports.map', /^30000 .*\n/m, ''), 'HCP201'],
  ['the API port is another', set('TenantControlPlane', 'tenant-01', 'spec controlPlane ingress hostname', 'tenants-tenant-01.k8s.example.com:30001'), 'HCP201'],
  ['the API port leads to another tenant', replace('ports.map', '30000 tenant-01.', '30000 tenant-02.'), 'HCP201'],
  ['the gateway has the konnectivity port no more', replace('ports.map', /^30011 .*\n/m, ''), 'HCP202'],
  ['the konnectivity port leads to a port that nobody has', replace('ports.map', ':8132', ':8133'), 'HCP204'],
  ['two tenants have one port', replace('ports.map', /^30010 /m, '30000 '), 'HCP634'],
];

const AGENT_ARGS = 'spec addons konnectivity agent extraArgs';
const agentPort = (port: number) => ['--proxy-server-host=edge.example.com', `--proxy-server-port=${port}`];

/** Of several servers at one host. */
const ONE_HOST: [string, string, Change, string][] = [
  ['one-host', 'agents dial the port of the API', set('TenantControlPlane', 'tenant-01', AGENT_ARGS, agentPort(443)), 'HCP103'],
  ['one-host', 'agents dial the port of another tenant', set('TenantControlPlane', 'tenant-01', AGENT_ARGS, agentPort(8133)), 'HCP104'],
  ['one-host', 'clients are told the port of another tenant', set('KamajiControlPlane', 'tenant-02', 'spec network ingress hostname', 'edge.example.com:443'), 'HCP104'],
  ['one-host', 'konnectivity has the entry point of the API', objects => {
    find(objects, 'IngressRouteTCP', 'tenant-01-konnectivity-server').spec.entryPoints = ['websecure'];
  }, 'HCP103'],
  ['one-host-ports', 'agents dial the port of the API', set('TenantControlPlane', 'tenant-01', AGENT_ARGS, agentPort(30000)), 'HCP103'],
  ['one-host-ports', 'clients are told the port of another tenant', set('TenantControlPlane', 'tenant-02', 'spec controlPlane ingress hostname', 'edge.example.com:30000'), 'HCP104'],
];

const HOST = 'tenants-tenant-01.k8s.example.com';

const COMPETITION: [string, string, Change, string][] = [
  ['traefik', 'an IngressRoute has the API host',
    add(`{apiVersion: traefik.io/v1alpha1, kind: IngressRoute, metadata: {name: web, namespace: web}, spec: {entryPoints: [websecure], routes: [{kind: Rule, match: "Host(\`${HOST}\`)", services: [{name: web, port: 80}]}], tls: {}}}`), 'HCP306'],
  ['traefik', 'an IngressRoute has the API host in capitals',
    add(`{apiVersion: traefik.io/v1alpha1, kind: IngressRoute, metadata: {name: web, namespace: web}, spec: {entryPoints: [websecure], routes: [{kind: Rule, match: "HOST(\`${HOST.toUpperCase()}\`)", services: [{name: web, port: 80}]}], tls: {}}}`), 'HCP306'],
  ['traefik', 'an IngressRouteTCP of somebody else has the API host in capitals',
    add(`{apiVersion: traefik.io/v1alpha1, kind: IngressRouteTCP, metadata: {name: web, namespace: web}, spec: {entryPoints: [websecure], routes: [{match: "HOSTSNI(\`${HOST.toUpperCase()}\`)", priority: 5000, services: [{name: web, port: 443}]}], tls: {passthrough: true}}}`), 'HCP205'],
  ['traefik', 'an IngressRoute without entry points has the API host among others',
    add(`{apiVersion: traefik.io/v1alpha1, kind: IngressRoute, metadata: {name: web, namespace: web}, spec: {routes: [{kind: Rule, match: "Host(\`a.example.com\`) || Host(\`${HOST}\`)", services: [{name: web, port: 80}]}]}}`), 'HCP306'],
  ['traefik', 'an IngressRouteTCP for every host has a higher priority',
    add('{apiVersion: traefik.io/v1alpha1, kind: IngressRouteTCP, metadata: {name: web, namespace: web}, spec: {entryPoints: [websecure], routes: [{match: "HostSNI(`*`)", priority: 5000, services: [{name: web, port: 443}]}], tls: {passthrough: true}}}'), 'HCP210'],
  ['traefik', 'an IngressRouteTCP for a pattern has a higher priority',
    add('{apiVersion: traefik.io/v1alpha1, kind: IngressRouteTCP, metadata: {name: web, namespace: web}, spec: {entryPoints: [websecure], routes: [{match: "HostSNIRegexp(`.+`)", priority: 5000, services: [{name: web, port: 443}]}], tls: {passthrough: true}}}'), 'HCP210'],
  ['traefik', 'an IngressRouteTCP for a wildcard has a higher priority',
    add('{apiVersion: traefik.io/v1alpha1, kind: IngressRouteTCP, metadata: {name: web, namespace: web}, spec: {entryPoints: [websecure], routes: [{match: "HostSNI(`*.k8s.example.com`)", priority: 5000, services: [{name: web, port: 443}]}], tls: {passthrough: true}}}'), 'HCP210'],
  ['traefik', 'an IngressRouteTCP of somebody else has the API host',
    add(`{apiVersion: traefik.io/v1alpha1, kind: IngressRouteTCP, metadata: {name: web, namespace: web}, spec: {entryPoints: [websecure], routes: [{match: "HostSNI(\`${HOST}\`)", priority: 5000, services: [{name: web, port: 443}]}], tls: {passthrough: true}}}`), 'HCP205'],
  ['haproxy', 'a foreign wildcard Ingress passes through',
    add('{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web, namespace: web, annotations: {haproxy.org/ssl-passthrough: "true"}}, spec: {ingressClassName: haproxy, rules: [{host: "*.k8s.example.com", http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 443}}}}]}}]}}'), 'HCP209'],
  ['haproxy', 'an Ingress for HTTP has the API host',
    add(`{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web, namespace: web}, spec: {ingressClassName: haproxy, rules: [{host: ${HOST}, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}}`), 'HCP301'],
  ['f5', 'a VirtualServer has the API host',
    add('{apiVersion: k8s.nginx.org/v1, kind: VirtualServer, metadata: {name: web, namespace: web}, spec: {host: tenant-01.k8s.example.com, upstreams: [{name: web, service: web, port: 80}]}}'), 'HCP306'],
  ['istio', 'a Gateway opens TLS of the API host',
    objects => objects.push({ ...istioGateway(objects), metadata: { name: 'web', namespace: 'web' }, spec: simple(objects, `*/${HOST}`) }), 'HCP306'],
  ['istio', 'a Gateway opens TLS of every host',
    objects => objects.push({ ...istioGateway(objects), metadata: { name: 'web', namespace: 'web' }, spec: simple(objects, '*') }), 'HCP306'],
  ['gateway-api', 'an HTTPRoute at the same Gateway has the API host',
    add(`{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: web, namespace: web}, spec: {parentRefs: [{name: public, namespace: gateways}], hostnames: [${HOST}], rules: [{backendRefs: [{name: web, port: 80}]}]}}`), 'HCP306'],
];

function istioGateway(objects: any[]): any {
  return objects.find(({ apiVersion, kind }) => kind === 'Gateway' && apiVersion.startsWith('networking.istio.io/'));
}

function simple(objects: any[], host: string): any {
  const { selector, servers: [{ port }] } = istioGateway(objects).spec;
  return { selector, servers: [{ port: { ...port, protocol: 'HTTPS' }, hosts: [host], tls: { mode: 'SIMPLE', credentialName: 'web' } }] };
}

const OTHERS: [string, string, Change, string][] = [
  ['haproxy', 'the API server writes endpoints beside a tcp-proxy', set('TenantControlPlane', 'tenant-01', 'spec controlPlane deployment extraArgs', {}), 'HCP601'],
  ['haproxy', 'a tcp-proxy leads to another tenant', replaceIn('tenants-tenant-01.k8s', /tenants-tenant-01\.k8s/g, 'tenants-tenant-02.k8s'), 'HCP619'],
  ['haproxy', 'a tcp-proxy dials the port of the Service', replaceIn('tenants-tenant-01.k8s', /(server upstream \S+):443/g, '$1:6443'), 'HCP618'],
  ['haproxy', 'a public port is 6443', set('TenantControlPlane', 'tenant-01', 'spec controlPlane ingress hostname', `${HOST}:6443`), 'HCP618'],
  ['haproxy', 'a route leads to another tenant', set('Ingress', 'tenant-01-kube-apiserver', 'spec rules 0 http paths 0 backend service name', 'tenant-02'), 'HCP203'],
  ['haproxy', 'two tenants take one node port', objects => {
    for (const name of ['tenant-01', 'tenant-02']) find(objects, 'TenantControlPlane', name).spec.controlPlane.service.serviceType = 'NodePort';
  }, 'HCP110'],
  ['steward', "Steward's own tcp-proxy is beside another", set('TenantControlPlane', 'tenant-01', 'spec addons tcpProxy', {}), 'HCP606'],
  ['kamaji-control-plane', 'the API server writes endpoints beside a tcp-proxy', set('KamajiControlPlane', 'tenant-01', 'spec apiServer', {}), 'HCP601'],
];

const named = (platform: string, rows: [string, Change, string][]): Mutation[] =>
  rows.map(([what, change, code]) => ({ platform, what, change, code }));

const OF_PORT = 'tenant-01-kubernetes-service';
/** By the controller in front, which has two tenants at ports of their own. */
const PODS_BY_PORT: [string, string, Change, string][] = ([
  ['traefik', 'the Endpoints have another port', set('Endpoints', 'kubernetes', 'subsets 0 ports 0 port', 30099), 'HCP641'],
  ['traefik', 'the slice has another port', set('EndpointSlice', 'kubernetes', 'ports 0 port', 30099), 'HCP641'],
  ['traefik', 'the slice is empty', set('EndpointSlice', 'kubernetes', 'endpoints', []), 'HCP643'],
  ['traefik', 'the slice is for the other family', set('EndpointSlice', 'kubernetes', 'addressType', 'IPv6'), 'HCP642'],
  ['traefik', 'the address is of the other family', set('Endpoints', 'kubernetes', 'subsets 0 addresses 0 ip', '2001:db8::10'), 'HCP642'],
  ['traefik', 'the API server writes endpoints too', set('TenantControlPlane', 'tenant-01', 'spec controlPlane deployment extraArgs apiServer', ['--v=2']), 'HCP601'],
  ['traefik', 'the Service has the shared address', set('TenantControlPlane', 'tenant-01', 'spec networkProfile allowAddressAsExternalIP', true), 'HCP647'],
  ['traefik', 'every host is at an entry point of hosts', set('IngressRouteTCP', OF_PORT, 'spec entryPoints', ['websecure']), 'HCP207'],
  ['traefik', 'the entry point is another', set('IngressRouteTCP', OF_PORT, 'spec entryPoints', ['port-30099']), 'HCP641'],
  ['traefik', 'two routes have one entry point', set('IngressRouteTCP', OF_PORT, 'spec entryPoints', ['port-30016']), 'HCP634'],
  ['traefik', 'the port leads to the other tenant', set('IngressRouteTCP', OF_PORT, 'spec routes 0 services 0 name', 'tenant-02'), 'HCP648'],
  ['traefik', 'the port leads to konnectivity', set('IngressRouteTCP', OF_PORT, 'spec routes 0 services 0 port', 8132), 'HCP641'],
  ['haproxy-ingress', 'the annotation has another port', set('Ingress', OF_PORT, 'metadata annotations haproxy-ingress.github.io/tcp-service-port', '30099'), 'HCP641'],
  ['haproxy-ingress', 'the port leads to the other tenant', set('Ingress', OF_PORT, 'spec defaultBackend service name', 'tenant-02'), 'HCP648'],
  ['f5-nginx', 'the listener is another', set('TransportServer', OF_PORT, 'spec listener name', 'port-30099'), 'HCP641'],
  ['f5-nginx', 'the port of the Service has a typo', set('TransportServer', OF_PORT, 'spec upstreams 0 port', 6444), 'HCP204'],
  ['istio', 'the port of the match is another', set('VirtualService', OF_PORT, 'spec tcp 0 match 0 port', 30099), 'HCP641'],
  ['gateway-api', 'the listener is another', set('TCPRoute', OF_PORT, 'spec parentRefs 0 sectionName', 'port-30099'), 'HCP641'],
  ['gateway-api', 'the port leads to the other tenant', set('TCPRoute', OF_PORT, 'spec rules 0 backendRefs 0 name', 'tenant-02'), 'HCP648'],
  ['a gateway of this library', 'the ListenerSet has another port', set('ListenerSet', OF_PORT, 'spec listeners 0 port', 30099), 'HCP641'],
  ['a gateway of this library', 'the ListenerSet has another listener', set('ListenerSet', OF_PORT, 'spec listeners 0 name', 'api'), 'HCP645'],
  ['a gateway of this library', 'the route attaches to a listener of TLS',
    set('TCPRoute', OF_PORT, 'spec parentRefs', [{ name: 'public', namespace: 'gateways', sectionName: 'k8s' }]), 'HCP645'],
  ['a gateway of this library', 'two ListenerSets have one port', set('ListenerSet', OF_PORT, 'spec listeners 0 port', 30016), 'HCP634'],
  ['the shared gateway of this library', 'the map has another port', replace('ports.map', /^30008 /m, '30009 '), 'HCP641'],
  ['the shared gateway of this library', 'the port leads to the other tenant', replace('ports.map', /^(30008 )tenant-01/m, '$1tenant-02'), 'HCP648'],
] satisfies [string, string, Change, string][]).map(([controller, ...rest]) => [`pods by a port: ${controller}`, ...rest]);

const FLEET: [string, Change, string][] = [
  ['a cluster does not know a host that the edge leads there', replace('hosts.map', /^(\S+\.k8s\.eu\.example\.com) (?!@)/m, 'other.$1 ', 'shared-ingress'), 'HCP650'],
  ['a cluster does not know a cluster ID that the edge leads there', replace('cluster-ids.map', /^id-of-us (?!@)/m, 'id-of-nobody ', 'shared-ingress'), 'HCP650'],
  ['a cluster does not know a port that the edge leads there', replace('ports.map', /^30010 (?!@)/m, '30011 ', 'shared-ingress'), 'HCP650'],
];

export const MUTATIONS: Mutation[] = [
  ...named('k0smotron', K0SMOTRON),
  ...named('hetzner', HETZNER),
  ...named('k0rdent', K0RDENT),
  ...named('shared-gateway', SHARED_GATEWAY),
  ...named('fleet', FLEET),
  ...named('tunnel', TUNNEL),
  ...named('kamaji-ports', KAMAJI_PORTS),
  ...named('addresses', ADDRESSES),
  ...named('hypershift', HYPERSHIFT),
  ...named('hypershift-ports', HYPERSHIFT_PORTS),
  ...[...ONE_HOST, ...COMPETITION, ...OTHERS, ...PODS_BY_PORT].map(([platform, what, change, code]) => ({ platform, what, change, code })),
];
