type MakeRoute = (host: string, namespace: string, name?: string) => any;

function maker(apiVersion: string, kind: string, spec: (host: string) => object): MakeRoute {
  return (host, namespace, name = 'route') => ({ apiVersion, kind, metadata: { name, namespace }, spec: spec(host) });
}

const service = { name: 'api', port: 6443 };
const destination = { route: [{ destination: { host: 'api', port: { number: 6443 } } }] };

/** A route of each kind that takes a host. */
export const ROUTES: { readonly [kind: string]: MakeRoute } = {
  'Ingress': maker('networking.k8s.io/v1', 'Ingress', host => ({
    rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'api', port: { number: 6443 } } } }] } }],
  })),
  'IngressRouteTCP of Traefik': maker('traefik.io/v1alpha1', 'IngressRouteTCP', host => ({
    entryPoints: ['websecure'], routes: [{ match: `HostSNI(\`${host}\`)`, services: [service] }], tls: { passthrough: true },
  })),
  'IngressRouteTCP of Traefik 2': maker('traefik.containo.us/v1alpha1', 'IngressRouteTCP', host => ({
    routes: [{ match: `HostSNI(\`${host}\`)`, services: [service] }],
  })),
  'IngressRoute of Traefik': maker('traefik.io/v1alpha1', 'IngressRoute', host => ({
    routes: [{ kind: 'Rule', match: `Host(\`${host}\`) && PathPrefix(\`/\`)`, services: [service] }],
  })),
  'HTTPProxy of Contour': maker('projectcontour.io/v1', 'HTTPProxy', fqdn => ({
    virtualhost: { fqdn, tls: { passthrough: true } }, tcpproxy: { services: [service] },
  })),
  'VirtualServer of F5': maker('k8s.nginx.org/v1', 'VirtualServer', host => ({ host, routes: [] })),
  'VirtualServerRoute of F5': maker('k8s.nginx.org/v1', 'VirtualServerRoute', host => ({ host, subroutes: [] })),
  'TransportServer of F5': maker('k8s.nginx.org/v1', 'TransportServer', host => ({
    host, listener: { name: 'tls-passthrough', protocol: 'TLS_PASSTHROUGH' }, upstreams: [{ name: 'api', service: 'api', port: 6443 }], action: { pass: 'api' },
  })),
  'TLSRoute': maker('gateway.networking.k8s.io/v1', 'TLSRoute', host => ({ parentRefs: [{ name: 'public' }], hostnames: [host], rules: [{ backendRefs: [service] }] })),
  'HTTPRoute': maker('gateway.networking.k8s.io/v1', 'HTTPRoute', host => ({ parentRefs: [{ name: 'public' }], hostnames: [host] })),
  'GRPCRoute': maker('gateway.networking.k8s.io/v1', 'GRPCRoute', host => ({ parentRefs: [{ name: 'public' }], hostnames: [host] })),
  'Gateway': maker('gateway.networking.k8s.io/v1', 'Gateway', hostname => ({
    gatewayClassName: 'shared', listeners: [{ name: 'tls', port: 443, protocol: 'TLS', hostname }],
  })),
  'ListenerSet': maker('gateway.networking.k8s.io/v1', 'ListenerSet', hostname => ({ parentRef: { name: 'public' }, listeners: [{ name: 'tls', port: 443, hostname }] })),
  'Route of OpenShift': maker('route.openshift.io/v1', 'Route', host => ({ host, to: { kind: 'Service', name: 'api' }, tls: { termination: 'passthrough' } })),
  'VirtualService of Istio': maker('networking.istio.io/v1', 'VirtualService', host => ({
    hosts: [host], gateways: ['istio-system/public'], tls: [{ match: [{ port: 443, sniHosts: [host] }], ...destination }],
  })),
  'ServiceEntry of Istio': maker('networking.istio.io/v1', 'ServiceEntry', host => ({ hosts: [host] })),
  'Gateway of Istio': maker('networking.istio.io/v1', 'Gateway', host => ({
    selector: { istio: 'ingressgateway' }, servers: [{ port: { number: 443, name: 'tls', protocol: 'TLS' }, hosts: [`./${host}`], tls: { mode: 'PASSTHROUGH' } }],
  })),
  'DNSEndpoint of ExternalDNS': maker('externaldns.k8s.io/v1alpha1', 'DNSEndpoint', dnsName => ({
    endpoints: [{ dnsName, recordType: 'A', targets: ['203.0.113.66'] }],
  })),
};
