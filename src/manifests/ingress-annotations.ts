import { Passthrough, PASSES } from './route';

/** Products that read Ingresses, and the annotation that each passes TLS through for. */
export interface IngressProduct {
  readonly name: string;
  /** `spec.controller` of its IngressClasses starts so. */
  readonly controller: string;
  /** Usual names of its classes. */
  readonly classes: RegExp;
  /** Undefined: its Ingresses cannot pass TLS through. */
  readonly annotation?: { readonly names: string[]; readonly value: string };
  /** What to write in the place of an Ingress. */
  readonly instead?: string;
}

export const INGRESS_PRODUCTS: IngressProduct[] = [
  {
    name: 'HAProxy Technologies',
    controller: 'haproxy.org/',
    classes: /^haproxy$/,
    annotation: { names: ['haproxy.org/ssl-passthrough', 'ingress.haproxy.org/ssl-passthrough', 'haproxy.com/ssl-passthrough'], value: 'true' },
  },
  {
    name: 'HAProxy Ingress',
    controller: 'haproxy-ingress.github.io/',
    classes: /^haproxy(-ingress)?$/,
    annotation: { names: ['haproxy-ingress.github.io/ssl-passthrough', 'ingress.kubernetes.io/ssl-passthrough'], value: 'true' },
  },
  {
    name: 'ingress-nginx',
    controller: 'k8s.io/ingress-nginx',
    classes: /nginx/,
    annotation: { names: ['nginx.ingress.kubernetes.io/ssl-passthrough'], value: 'true' },
  },
  { name: 'F5 NGINX', controller: 'nginx.org/', classes: /^nginx-(f5|plus)$/, instead: 'a TransportServer with the listener tls-passthrough' },
  { name: 'Traefik', controller: 'traefik.io/', classes: /^traefik/, instead: 'an IngressRouteTCP with tls.passthrough: true' },
  {
    name: 'Cilium',
    controller: 'cilium.io/',
    classes: /^cilium$/,
    annotation: { names: ['ingress.cilium.io/tls-passthrough'], value: 'enabled' },
  },
];

/** Annotations of no product that is known here, of whatever controller. */
const ANY_PASSTHROUGH = /passthrough$/;

/** The products that may read an Ingress of this class; empty when that cannot be told. */
export function productsOf(className: string | undefined, controllerOf: ReadonlyMap<string, string>): IngressProduct[] {
  const controller = className === undefined ? undefined : controllerOf.get(className);
  if (controller !== undefined) return INGRESS_PRODUCTS.filter(product => controller.startsWith(product.controller));
  return className === undefined ? [] : INGRESS_PRODUCTS.filter(({ classes }) => classes.test(className));
}

/** Whether the annotations have the controller of this class pass TLS through. */
export function passthroughOf(
  annotations: Record<string, unknown>,
  className: string | undefined,
  controllerOf: ReadonlyMap<string, string>,
): Passthrough {
  const products = productsOf(className, controllerOf);
  const present = Object.entries(annotations).filter(([name]) => ANY_PASSTHROUGH.test(name));
  const wanted = products.flatMap(({ annotation }) => annotation ? [annotation] : []);
  const remedy = wanted.length > 0
    ? `Annotate it with ${wanted.map(({ names, value }) => `${names[0]}: "${value}"`).join(' or ')}`
    : "Annotate it with the passthrough annotation of the class's controller";
  if (products.length > 0 && wanted.length === 0) {
    return { state: 'no', reason: `${products[0].name} passes no Ingress through`, remedy: `Write ${products[0].instead} in its place` };
  }
  const mine = present.filter(([name]) => wanted.length === 0 || wanted.some(({ names }) => names.includes(name)));
  if (mine.length === 0) {
    return present.length === 0
      ? { state: 'no', reason: 'has no passthrough annotation', remedy }
      : {
        state: 'no',
        reason: `has ${present[0][0]}, which is not read by class "${className}" (${products.map(({ name }) => name).join(' or ')})`,
        remedy,
      };
  }
  const [name, value] = mine[0];
  if (typeof value !== 'string') return { state: 'no', reason: `has ${name}: ${String(value)}, which is no text`, remedy: `Quote the value: "${String(value)}"` };
  const expected = wanted.find(({ names }) => names.includes(name))?.value;
  const on = expected === undefined ? ['true', 'enabled', 'on', '1'].includes(value.toLowerCase()) : value.toLowerCase() === expected;
  return on ? PASSES : { state: 'no', reason: `has ${name}: "${value}"`, remedy: `Write "${expected ?? 'true'}"` };
}
