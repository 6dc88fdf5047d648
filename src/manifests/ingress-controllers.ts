/** What is known of an ingress controller, whoever asks: who reads its objects and who writes them. */
export interface ControllerFacts {
  readonly name: string;
  /** The IngressClass that it answers to unless it is told another one. */
  readonly usualClass?: string;
  /** `spec.controller` of its IngressClasses starts so. */
  readonly controller: string;
  /** Usual names of its classes. */
  readonly classes: RegExp;
  /** What has it pass the TLS of an Ingress through, by the first name; it reads the others too. Undefined: nothing does. */
  readonly passthrough?: { readonly names: readonly [string, ...string[]]; readonly value: string };
  /** What to write in the place of an Ingress. */
  readonly instead?: string;
  /** Text in the subject of the certificate that it makes for itself, and shows to clients of hosts that it does not know. */
  readonly ownCertificate?: string;
}

export const HAPROXY = {
  name: 'HAProxy Technologies',
  usualClass: 'haproxy',
  controller: 'haproxy.org/',
  classes: /^haproxy$/,
  passthrough: { names: ['haproxy.org/ssl-passthrough', 'ingress.haproxy.org/ssl-passthrough', 'haproxy.com/ssl-passthrough'], value: 'true' },
} as const satisfies ControllerFacts;

export const HAPROXY_INGRESS = {
  name: 'HAProxy Ingress',
  usualClass: 'haproxy',
  controller: 'haproxy-ingress.github.io/',
  classes: /^haproxy(-ingress)?$/,
  passthrough: { names: ['haproxy-ingress.github.io/ssl-passthrough', 'ingress.kubernetes.io/ssl-passthrough'], value: 'true' },
  // jcmoraisjr/haproxy-ingress#311: it inherited the name.
  ownCertificate: 'Kubernetes Ingress Controller Fake Certificate',
} as const satisfies ControllerFacts;

/** Has the community's HAProxy Ingress lead a port, whatever the host, to the Service of an Ingress. */
export const HAPROXY_INGRESS_PORT = 'haproxy-ingress.github.io/tcp-service-port';

export const INGRESS_NGINX = {
  name: 'ingress-nginx',
  usualClass: 'nginx',
  controller: 'k8s.io/ingress-nginx',
  classes: /nginx/,
  passthrough: { names: ['nginx.ingress.kubernetes.io/ssl-passthrough'], value: 'true' },
  ownCertificate: 'Kubernetes Ingress Controller Fake Certificate',
} as const satisfies ControllerFacts;

export const F5_NGINX = {
  name: 'F5 NGINX',
  usualClass: 'nginx',
  controller: 'nginx.org/',
  classes: /^nginx-(f5|plus)$/,
  instead: 'a TransportServer with the listener tls-passthrough',
  ownCertificate: 'NGINXIngressController',
} as const satisfies ControllerFacts;

export const TRAEFIK = {
  name: 'Traefik',
  usualClass: 'traefik',
  controller: 'traefik.io/',
  classes: /^traefik/,
  instead: 'an IngressRouteTCP with tls.passthrough: true',
  ownCertificate: 'TRAEFIK DEFAULT CERT',
} as const satisfies ControllerFacts;

export const CILIUM = {
  name: 'Cilium',
  usualClass: 'cilium',
  controller: 'cilium.io/',
  classes: /^cilium$/,
  passthrough: { names: ['ingress.cilium.io/tls-passthrough'], value: 'enabled' },
} as const satisfies ControllerFacts;

/** Those that read Ingresses. */
export const INGRESS_CONTROLLERS: ControllerFacts[] = [HAPROXY, HAPROXY_INGRESS, INGRESS_NGINX, F5_NGINX, TRAEFIK, CILIUM];

/** Class of an Ingress in the notation before `spec.ingressClassName`; Traefik reads it on its own objects too. */
export const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** The listener that F5 NGINX has built in for TransportServers that pass TLS through. */
export const F5_PASSTHROUGH_LISTENER = { name: 'tls-passthrough', protocol: 'TLS_PASSTHROUGH' } as const;

/** A controller that passes the TLS of Ingresses through. */
type PassthroughController = Pick<Required<ControllerFacts>, 'passthrough'>;

/** The annotation that has a controller pass an Ingress through. */
export function passthroughAnnotations({ passthrough }: PassthroughController): { [name: string]: string } {
  return { [passthrough.names[0]]: passthrough.value };
}

/** The same, as messages write it. */
export function passthroughText({ passthrough }: PassthroughController): string {
  return `${passthrough.names[0]}: "${passthrough.value}"`;
}
