/** Hand-written manifests without a fault. Tests break them by replacing text. */
export const KAMAJI = `
apiVersion: kamaji.clastix.io/v1alpha1
kind: TenantControlPlane
metadata:
  name: acme
  namespace: tenants
spec:
  controlPlane:
    deployment:
      replicas: 3
      extraArgs:
        apiServer:
          - --endpoint-reconciler-type=none
    ingress:
      hostname: acme.k8s.example.com:443
      ingressClassName: nobody
    service:
      serviceType: ClusterIP
  kubernetes: {version: v1.31.0, kubelet: {}}
  networkProfile:
    serviceCidr: 10.96.0.0/16
    certSANs: [acme.k8s.example.com, acme.konnectivity.example.com]
  addons:
    konnectivity:
      server: {port: 8132}
      agent:
        extraArgs:
          - --proxy-server-host=acme.konnectivity.example.com
          - --proxy-server-port=443
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: acme-api
  namespace: tenants
  annotations:
    haproxy.org/ssl-passthrough: "true"
spec:
  ingressClassName: haproxy
  rules:
    - host: acme.k8s.example.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: acme, port: {number: 6443}}}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: acme-konnectivity
  namespace: tenants
  annotations:
    haproxy.org/ssl-passthrough: "true"
spec:
  ingressClassName: haproxy
  rules:
    - host: acme.konnectivity.example.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: acme, port: {number: 8132}}}}]}
`;

/** A proxy in the tenant of `acme`, by hand. */
export const PROXY = `
apiVersion: v1
kind: ConfigMap
metadata: {name: tcp-proxy, namespace: kube-system}
data:
  haproxy.cfg: |
    defaults
      mode tcp
      timeout connect 5s
      timeout client 24h
      timeout server 24h
    frontend api
      bind :6443 ssl crt /tls/server.pem
      default_backend api
    backend api
      server api acme.k8s.example.com:443 ssl verify required ca-file /ca.crt sni str(acme.k8s.example.com)
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: tcp-proxy, namespace: kube-system}
spec:
  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  template:
    spec:
      hostNetwork: true
      dnsPolicy: Default
      tolerations: [{operator: Exists}]
      containers:
        - name: haproxy
          image: docker.io/library/haproxy:3.0.5
          resources: {limits: {memory: 64Mi}}
`;

export const STEWARD = `
apiVersion: steward.butlerlabs.dev/v1alpha1
kind: TenantControlPlane
metadata: {name: acme, namespace: tenants}
spec:
  controlPlane:
    ingress: {hostname: acme.k8s.example.com, controllerType: generic, ingressClassName: nobody}
    service: {serviceType: ClusterIP}
  kubernetes: {version: v1.31.0, kubelet: {}}
  networkProfile: {certSANs: [acme.k8s.example.com]}
  addons: {konnectivity: {}}
---
apiVersion: traefik.io/v1alpha1
kind: IngressRouteTCP
metadata: {name: acme, namespace: tenants}
spec:
  entryPoints: [websecure]
  tls: {passthrough: true}
  routes:
    - match: HostSNI(\`acme.k8s.example.com\`)
      services: [{name: acme, port: 6443}]
    - match: HostSNI(\`acme.konnectivity.example.com\`)
      services: [{name: acme, port: 8132}]
`;

export const GATEWAY = `
apiVersion: kamaji.clastix.io/v1alpha1
kind: TenantControlPlane
metadata: {name: acme, namespace: tenants}
spec:
  controlPlane:
    deployment: {extraArgs: {apiServer: []}}
    service: {serviceType: ClusterIP}
    gateway:
      hostname: acme.k8s.example.com
      parentRefs: [{name: nobody, namespace: gateways}]
  networkProfile: {certSANs: [acme.k8s.example.com, acme.konnectivity.example.com]}
  addons:
    konnectivity:
      agent: {extraArgs: [--proxy-server-host=acme.konnectivity.example.com, --proxy-server-port=443]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: gateways}
spec:
  gatewayClassName: envoy
  listeners:
    - {name: k8s, port: 443, protocol: TLS, hostname: "*.k8s.example.com", tls: {mode: Passthrough}, allowedRoutes: {namespaces: {from: All}}}
    - {name: konnectivity, port: 443, protocol: TLS, hostname: "*.konnectivity.example.com", tls: {mode: Passthrough}, allowedRoutes: {namespaces: {from: All}}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: TLSRoute
metadata: {name: acme-api, namespace: tenants}
spec:
  hostnames: [acme.k8s.example.com]
  parentRefs: [{name: edge, namespace: gateways, sectionName: k8s}]
  rules: [{backendRefs: [{name: acme, port: 6443}]}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: TLSRoute
metadata: {name: acme-konnectivity, namespace: tenants}
spec:
  hostnames: [acme.konnectivity.example.com]
  parentRefs: [{name: edge, namespace: gateways, sectionName: konnectivity}]
  rules: [{backendRefs: [{name: acme, port: 8132}]}]
`;

/** A KamajiControlPlane whose operator makes the routes. */
export const GATEWAY_OF_OPERATOR = `
apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata: {name: acme, namespace: tenants}
spec:
  version: v1.34.3
  network:
    serviceType: ClusterIP
    gateway: {hostname: "acme.k8s.example.com:6443", name: edge, namespace: gateways, sectionName: kube-apiserver}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: gateways}
spec:
  gatewayClassName: envoy
  listeners:
    - {name: kube-apiserver, port: 6443, protocol: TLS, hostname: "*.k8s.example.com", tls: {mode: Passthrough}, allowedRoutes: {namespaces: {from: All}}}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: acme, namespace: tenants}
spec:
  controlPlaneEndpoint: {host: acme.k8s.example.com, port: 6443}
  controlPlaneRef: {kind: KamajiControlPlane, name: acme}
`;

export const K0SMOTRON = `
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: K0smotronControlPlane
metadata: {name: acme-cp, namespace: tenants}
spec:
  version: v1.34.3+k0s.0
  ingress:
    apiHost: acme.k8s.example.com
    konnectivityHost: acme.konnectivity.example.com
    className: haproxy
    annotations: {haproxy.org/ssl-passthrough: "true"}
  service: {type: ClusterIP, apiPort: 30443, konnectivityPort: 30132}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: acme, namespace: tenants}
spec:
  controlPlaneEndpoint: {host: acme.k8s.example.com, port: 443}
  controlPlaneRef: {kind: K0smotronControlPlane, name: acme-cp}
`;

export const SHARED_GATEWAY = `
apiVersion: v1
kind: ConfigMap
metadata: {name: edge-haproxy, namespace: edge, labels: {app.kubernetes.io/instance: edge}}
data:
  haproxy.cfg: "frontend cluster-id\\n  tcp-request content set-var(txn.tenant) fc_pp_tlv(0xe1)\\n"
---
apiVersion: v1
kind: ConfigMap
metadata: {name: edge-routes, namespace: edge, labels: {app.kubernetes.io/instance: edge}}
data:
  hosts.map: |
    acme.k8s.example.com acme.tenants.svc.cluster.local:6443
    acme.konnectivity.example.com acme.tenants.svc.cluster.local:8132
  cluster-ids.map: |
    id-of-acme acme.tenants.svc.cluster.local:6443
---
apiVersion: v1
kind: ConfigMap
metadata: {name: tcp-proxy, namespace: kube-system}
data:
  haproxy.cfg: |
    defaults
      timeout client 24h
      timeout server 24h
    backend api
      server api edge.example.com:6443 send-proxy-v2 set-proxy-v2-tlv-fmt(0xe1) id-of-acme
---
${KAMAJI.split('---')[0]}`;

export const ISTIO = `
${KAMAJI.split('---')[0]}
---
apiVersion: networking.istio.io/v1
kind: Gateway
metadata: {name: acme, namespace: tenants}
spec:
  selector: {istio: ingressgateway}
  servers:
    - port: {name: tls, number: 443, protocol: TLS}
      hosts: [./acme.k8s.example.com, ./acme.konnectivity.example.com]
      tls: {mode: PASSTHROUGH}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: acme, namespace: tenants}
spec:
  hosts: [acme.k8s.example.com, acme.konnectivity.example.com]
  gateways: [acme]
  tls:
    - match: [{port: 443, sniHosts: [acme.k8s.example.com]}]
      route: [{destination: {host: acme, port: {number: 6443}}}]
    - match: [{port: 443, sniHosts: [acme.konnectivity.example.com]}]
      route: [{destination: {host: acme, port: {number: 8132}}}]
`;

/** The hosts of `acme` by objects of three more controllers. */
export const OTHER_CONTROLLERS = {
  contour: `${KAMAJI.split('---')[0]}
---
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: {name: acme-api, namespace: tenants}
spec:
  virtualhost: {fqdn: acme.k8s.example.com, tls: {passthrough: true}}
  tcpproxy: {services: [{name: acme, port: 6443}]}
---
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: {name: acme-konnectivity, namespace: tenants}
spec:
  virtualhost: {fqdn: acme.konnectivity.example.com, tls: {passthrough: true}}
  tcpproxy: {services: [{name: acme, port: 8132}]}
`,
  f5: `${KAMAJI.split('---')[0]}
---
apiVersion: k8s.nginx.org/v1
kind: TransportServer
metadata: {name: acme-api, namespace: tenants}
spec:
  host: acme.k8s.example.com
  listener: {name: tls-passthrough, protocol: TLS_PASSTHROUGH}
  upstreams: [{name: api, service: acme, port: 6443}]
  action: {pass: api}
---
apiVersion: k8s.nginx.org/v1
kind: TransportServer
metadata: {name: acme-konnectivity, namespace: tenants}
spec:
  host: acme.konnectivity.example.com
  listener: {name: tls-passthrough, protocol: TLS_PASSTHROUGH}
  upstreams: [{name: api, service: acme, port: 8132}]
  action: {pass: api}
`,
  openshift: `${KAMAJI.split('---')[0]}
---
apiVersion: route.openshift.io/v1
kind: Route
metadata: {name: acme-api, namespace: tenants}
spec:
  host: acme.k8s.example.com
  to: {kind: Service, name: acme}
  port: {targetPort: 6443}
  tls: {termination: passthrough}
---
apiVersion: route.openshift.io/v1
kind: Route
metadata: {name: acme-konnectivity, namespace: tenants}
spec:
  host: acme.konnectivity.example.com
  to: {kind: Service, name: acme}
  port: {targetPort: 8132}
  tls: {termination: passthrough}
`,
};

/** A HostedCluster behind the shared gateway, by Routes, as on ARO. */
export const HYPERSHIFT = `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: {name: acme, namespace: clusters}
spec:
  clusterID: 5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10
  networking: {serviceNetwork: [{cidr: 172.30.0.0/16}]}
  platform: {type: Azure, azure: {azureAuthenticationConfig: {azureAuthenticationConfigType: ManagedIdentities}}}
  services:
    - {service: APIServer, servicePublishingStrategy: {type: Route, route: {hostname: acme.k8s.example.com}}}
    - {service: Konnectivity, servicePublishingStrategy: {type: Route, route: {hostname: acme.konnectivity.example.com}}}
    - {service: OAuthServer, servicePublishingStrategy: {type: Route, route: {hostname: acme.oauth.example.com}}}
    - {service: Ignition, servicePublishingStrategy: {type: Route, route: {hostname: acme.ignition.example.com}}}
---
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: {name: bcme, namespace: clusters}
spec:
  clusterID: 6f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d11
  services:
    - {service: APIServer, servicePublishingStrategy: {type: NodePort, nodePort: {address: 203.0.113.10, port: 30001}}}
    - {service: Konnectivity, servicePublishingStrategy: {type: Route, route: {hostname: bcme.konnectivity.example.com}}}
    - {service: OAuthServer, servicePublishingStrategy: {type: Route, route: {hostname: bcme.oauth.example.com}}}
    - {service: Ignition, servicePublishingStrategy: {type: Route, route: {hostname: bcme.ignition.example.com}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: edge-haproxy, namespace: edge, labels: {app.kubernetes.io/instance: edge}}
data:
  haproxy.cfg: "frontend cluster-id\\n  tcp-request content set-var(txn.tenant) fc_pp_tlv(0x20)\\n"
---
apiVersion: v1
kind: ConfigMap
metadata: {name: edge-routes, namespace: edge, labels: {app.kubernetes.io/instance: edge}}
data:
  hosts.map: |
    acme.ignition.example.com ignition-server-proxy.clusters-acme.svc.cluster.local:443
    acme.k8s.example.com kube-apiserver.clusters-acme.svc.cluster.local:6443
    acme.konnectivity.example.com konnectivity-server.clusters-acme.svc.cluster.local:8091
    acme.oauth.example.com oauth-openshift.clusters-acme.svc.cluster.local:6443
    bcme.ignition.example.com ignition-server-proxy.clusters-bcme.svc.cluster.local:443
    bcme.k8s.example.com kube-apiserver.clusters-bcme.svc.cluster.local:6443
    bcme.konnectivity.example.com konnectivity-server.clusters-bcme.svc.cluster.local:8091
    bcme.oauth.example.com oauth-openshift.clusters-bcme.svc.cluster.local:6443
  cluster-ids.map: |
    5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10 kube-apiserver.clusters-acme.svc.cluster.local:6443
`;

/** What leads port 30001 to the API server of `acme`, at each edge that can. */
export const PORTS: { [edge: string]: string } = {
  gateway: `
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: {name: acme-port, namespace: tenants}
spec:
  parentRef: {name: edge, namespace: gateways}
  listeners: [{name: kubernetes-service, port: 30001, protocol: TCP}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: TCPRoute
metadata: {name: acme-port, namespace: tenants}
spec:
  parentRefs: [{kind: ListenerSet, name: acme-port, sectionName: kubernetes-service}]
  rules: [{backendRefs: [{name: acme, port: 6443}]}]
`,
  traefik: `
apiVersion: traefik.io/v1alpha1
kind: IngressRouteTCP
metadata: {name: acme-port, namespace: tenants}
spec:
  entryPoints: [port-30001]
  tls: {passthrough: true}
  routes: [{match: HostSNI(\`*\`), services: [{name: acme, port: 6443}]}]
`,
  f5: `
apiVersion: k8s.nginx.org/v1
kind: TransportServer
metadata: {name: acme-port, namespace: tenants}
spec:
  listener: {name: port-30001, protocol: TCP}
  upstreams: [{name: api, service: acme, port: 6443}]
  action: {pass: api}
`,
  haproxyIngress: `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: acme-port, namespace: tenants, annotations: {haproxy-ingress.github.io/tcp-service-port: "30001"}}
spec:
  ingressClassName: haproxy
  defaultBackend: {service: {name: acme, port: {number: 6443}}}
`,
  istio: `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: acme-port, namespace: tenants}
spec:
  hosts: ["*"]
  gateways: [acme-port]
  tcp: [{match: [{port: 30001}], route: [{destination: {host: acme, port: {number: 6443}}}]}]
`,
  sharedGateway: `
apiVersion: v1
kind: ConfigMap
metadata: {name: edge-routes, namespace: edge, labels: {app.kubernetes.io/instance: edge}}
data:
  ports.map: |
    30001 acme.tenants.svc.cluster.local:6443
`,
};

/** `default/kubernetes` of the tenant `acme`. */
export const ENDPOINTS = `
apiVersion: v1
kind: Endpoints
metadata: {name: kubernetes, namespace: default, labels: {endpointslice.kubernetes.io/skip-mirror: "true"}}
subsets: [{addresses: [{ip: 203.0.113.10}], ports: [{name: https, port: 30001, protocol: TCP}]}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: kubernetes, namespace: default, labels: {kubernetes.io/service-name: kubernetes}}
addressType: IPv4
endpoints: [{addresses: [203.0.113.10]}]
ports: [{name: https, port: 30001, protocol: TCP}]
`;
