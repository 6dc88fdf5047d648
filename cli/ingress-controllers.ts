/** What leads to control planes at the shared address, as commands offer it. */
export interface OfferedController {
  /** As it is typed, e.g. `haproxy-ingress`. */
  readonly name: string;
  /** The factory of `IngressController`. */
  readonly factory: string;
  /** What it is, for whoever chooses. */
  readonly title: string;
  /** Whether it needs a Gateway of the Gateway API, which can also lead a port to one tenant. */
  readonly gateway: boolean;
}

/** Every factory of `IngressController` but `generic()`, which takes what nobody can offer. */
export const INGRESS_CONTROLLERS: readonly OfferedController[] = [
  { name: 'traefik', factory: 'traefik', title: 'Traefik', gateway: false },
  { name: 'haproxy', factory: 'haproxy', title: 'HAProxy (of HAProxy Technologies)', gateway: false },
  { name: 'haproxy-ingress', factory: 'haproxyIngress', title: 'HAProxy Ingress (of the community)', gateway: false },
  { name: 'ingress-nginx', factory: 'ingressNginx', title: 'ingress-nginx', gateway: false },
  { name: 'f5-nginx', factory: 'f5Nginx', title: 'NGINX Ingress Controller (of F5)', gateway: false },
  { name: 'gateway-api', factory: 'gatewayApi', title: 'a Gateway of the Gateway API', gateway: true },
  { name: 'kgateway', factory: 'kgateway', title: 'a Gateway of kgateway', gateway: true },
  { name: 'contour', factory: 'contour', title: 'Contour', gateway: false },
  { name: 'istio', factory: 'istio', title: 'Istio', gateway: false },
  { name: 'openshift', factory: 'openshift', title: 'the router of OpenShift', gateway: false },
  { name: 'cilium', factory: 'cilium', title: 'Cilium', gateway: false },
];
