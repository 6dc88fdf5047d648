import { ENDPOINTS, GATEWAY, GATEWAY_OF_OPERATOR, ISTIO, K0SMOTRON, KAMAJI, OTHER_CONTROLLERS, PORTS, PROXY, SHARED_GATEWAY, STEWARD } from './good';
import { MUTATIONS } from './mutations';
import { RULES } from '../../../src/findings/rules';
import { NOTHING_TO_COMPARE, UNREADABLE } from '../../src/manifests/check';
import { broken, check } from '../support/manifests';

const KAMAJI_AND_PROXY = `${KAMAJI}---${PROXY}`;
/** A tenant at a port of its own, by each edge that has ports. */
const AT_PORT = Object.fromEntries(Object.entries(PORTS).map(([edge, port]) => [edge, `${KAMAJI}---${port}---${ENDPOINTS}`]));
const STEWARD_PROXY = broken(STEWARD, { 'addons: {': 'addons: {tcpProxy: {}, ' });
const RECORDS = `---
apiVersion: externaldns.k8s.io/v1alpha1
kind: DNSEndpoint
metadata: {name: acme, namespace: tenants}
spec:
  endpoints:
    - {dnsName: "*.k8s.example.com", recordType: A, targets: [203.0.113.10]}
    - {dnsName: acme.konnectivity.example.com, recordType: A, targets: [203.0.113.10]}
`;

const kamajiControlPlane = (version: string) => `
apiVersion: controlplane.cluster.x-k8s.io/${version}
kind: KamajiControlPlane
metadata: {name: acme, namespace: tenants}
spec:
  network:
    ingress: {hostname: "acme.k8s.example.com:443", className: nobody}
    certSANs: [acme.konnectivity.example.com]
  apiServer: {extraArgs: [--endpoint-reconciler-type=none]}
  addons: {konnectivity: {agent: {extraArgs: [--proxy-server-host=acme.konnectivity.example.com, --proxy-server-port=443]}}}
`;
/** As the provider of Cluster API makes a TenantControlPlane. */
const ofKamajiControlPlane = (text: string) => text.replace('  name: acme\n', '  name: acme\n  ownerReferences: [{kind: KamajiControlPlane, name: acme}]\n');
/** A KamajiControlPlane whose API server has another port than by default, which its Cluster says. */
const behindHaproxy = (others: string) => `${KAMAJI.replace(/[^]*?---/, `${kamajiControlPlane('v1alpha2')}---`).replace('number: 6443', 'number: 7443')}${others}---${PROXY}`;
const CLUSTER_WITH_PORT = `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenants}
spec:
  clusterNetwork: {apiServerPort: 7443}
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}
`;
const MADE_BY_PROVIDER = `---
${ofKamajiControlPlane(KAMAJI.split('---')[0]).replace('networkProfile:', 'networkProfile:\n    port: 7443')}`;

const SERVICE_PATCH = `  patches: [{target: {kind: Service}, patch: {type: merge, content: '{"spec":{"ports":[{"name":"oidc","port":9443,"targetPort":8443}]}}'}}]
  ingress:
`;
const withSidecar = (text: string) => broken(text, { 'serviceType: ClusterIP': 'serviceType: ClusterIP\n      additionalPorts: [{name: oidc, port: 9443, targetPort: 9443}]' });
const toSidecar = (port: string) => port.replace(/30001/g, '30002').replace(/6443/g, '9443').replace(/name: acme-port/g, 'name: acme-oidc');

const GOOD: { [name: string]: string } = {
  'Kamaji behind HAProxy, with a proxy': KAMAJI_AND_PROXY,
  'Steward behind Traefik': STEWARD,
  'Kamaji at a Gateway': GATEWAY,
  'Kamaji by Cluster API at a Gateway': GATEWAY_OF_OPERATOR,
  'Kamaji by Cluster API at a Gateway on port 443': broken(GATEWAY_OF_OPERATOR, { '"acme.k8s.example.com:6443"': 'acme.k8s.example.com', 'kube-apiserver, port: 6443': 'kube-apiserver, port: 443', 'port: 6443}': 'port: 443}' }),
  'Kamaji by Cluster API, whose Cluster says another port of the API server': behindHaproxy(CLUSTER_WITH_PORT),
  'Kamaji by Cluster API, whose Cluster is not there to say what port the API server has': behindHaproxy(''),
  'Kamaji by Cluster API, whose TenantControlPlane says the port': behindHaproxy(MADE_BY_PROVIDER),
  'k0smotron by Cluster API': K0SMOTRON,
  'a port of its own that a patch adds to the Service of k0smotron': `${broken(K0SMOTRON, { '  ingress:\n': SERVICE_PATCH })}---${toSidecar(PORTS.traefik).replace('name: acme,', 'name: kmc-acme,')}`,
  ...Object.fromEntries(Object.entries(AT_PORT).map(([edge, text]) => [`a sidecar at a port of its own: ${edge}`, `${withSidecar(text)}---${toSidecar(PORTS[edge])}`])),
  ...Object.fromEntries(Object.entries(AT_PORT).map(([edge, text]) => [`Kamaji at a port of its own: ${edge}`, text])),
  'Kamaji at a shared gateway': SHARED_GATEWAY,
  'Kamaji behind Istio': `${ISTIO}---${PROXY}`,
  'Kamaji behind Contour': `${OTHER_CONTROLLERS.contour}---${PROXY}`,
  'Kamaji behind F5 NGINX': `${OTHER_CONTROLLERS.f5}---${PROXY}`,
  'Kamaji behind OpenShift': `${OTHER_CONTROLLERS.openshift}---${PROXY}`,
  'Kamaji behind a controller that is not known': `${KAMAJI.split('---')[0]}---${PROXY}---
apiVersion: gateway.example.org/v1
kind: Passthrough
metadata: {name: acme, namespace: tenants}
spec: {hosts: [acme.k8s.example.com, acme.konnectivity.example.com]}
`,
  'Kamaji with an Ingress that its operator has made': `${KAMAJI_AND_PROXY.replace('ingressClassName: nobody', 'ingressClassName: haproxy\n      additionalMetadata: {annotations: {haproxy.org/ssl-passthrough: "true"}}')
    .replace('  name: acme-api\n', '  name: acme\n  ownerReferences: [{apiVersion: kamaji.clastix.io/v1alpha1, kind: TenantControlPlane, name: acme}]\n')}`,
  'a TenantControlPlane that Kamaji has made for a KamajiControlPlane': `${ofKamajiControlPlane(KAMAJI_AND_PROXY)}---${kamajiControlPlane('v1alpha1')}`,
  'Kamaji with DNS records': KAMAJI_AND_PROXY + RECORDS,
  'Kamaji with a certificate for a further host': broken(KAMAJI_AND_PROXY, { '          - --endpoint-reconciler-type=none\n': '          - --endpoint-reconciler-type=none\n          - --tls-sni-cert-key=/a/tls.crt,/a/tls.key:acme.example.net\n' }),
};

describe('manifests without a fault', () => {
  test.each(Object.keys(GOOD))('%s: nothing is found', name => {
    expect(check(GOOD[name])).toEqual([]);
  });
});

interface Fault {
  readonly code: string;
  readonly what: string;
  readonly text: string;
  /** Part of the message. */
  readonly message: string;
  /** Other codes that the same mistake causes. @default - none */
  readonly also?: string[];
}

const OTHER = 'other.k8s.example.com';

/** As this library writes it. */
const LABELLED_ROUTE = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: other-kube-apiserver
  namespace: clusters
  labels: {app.kubernetes.io/name: hosted-control-plane, app.kubernetes.io/instance: other}
  annotations: {haproxy.org/ssl-passthrough: "true"}
spec:
  ingressClassName: haproxy
  rules: [{host: ${OTHER}, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: other, port: {number: 6443}}}}]}}]
`;

/** A policy of HostOwnershipPolicy, as far as it is read. */
const HOST_POLICY = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: hosts-ingress}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [networking.k8s.io], resources: [ingresses]}]}
  variables: [{name: listed}, {name: identities}, {name: hosts}, {name: foreign}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: hosts-ingress}
spec: {policyName: hosts-ingress, paramRef: {name: hosts, namespace: host-policy}, validationActions: [Deny]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: hosts, namespace: host-policy}
data: {example.com: "", acme.konnectivity.example.com: tenants, acme.k8s.example.com: "tenants team-b"}
`;

const FAULTS: Fault[] = [
  {
    code: 'HCP671',
    what: 'a policy of hosts without its binding',
    text: broken(KAMAJI_AND_PROXY + HOST_POLICY, { 'policyName: hosts-ingress': 'policyName: other' }),
    message: 'no ValidatingAdmissionPolicyBinding names hosts-ingress',
  },
  {
    code: 'HCP672',
    what: 'a policy of hosts without its owners',
    text: broken(KAMAJI_AND_PROXY + HOST_POLICY, { 'paramRef: {name: hosts,': 'paramRef: {name: owners,' }),
    message: 'ConfigMap host-policy/owners with the owners of hosts is not among the manifests',
  },
  {
    code: 'HCP673',
    what: 'a host that the owners give to others',
    text: broken(KAMAJI_AND_PROXY + HOST_POLICY, { 'acme.k8s.example.com: "tenants team-b"': 'acme.k8s.example.com: team-b' }),
    message: 'the host acme.k8s.example.com belongs to team-b by ConfigMap host-policy/hosts, and not to the namespace tenants',
  },
  { code: 'HCP001', what: 'broken YAML', text: `${KAMAJI_AND_PROXY}---\na: [b\n`, message: 'is no YAML' },
  { code: 'HCP002', what: 'nothing but other objects', text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n', message: 'no control plane is in there' },
  { code: 'HCP002', what: 'a proxy alone', text: PROXY, message: 'no control plane is in there' },
  { code: 'HCP002', what: 'no object', text: '# nothing\n', message: 'no control plane is in there' },
  { code: 'HCP001', what: 'a template', text: `${KAMAJI_AND_PROXY}---\nkind: {{ .Values.kind }}\n`, message: 'is no YAML' },
  {
    code: 'HCP003',
    what: 'a version whose fields are not known, and nothing else',
    text: broken(KAMAJI_AND_PROXY, { 'kamaji.clastix.io/v1alpha1': 'kamaji.clastix.io/v2' }),
    message: 'is kamaji.clastix.io/v2, whose fields are not known here',
    also: ['HCP002'],
  },
  {
    code: 'HCP003',
    what: 'a version whose fields are not known, beside a control plane',
    text: `${KAMAJI_AND_PROXY}---\napiVersion: hypershift.openshift.io/v1\nkind: HostedCluster\nmetadata: {name: acme, namespace: clusters}\n`,
    message: 'known are v1alpha1 and v1beta1',
  },
  {
    code: 'HCP004',
    what: 'routes alone',
    text: LABELLED_ROUTE,
    message: 'is a route of the control plane clusters/other, which is not among these manifests',
    also: ['HCP002'],
  },
  {
    code: 'HCP004',
    what: 'routes of one control plane and the resource of another',
    text: `${KAMAJI_AND_PROXY}---${LABELLED_ROUTE}`,
    message: 'is a route of the control plane clusters/other',
  },
  {
    code: 'HCP101',
    what: 'a port in the host of an Ingress',
    text: broken(KAMAJI_AND_PROXY, { 'host: acme.k8s.example.com': 'host: acme.k8s.example.com:443' }),
    message: '"acme.k8s.example.com:443" has a port, and an SNI never has one',
  },
  {
    code: 'HCP101',
    what: 'a port in a SAN',
    text: broken(KAMAJI_AND_PROXY, { '[acme.k8s.example.com,': '[acme.k8s.example.com:443,' }),
    message: '"acme.k8s.example.com:443" has a port, and a SAN never has one',
  },
  {
    code: 'HCP101',
    what: "a port in Steward's hostname",
    text: broken(STEWARD, { 'hostname: acme.k8s.example.com': 'hostname: "acme.k8s.example.com:443"' }),
    message: 'which Steward adds by itself',
  },
  {
    code: 'HCP101',
    what: "a port in the agents' host",
    text: broken(KAMAJI_AND_PROXY, { 'host=acme.konnectivity.example.com': 'host=acme.konnectivity.example.com:443' }),
    message: 'has a port where agents want a host',
  },
  {
    code: 'HCP102',
    what: 'no port in the hostname of Kamaji',
    text: broken(KAMAJI_AND_PROXY, { 'hostname: acme.k8s.example.com:443': 'hostname: acme.k8s.example.com' }),
    message: "kubeconfigs and kubeadm's endpoint say acme.k8s.example.com:6443",
  },
  {
    code: 'HCP103',
    what: 'konnectivity at the API host',
    text: broken(KAMAJI_AND_PROXY, { 'acme.konnectivity.example.com': 'acme.k8s.example.com' }),
    message: "konnectivity has the API's host",
    also: ['HCP205'],
  },
  {
    code: 'HCP103',
    what: 'a host of Steward without ".k8s."',
    text: broken(STEWARD, { 'acme.k8s.example.com': 'api.acme.example.com', 'acme.konnectivity.example.com': 'konnectivity.acme.example.com' }),
    message: 'Steward derives the konnectivity host by replacing ".k8s."',
    also: ['HCP208'],
  },
  {
    code: 'HCP104',
    what: 'two control planes with one host',
    text: `${STEWARD}---${broken(STEWARD.split('---')[0], { 'name: acme,': 'name: bcme,' })}`,
    message: 'acme.k8s.example.com is the host of TenantControlPlane tenants/acme too',
    also: ['HCP104'],
  },
  {
    code: 'HCP105',
    what: 'a name as an address',
    text: broken(KAMAJI_AND_PROXY, { 'networkProfile:': 'networkProfile:\n    address: acme.k8s.example.com' }),
    message: 'becomes --advertise-address as it is',
  },
  {
    code: 'HCP106',
    what: 'an endpoint of a cluster that is another host',
    text: broken(K0SMOTRON, { 'controlPlaneEndpoint: {host: acme.k8s.example.com, port: 443}': 'controlPlaneEndpoint: {host: acme.k8s.example.com, port: 6443}' }),
    message: 'acme.k8s.example.com:6443 is where workers join, but K0smotronControlPlane tenants/acme-cp answers at acme.k8s.example.com:443',
  },
  {
    code: 'HCP107',
    what: 'a konnectivity port that the server refuses',
    text: broken(K0SMOTRON, { 'konnectivityPort: 30132': 'konnectivityPort: 443' }),
    message: 'refuses port 443',
  },
  {
    code: 'HCP107',
    what: 'one port for both servers',
    text: broken(K0SMOTRON, { 'konnectivityPort: 30132': 'konnectivityPort: 30443' }),
    message: 'are both 30443',
  },
  {
    code: 'HCP115',
    what: 'workers with Talos behind an address that routes on names',
    text: broken(STEWARD, { 'addons: {konnectivity: {}}': 'addons: {konnectivity: {}, workerBootstrap: {provider: talos, talos: {}}}' }),
    message: 'sends no server name or "localhost", and the shared address leads acme.k8s.example.com to the API server by that name',
  },
  {
    code: 'HCP116',
    what: 'a host without the port of the Gateway',
    text: broken(GATEWAY_OF_OPERATOR, { '"acme.k8s.example.com:6443"': 'acme.k8s.example.com' }),
    message: 'workers are told acme.k8s.example.com:443, as the host has no port, but Gateway gateways/edge listens on 6443',
    also: ['HCP106'],
  },
  {
    code: 'HCP116',
    what: 'a host with another port than that of the listener',
    text: broken(GATEWAY_OF_OPERATOR, { 'acme.k8s.example.com:6443': 'acme.k8s.example.com:8443', 'host: acme.k8s.example.com, port: 6443': 'host: acme.k8s.example.com, port: 8443' }),
    message: 'workers are told acme.k8s.example.com:8443, but Gateway gateways/edge listens on 6443',
  },
  {
    code: 'HCP201',
    what: 'an API host without a route',
    text: broken(KAMAJI_AND_PROXY, { 'host: acme.k8s.example.com': 'host: old.k8s.example.com' }),
    message: 'no route takes acme.k8s.example.com',
    also: ['HCP208'],
  },
  {
    code: 'HCP202',
    what: 'a konnectivity host without a route',
    text: `${KAMAJI_AND_PROXY.split('---').filter(part => !part.includes('name: acme-konnectivity')).join('---')}`,
    message: 'no route takes acme.konnectivity.example.com; Kamaji makes none for it',
  },
  {
    code: 'HCP202',
    what: "Steward's own Ingress, which lacks konnectivity",
    text: broken(STEWARD.split('---')[0], { 'controllerType: generic, ingressClassName: nobody': 'controllerType: haproxy, ingressClassName: haproxy' }),
    message: 'Steward makes none for it',
  },
  {
    code: 'HCP203',
    what: 'a route to another Service',
    text: broken(KAMAJI_AND_PROXY, { 'name: acme, port: {number: 6443}': 'name: bcme, port: {number: 6443}' }),
    message: 'is a host of TenantControlPlane tenants/acme, but leads to Service tenants/bcme',
  },
  {
    code: 'HCP204',
    what: 'konnectivity led to the port of the API',
    text: broken(KAMAJI_AND_PROXY, { 'number: 8132': 'number: 6443' }),
    message: 'acme.konnectivity.example.com leads to port 6443, but the konnectivity server has 8132',
  },
  {
    code: 'HCP205',
    what: 'two Ingresses with one host',
    text: `${KAMAJI_AND_PROXY}---${broken(KAMAJI.split('---')[1], { 'name: acme-api': 'name: old', 'acme.k8s': 'ACME.k8s' })}`,
    message: 'is also taken by Ingress tenants/acme-api at ingress class haproxy',
  },
  {
    code: 'HCP205',
    what: "an Ingress of ours beside the operator's",
    text: broken(KAMAJI_AND_PROXY, { 'ingressClassName: nobody': 'ingressClassName: haproxy' }),
    message: 'acme.k8s.example.com is also taken by Ingress tenants/acme-api',
    also: ['HCP301'],
  },
  {
    code: 'HCP206',
    what: 'in-cluster names in a route',
    text: broken(STEWARD, { 'match: HostSNI(`acme.k8s.example.com`)': 'match: HostSNI(`acme.k8s.example.com`) || HostSNI(`kubernetes.default.svc`)' }),
    message: 'kubernetes.default.svc is taken: pods of every tenant ask for it',
  },
  {
    code: 'HCP206',
    what: "Steward's routes for Traefik",
    text: broken(STEWARD.split('---')[0], { 'controllerType: generic, ingressClassName: nobody': 'controllerType: traefik' }),
    message: 'is taken by the IngressRouteTCP that Steward makes for Traefik',
  },
  {
    code: 'HCP207',
    what: 'every SNI led to one tenant',
    text: broken(STEWARD, { 'entryPoints: [websecure]\n  tls: {passthrough: true}\n  routes:': 'entryPoints: [websecure]\n  tls: {passthrough: true}\n  routes:\n    - match: HostSNI(`*`)\n      services: [{name: acme, port: 6443}]' }),
    message: 'every host leads to TenantControlPlane tenants/acme',
  },
  {
    code: 'HCP207',
    what: 'a rule without a host',
    text: broken(KAMAJI_AND_PROXY, { '- host: acme.k8s.example.com\n      http': '- http' }),
    message: 'every host leads to TenantControlPlane tenants/acme',
    also: ['HCP201'],
  },
  {
    code: 'HCP208',
    what: 'a route that keeps an old host',
    text: `${KAMAJI_AND_PROXY}---${broken(KAMAJI.split('---')[1], { 'acme-api': 'old', 'acme.k8s.example.com': OTHER })}`,
    message: `${OTHER} leads to TenantControlPlane tenants/acme, whose hosts are acme.k8s.example.com and acme.konnectivity.example.com`,
  },
  {
    code: 'HCP301',
    what: 'no annotation',
    text: broken(KAMAJI_AND_PROXY, { '  annotations:\n    haproxy.org/ssl-passthrough: "true"\n': '' }),
    message: 'has no passthrough annotation: clients meet a certificate of the ingress',
    also: ['HCP301'],
  },
  {
    code: 'HCP301',
    what: 'the annotation of another controller',
    text: broken(KAMAJI_AND_PROXY, { 'ingressClassName: haproxy': 'ingressClassName: nginx' }),
    message: 'has haproxy.org/ssl-passthrough, which is not read by class "nginx" (ingress-nginx)',
    also: ['HCP301'],
  },
  {
    code: 'HCP301',
    what: 'the annotation of the other HAProxy, as the IngressClass tells',
    text: `${KAMAJI_AND_PROXY}---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: haproxy}
spec: {controller: haproxy-ingress.github.io/controller}
`,
    message: 'which is not read by class "haproxy" (HAProxy Ingress)',
    also: ['HCP301'],
  },
  {
    code: 'HCP301',
    what: 'an annotation that is no text',
    text: broken(KAMAJI_AND_PROXY, { 'ssl-passthrough: "true"': 'ssl-passthrough: true' }),
    message: 'has haproxy.org/ssl-passthrough: true, which is no text',
    also: ['HCP301'],
  },
  {
    code: 'HCP301',
    what: 'an Ingress for Traefik',
    text: broken(KAMAJI_AND_PROXY, { 'ingressClassName: haproxy': 'ingressClassName: traefik' }),
    message: 'Traefik passes no Ingress through',
    also: ['HCP301'],
  },
  {
    code: 'HCP301',
    what: "an operator's Ingress without an annotation",
    text: broken(KAMAJI_AND_PROXY.split('---').filter(part => !part.includes('name: acme-api')).join('---'), { 'ingressClassName: nobody': 'ingressClassName: haproxy' }),
    message: 'the Ingress that the operator makes has no passthrough annotation',
  },
  {
    code: 'HCP301',
    what: 'an IngressRouteTCP that opens TLS',
    text: broken(STEWARD, { 'tls: {passthrough: true}': 'tls: {}' }),
    message: 'lacks tls.passthrough: true, so Traefik opens TLS',
  },
  {
    code: 'HCP301',
    what: 'an HTTPProxy that opens TLS',
    text: broken(GOOD['Kamaji behind Contour'], { 'tls: {passthrough: true}': 'tls: {secretName: x}' }),
    message: 'so Contour opens TLS',
    also: ['HCP301'],
  },
  {
    code: 'HCP301',
    what: 'a TransportServer for plain TCP',
    text: broken(GOOD['Kamaji behind F5 NGINX'], { 'protocol: TLS_PASSTHROUGH': 'protocol: TCP' }),
    message: 'has a listener that is not for TLS_PASSTHROUGH',
    also: ['HCP301'],
  },
  {
    code: 'HCP301',
    what: 'a Route that opens TLS again',
    text: broken(GOOD['Kamaji behind OpenShift'], { 'termination: passthrough': 'termination: reencrypt' }),
    message: 'does not have tls.termination: passthrough',
    also: ['HCP301'],
  },
  {
    code: 'HCP302',
    what: 'backend-protocol of ingress-nginx',
    text: broken(KAMAJI_AND_PROXY, {
      'ingressClassName: haproxy': 'ingressClassName: nginx',
      'haproxy.org/ssl-passthrough: "true"': 'nginx.ingress.kubernetes.io/ssl-passthrough: "true"\n    nginx.ingress.kubernetes.io/backend-protocol: HTTPS',
    }),
    message: 'has no effect while passthrough works',
    also: ['HCP302'],
  },
  {
    code: 'HCP303',
    what: 'a certificate on a passthrough Ingress',
    text: broken(KAMAJI_AND_PROXY, { 'rules:\n    - host: acme.k8s': 'tls: [{hosts: [acme.k8s.example.com], secretName: acme-tls}]\n  rules:\n    - host: acme.k8s' }),
    message: 'names a certificate, which is for TLS that the ingress opens',
  },
  {
    code: 'HCP304',
    what: 'an HTTPRoute to a control plane',
    text: `${KAMAJI_AND_PROXY}---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: acme, namespace: tenants}
spec: {rules: [{backendRefs: [{name: acme, port: 6443}]}]}
`,
    message: 'is for HTTP: TLS is opened',
  },
  {
    code: 'HCP305',
    what: 'an Istio Gateway that opens TLS',
    text: broken(GOOD['Kamaji behind Istio'], { 'mode: PASSTHROUGH': 'mode: SIMPLE' }),
    message: 'is SIMPLE for acme.k8s.example.com',
    also: ['HCP305'],
  },
  {
    code: 'HCP305',
    what: 'an Istio Gateway without the host',
    text: broken(GOOD['Kamaji behind Istio'], { './acme.k8s.example.com, ': '' }),
    message: 'no server has acme.k8s.example.com, which VirtualService tenants/acme routes',
  },
  {
    code: 'HCP401',
    what: 'a TLSRoute without a listener',
    text: broken(GATEWAY, { ', sectionName: k8s': '' }),
    message: 'is missing, and Gateway gateways/edge has 2 listeners',
  },
  {
    code: 'HCP402',
    what: 'a listener that does not exist',
    text: broken(GATEWAY, { 'sectionName: k8s': 'sectionName: kube-apiserver' }),
    message: 'Gateway gateways/edge has no listener kube-apiserver',
  },
  {
    code: 'HCP403',
    what: 'a listener for other hosts',
    text: broken(GATEWAY, { '"*.k8s.example.com"': '"*.k8s.example.org"' }),
    message: 'acme.k8s.example.com does not match hostname *.k8s.example.org of listener k8s',
  },
  {
    code: 'HCP404',
    what: 'a listener that opens TLS',
    text: broken(GATEWAY, { 'hostname: "*.k8s.example.com", tls: {mode: Passthrough}': 'hostname: "*.k8s.example.com", tls: {mode: Terminate}' }),
    message: 'listener k8s has protocol TLS and mode Terminate',
  },
  {
    code: 'HCP405',
    what: 'a listener for its own namespace',
    text: broken(GATEWAY, { 'hostname: "*.k8s.example.com", tls: {mode: Passthrough}, allowedRoutes: {namespaces: {from: All}}': 'hostname: "*.k8s.example.com", tls: {mode: Passthrough}' }),
    message: 'is Same, so routes of namespace tenants are left out',
  },
  {
    code: 'HCP406',
    what: 'HTTPS and passthrough on one port',
    text: broken(GATEWAY, { '    - {name: konnectivity,': '    - {name: web, port: 443, protocol: HTTPS, hostname: "*.example.com"}\n    - {name: konnectivity,' }),
    message: 'listener k8s passes through what web opens on port 443',
    also: ['HCP406'],
  },
  {
    code: 'HCP407',
    what: 'an old TLSRoute',
    text: broken(GATEWAY, { 'apiVersion: gateway.networking.k8s.io/v1\nkind: TLSRoute\nmetadata: {name: acme-api': 'apiVersion: gateway.networking.k8s.io/v1alpha2\nkind: TLSRoute\nmetadata: {name: acme-api' }),
    message: 'gateway.networking.k8s.io/v1alpha2 is served by the experimental channel of Gateway API alone since 1.5',
  },
  {
    code: 'HCP408',
    what: 'an ingress beside a gateway',
    text: broken(GATEWAY, { '    gateway:\n': '    ingress: {hostname: "acme.k8s.example.com:443", ingressClassName: nobody}\n    gateway:\n' }),
    message: 'has both ingress and gateway',
  },
  {
    code: 'HCP501',
    what: 'no SAN for the API',
    text: broken(KAMAJI_AND_PROXY, { '[acme.k8s.example.com, ': '[' }),
    message: 'acme.k8s.example.com is missing',
  },
  {
    code: 'HCP502',
    what: 'no SAN for konnectivity',
    text: broken(KAMAJI_AND_PROXY, { 'certSANs: [acme.k8s.example.com, acme.konnectivity.example.com]': 'certSANs: [acme.k8s.example.com]' }),
    message: 'acme.konnectivity.example.com is missing: the konnectivity server shows the API server\'s certificate',
  },
  ...['acme.k8s.example.com', 'kubernetes.default.svc'].map(host => ({
    code: 'HCP503',
    what: `another certificate for ${host}`,
    text: broken(KAMAJI_AND_PROXY, { '          - --endpoint-reconciler-type=none\n': `          - --endpoint-reconciler-type=none\n          - --tls-sni-cert-key=/a/tls.crt,/a/tls.key:else.example.net,${host}\n` }),
    message: `has a certificate for ${host}, by which kubelets and tcp-proxies know the API server`,
  })),
  {
    code: 'HCP504',
    what: 'a certificate without hosts',
    text: broken(KAMAJI_AND_PROXY, { '          - --endpoint-reconciler-type=none\n': '          - --endpoint-reconciler-type=none\n          - --tls-sni-cert-key=/a/tls.crt,/a/tls.key\n' }),
    message: '--tls-sni-cert-key=/a/tls.crt,/a/tls.key names no hosts',
  },
  {
    code: 'HCP601',
    what: 'a proxy, and an API server that writes endpoints',
    text: broken(KAMAJI_AND_PROXY, { '          - --endpoint-reconciler-type=none\n': '          - --v=2\n' }),
    message: 'has no --endpoint-reconciler-type=none, but ConfigMap kube-system/tcp-proxy takes the endpoints',
  },
  {
    code: 'HCP601',
    what: "Kamaji's addon, and an API server that writes endpoints",
    text: broken(KAMAJI, { '  namespace: tenants\nspec:\n  controlPlane:': '  namespace: tenants\n  annotations: {kamaji.clastix.io/ingress.domain: example.com}\nspec:\n  controlPlane:', 'type=none': 'type=lease' }),
    message: "but Kamaji's ingress addon takes the endpoints",
  },
  { code: 'HCP602', what: 'nobody who writes endpoints', text: KAMAJI, message: 'these manifests hold no tcp-proxy for it' },
  {
    code: 'HCP603',
    what: 'the flag twice',
    text: broken(KAMAJI_AND_PROXY, { '- --endpoint-reconciler-type=none': '- --endpoint-reconciler-type=none\n          - --endpoint-reconciler-type=lease' }),
    message: 'has --endpoint-reconciler-type=none and --endpoint-reconciler-type=lease',
  },
  ...([
    ['10.96.12.3', 'is in the Service network 10.96.0.0/16'],
    ['127.0.0.1', 'is a loopback address'],
    ['169.254.1.1', 'is a link-local address'],
    ['::1', 'is a loopback address'],
    ['fe80::1', 'is a link-local address'],
    ['edge.example.com', 'is no IP address'],
  ].map(([address, message]) => ({
    code: 'HCP604',
    what: `${address} as an endpoint`,
    text: `${KAMAJI_AND_PROXY}---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: kubernetes, namespace: default, labels: {kubernetes.io/service-name: kubernetes}}
addressType: ${address.includes(':') ? 'IPv6' : 'IPv4'}
endpoints: [{addresses: ["${address}"]}]
ports: [{name: https, port: 6443}]
`,
    message: `${address} ${message}`,
  }))),
  {
    code: 'HCP604',
    what: 'an address of the Service network in Endpoints',
    text: `${KAMAJI_AND_PROXY}---
apiVersion: v1
kind: Endpoints
metadata: {name: kubernetes, namespace: default}
subsets: [{addresses: [{ip: 10.96.0.9}], ports: [{port: 6443}]}]
`,
    message: '10.96.0.9 is in the Service network',
  },
  {
    code: 'HCP605',
    what: 'a kubernetes Service for ready nodes alone',
    text: `${KAMAJI_AND_PROXY}---
apiVersion: v1
kind: Service
metadata: {name: kubernetes, namespace: default}
spec: {selector: {app: haproxy}}
`,
    message: 'on a node that is not ready the network plugin finds no API server',
  },
  {
    code: 'HCP611',
    what: 'a proxy that asks for an old host',
    text: broken(KAMAJI_AND_PROXY, { 'server api acme.k8s.example.com:443': 'server api old.k8s.example.com:443' }),
    message: 'sends pods to old.k8s.example.com, but the control planes of these manifests have acme.k8s.example.com',
    also: ['HCP602'],
  },
  {
    code: 'HCP612',
    what: 'two ports at steward-tcp-proxy',
    text: `${STEWARD_PROXY}---
apiVersion: apps/v1
kind: Deployment
metadata: {name: upstream, namespace: kube-system}
spec: {template: {spec: {containers: [{name: p, image: example.com/proxy:1, args: ["--upstream-addr=acme.k8s.example.com:443:443"]}]}}}
`,
    message: 'dials acme.k8s.example.com:443:443',
    also: ['HCP617'],
  },
  {
    code: 'HCP613',
    what: 'a cluster ID that nobody knows',
    text: broken(SHARED_GATEWAY, { '(0xe1) id-of-acme': '(0xe1) ID-of-acme' }),
    message: 'sends cluster ID ID-of-acme, which is in no cluster-ids.map',
  },
  {
    code: 'HCP614',
    what: 'two TLV types',
    text: broken(SHARED_GATEWAY, { 'tlv-fmt(0xe1)': 'tlv-fmt(0x20)' }),
    message: 'sends the cluster ID in TLV 0x20, but gateway edge/edge reads 0xe1',
  },
  {
    code: 'HCP615',
    what: 'one cluster ID for two tenants',
    text: broken(SHARED_GATEWAY, { '    id-of-acme acme.tenants': '    id-of-acme bcme.tenants.svc.cluster.local:6443\n    id-of-acme acme.tenants' }),
    message: 'id-of-acme leads to tenants/acme and, in ConfigMap edge/edge-routes, to tenants/bcme',
  },
  {
    code: 'HCP616',
    what: 'HAProxy without verification',
    text: broken(KAMAJI_AND_PROXY, { 'ssl verify required ca-file /ca.crt': 'ssl verify none' }),
    message: 'accepts any certificate',
  },
  {
    code: 'HCP616',
    what: 'steward-tcp-proxy without verification',
    text: `${STEWARD_PROXY}---
apiVersion: apps/v1
kind: Deployment
metadata: {name: upstream, namespace: kube-system}
spec: {template: {spec: {containers: [{name: p, image: example.com/proxy:1, args: ["--upstream-addr=acme.k8s.example.com:443", "--upstream-insecure=true"]}]}}}
`,
    message: 'collect bearer tokens',
    also: ['HCP617'],
  },
  { code: 'HCP617', what: "Steward's own proxy", text: STEWARD_PROXY, message: 'runs steward-tcp-proxy with --upstream-insecure=true' },
  {
    code: 'HCP621',
    what: 'tolerations that leave out new nodes',
    text: broken(KAMAJI_AND_PROXY, { '[{operator: Exists}]': '[{key: node.kubernetes.io/not-ready, operator: Exists}]' }),
    message: 'leaves out node.kubernetes.io/network-unavailable, node.cloudprovider.kubernetes.io/uninitialized',
  },
  {
    code: 'HCP622',
    what: 'the DNS of the cluster',
    text: broken(KAMAJI_AND_PROXY, { 'dnsPolicy: Default': 'dnsPolicy: ClusterFirstWithHostNet' }),
    message: 'CoreDNS needs the API server',
  },
  {
    code: 'HCP623',
    what: 'a rollout with one pod more',
    text: broken(KAMAJI_AND_PROXY, { 'maxSurge: 0, maxUnavailable: 1': 'maxUnavailable: 0' }),
    message: 'is left at 25%',
  },
  {
    code: 'HCP624',
    what: 'an image without a version',
    text: broken(KAMAJI_AND_PROXY, { 'haproxy:3.0.5': 'haproxy:latest' }),
    message: 'docker.io/library/haproxy:latest may become another one',
  },
  {
    code: 'HCP625',
    what: 'a short timeout',
    text: broken(KAMAJI_AND_PROXY, { 'timeout client 24h': 'timeout client 50s' }),
    message: 'ends connections that are silent for 50 s',
  },
  {
    code: 'HCP625',
    what: 'no timeouts',
    text: broken(KAMAJI_AND_PROXY, { '      timeout client 24h\n      timeout server 24h\n': '' }),
    message: 'has no timeouts',
  },
  {
    code: 'HCP626',
    what: 'a CPU limit',
    text: broken(KAMAJI_AND_PROXY, { 'limits: {memory: 64Mi}': 'limits: {memory: 64Mi, cpu: 100m}' }),
    message: 'is 100m: throttled',
  },
  ...Object.entries(AT_PORT).map(([edge, text]) => ({
    code: 'HCP641',
    what: `endpoints with another port than the edge: ${edge}`,
    text: broken(text, { 'port: 30001, protocol: TCP}]}]': 'port: 30002, protocol: TCP}]}]' }),
    message: 'is 30002, which is a port of no edge in these manifests (they have 30001)',
  })),
  ...Object.entries(AT_PORT).map(([edge, text]) => ({
    code: 'HCP204',
    what: `a port that leads to another one of the Service: ${edge}`,
    text: text.replace(/(?<=30001[^]*?)6443/, '8443'),
    message: 'port 30001 leads to port 8443, but the API server has 6443',
    // Nothing then leads to the API server.
    also: ['HCP602', 'HCP641', 'HCP641'],
  })),
  {
    code: 'HCP634',
    what: 'a port that two objects take',
    text: `${AT_PORT.traefik}---${PORTS.traefik.replace('name: acme-port', 'name: other').replace('name: acme, port: 6443', 'name: other, port: 6443')}`,
    message: 'port 30001 leads to Service tenants/other, and to Service tenants/acme of TenantControlPlane tenants/acme in IngressRouteTCP tenants/acme-port',
  },
  ...Object.entries(AT_PORT).map(([edge, text]) => ({
    code: 'HCP634',
    what: `a port that leads to two servers of one control plane: ${edge}`,
    text: `${text}---${PORTS[edge].replace(/6443/g, '8132').replace(/name: acme-port/g, 'name: acme-agents')}`,
    message: 'port 30001 leads to port 8132 of Service tenants/acme of TenantControlPlane tenants/acme, and to its port 6443',
    also: [],
  })),
  {
    code: 'HCP204',
    what: 'a Cluster whose API server has another port than its routes',
    text: broken(behindHaproxy(CLUSTER_WITH_PORT), { 'apiServerPort: 7443': 'apiServerPort: 6444' }),
    message: 'acme.k8s.example.com leads to port 7443, but the API server has 6444 of Service tenants/acme',
  },
  {
    code: 'HCP601',
    what: 'endpoints at the port of an edge, and an API server that writes its own',
    text: broken(AT_PORT.gateway, { '- --endpoint-reconciler-type=none': '- --v=2' }),
    message: 'has no --endpoint-reconciler-type=none, but Endpoints default/kubernetes takes',
  },
  {
    code: 'HCP642',
    what: 'an address that is not of the family of its slice',
    text: broken(AT_PORT.gateway, { 'addressType: IPv4': 'addressType: IPv6' }),
    message: '203.0.113.10 is IPv4, and the slice is for IPv6',
  },
  {
    code: 'HCP642',
    what: 'an address that is not of a family of the Services',
    text: broken(AT_PORT.gateway, { '{ip: 203.0.113.10}': '{ip: "2001:db8::10"}' }),
    message: '2001:db8::10 is IPv6, and the Services of TenantControlPlane tenants/acme are IPv4',
  },
  {
    code: 'HCP643',
    what: 'a slice without an address',
    text: broken(AT_PORT.gateway, { 'endpoints: [{addresses: [203.0.113.10]}]': 'endpoints: []' }),
    message: 'has no address',
  },
  {
    code: 'HCP643',
    what: 'Endpoints without a port',
    text: broken(AT_PORT.gateway, { ', ports: [{name: https, port: 30001, protocol: TCP}]}]': '}]' }),
    message: 'has no port',
  },
  {
    code: 'HCP644',
    what: 'Endpoints that are not mirrored, without a slice',
    text: AT_PORT.gateway.slice(0, AT_PORT.gateway.indexOf('---\napiVersion: discovery.k8s.io/v1')),
    message: 'no EndpointSlice of the Service kubernetes is beside it',
  },
  {
    code: 'HCP645',
    what: 'a TCPRoute whose ListenerSet has another listener',
    text: broken(AT_PORT.gateway, { 'sectionName: kubernetes-service': 'sectionName: api' }),
    message: 'ListenerSet tenants/acme-port has no listener "api"',
    // Nothing leads to the port then.
    also: ['HCP602', 'HCP646'],
  },
  {
    code: 'HCP645',
    what: 'a TCPRoute without its ListenerSet',
    text: `${KAMAJI}---${PORTS.gateway.split('---')[1]}---${ENDPOINTS}`,
    message: 'ListenerSet tenants/acme-port is not there',
    also: ['HCP602'],
  },
  {
    code: 'HCP645',
    what: 'a TCPRoute at a listener of TLS',
    text: `${GATEWAY}---${PORTS.gateway.split('---')[1].replace('kind: ListenerSet, name: acme-port, sectionName: kubernetes-service', 'name: edge, namespace: gateways, sectionName: k8s')}`,
    message: 'listener "k8s" of Gateway gateways/edge has protocol TLS',
  },
  {
    code: 'HCP646',
    what: 'a ListenerSet without a route',
    text: `${KAMAJI_AND_PROXY}---${PORTS.gateway.split('---')[0]}`,
    message: 'no TCPRoute attaches to listener "kubernetes-service" at port 30001',
  },
  {
    code: 'HCP647',
    what: 'a Service with the shared address as its own',
    text: broken(AT_PORT.traefik, { 'networkProfile:\n': 'networkProfile:\n    address: 203.0.113.10\n    allowAddressAsExternalIP: true\n' }),
    message: 'is true, so the Service has externalIPs',
  },
  {
    code: 'HCP609',
    what: 'a control plane that says that its tenant has no way to the API',
    text: broken(KAMAJI_AND_PROXY, { 'kind: TenantControlPlane\nmetadata:\n': 'kind: TenantControlPlane\nmetadata:\n  annotations: {cdk8s-hosted-control-plane/gaps: kubernetes-service}\n' }),
    message: 'has no tcp-proxy for the tenant, nor another way',
  },
  {
    code: 'HCP627',
    what: 'a tcp-proxy that says that nobody makes its certificate',
    text: `${KAMAJI_AND_PROXY}---
apiVersion: v1
kind: ConfigMap
metadata: {name: tcp-proxy-node-files, namespace: kube-system, annotations: {cdk8s-hosted-control-plane/gaps: certificate}}
`,
    message: 'makes no certificate for the tcp-proxy',
  },
  {
    code: 'HCP705',
    what: 'a control plane that says that it has no tunnel',
    text: broken(KAMAJI_AND_PROXY, { 'kind: TenantControlPlane\nmetadata:\n': 'kind: TenantControlPlane\nmetadata:\n  annotations: {cdk8s-hosted-control-plane/gaps: "other,konnectivity"}\n' }),
    message: 'there is no konnectivity, and nobody has said',
  },
  {
    code: 'HCP701',
    what: 'agents of Kamaji without a host',
    text: broken(KAMAJI_AND_PROXY, { '          - --proxy-server-host=acme.konnectivity.example.com\n          - --proxy-server-port=443\n': '          - --v=2\n' }),
    message: 'has no --proxy-server-host',
  },
  {
    code: 'HCP702',
    what: 'agents that dial the port of the Service',
    text: broken(KAMAJI_AND_PROXY, { '          - --proxy-server-port=443\n': '' }),
    message: 'agents dial acme.konnectivity.example.com:8132, but the ingress listens on 443',
  },
  ...[
    ['old.konnectivity.example.com', 'but konnectivity is at acme.konnectivity.example.com'],
    ['kubernetes.default', 'needs the proxy and the network that the agent is for'],
  ].map(([host, message]) => ({
    code: 'HCP703',
    what: `an agent that dials ${host}`,
    text: `${KAMAJI_AND_PROXY}---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: konnectivity-agent, namespace: kube-system}
spec: {template: {spec: {containers: [{name: agent, args: [--proxy-server-host, ${host}]}]}}}
`,
    message,
  })),
  {
    code: 'HCP704',
    what: 'a server count that is not the replicas',
    text: broken(KAMAJI_AND_PROXY, { 'server: {port: 8132}': 'server: {port: 8132, extraArgs: [--server-count=1]}' }),
    message: '--server-count is 1 for 3 replicas',
  },
  {
    code: 'HCP801',
    what: 'a host without a record',
    text: broken(KAMAJI_AND_PROXY + RECORDS, { 'dnsName: acme.konnectivity.example.com': 'dnsName: acme.konnectivity.example.org' }),
    message: 'acme.konnectivity.example.com is in no DNSEndpoint',
  },
  {
    code: 'HCP802',
    what: 'a record without a target',
    text: broken(KAMAJI_AND_PROXY + RECORDS, { 'dnsName: acme.konnectivity.example.com, recordType: A, targets: [203.0.113.10]': 'dnsName: acme.konnectivity.example.com, recordType: A, targets: []' }),
    message: 'acme.konnectivity.example.com has no target',
  },
];

describe('a fault in hand-written manifests', () => {
  test.each(FAULTS)('$code: $what', ({ code, text, message, also = [] }) => {
    const findings = check(text);
    expect(findings.map(finding => finding.code)).toEqual([code, ...also].sort());
    expect(findings.find(finding => finding.code === code && finding.message.includes(message))).toBeDefined();
  });

  test('is tested for every rule, here or in manifests of the library', () => {
    expect([...new Set([...FAULTS, ...MUTATIONS].map(({ code }) => code))].sort())
      .toEqual([UNREADABLE, NOTHING_TO_COMPARE, ...RULES.map(({ code }) => code)].sort());
  });

  test('has a code of its own', () => {
    expect(new Set(RULES.map(({ code }) => code)).size).toBe(RULES.length);
  });
});
