import { X509Certificate } from 'crypto';
import { isIP } from 'net';
import { printable } from '../../../cli/printable';
import { F5_NGINX, HAPROXY, HAPROXY_INGRESS, INGRESS_NGINX, passthroughText, TRAEFIK } from '../../../src/manifests/ingress-controllers';

const MAX_NAMES = 400;

/** Whose certificate it is, as far as it shows. */
export type Owner =
  /** Of a kube-apiserver, or of a konnectivity server, which often has the same. */
  | { readonly kind: 'control-plane' }
  /** An ingress controller's own, for names that it does not serve. */
  | { readonly kind: 'ingress-default'; readonly product: string; readonly remedy: string }
  | { readonly kind: 'unknown' };

interface DefaultCertificate {
  readonly product: string;
  readonly matches: (subject: string, issuer: string) => boolean;
  readonly remedy: string;
}

const ROUTE_REMEDY = 'check that the route has this host, that the controller reads it (class, entry point, namespace), and that its Service has ready pods';

/** Certificates that controllers make for themselves. */
const DEFAULT_CERTIFICATES: DefaultCertificate[] = [
  {
    // They share the name.
    product: `${INGRESS_NGINX.name} or ${HAPROXY_INGRESS.name}`,
    matches: subject => subject.includes(INGRESS_NGINX.ownCertificate),
    remedy: `start ingress-nginx with --enable-ssl-passthrough and annotate the Ingress with ${passthroughText(INGRESS_NGINX)} ` +
      `(HAProxy Ingress: ${passthroughText(HAPROXY_INGRESS)}); with both in place, a post-quantum ClientHello in several packets may be the cause ` +
      '(kubernetes/ingress-nginx#11424)',
  },
  {
    product: TRAEFIK.name,
    matches: subject => subject.includes(TRAEFIK.ownCertificate),
    remedy: 'make an IngressRouteTCP with HostSNI(`<host>`) and tls.passthrough: true on the entry point of this port; an Ingress cannot pass TLS through, ' +
      'and Traefik drops routes whose Service has no ready pods',
  },
  {
    product: 'F5 NGINX Ingress Controller',
    matches: subject => subject.includes(F5_NGINX.ownCertificate),
    remedy: 'make a TransportServer with the listener tls-passthrough and this host, and set controller.enableTLSPassthrough; annotations of ingress-nginx do nothing here',
  },
  {
    product: "OpenShift's router",
    matches: (_, issuer) => issuer.includes('ingress-operator@'),
    remedy: 'make a Route with this host and tls.termination: passthrough',
  },
  {
    product: 'Kong',
    matches: subject => /(^|\n)O=Kong(\n|$)/.test(subject),
    remedy: 'make a TLSRoute with this host; Kong passes TLS through on a stream listener with tls_passthrough',
  },
  {
    product: 'HAProxy',
    matches: (subject, issuer) => subject === issuer && /(^|\n)CN=(localhost|HAProxy[^\n]*|haproxy[^\n]*)(\n|$)/.test(subject),
    remedy: `annotate the Ingress with ${passthroughText(HAPROXY)} (HAProxy Ingress: ${passthroughText(HAPROXY_INGRESS)}); ${ROUTE_REMEDY}`,
  },
];

/** Tells whose certificate it is by its names. The chain is another question. */
export function ownerOf(certificate: X509Certificate): Owner {
  const known = DEFAULT_CERTIFICATES.find(({ matches }) => matches(certificate.subject ?? '', certificate.issuer ?? ''));
  if (known) return { kind: 'ingress-default', product: known.product, remedy: known.remedy };
  const commonName = /(^|\n)CN=([^\n]*)/.exec(certificate.subject ?? '')?.[2] ?? '';
  // kubeadm and k0s write the name of the Service into every serving certificate of the API server.
  const controlPlane = covers(certificate, 'kubernetes.default.svc') || covers(certificate, 'kubernetes')
    || ['kube-apiserver', 'system:konnectivity-server'].includes(commonName);
  return { kind: controlPlane ? 'control-plane' : 'unknown' };
}

/** Whether the certificate is for the name. Common names do not count, as for Go's clients. */
export function covers(certificate: X509Certificate, name: string): boolean {
  return (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name, { subject: 'never' })) !== undefined;
}

/** Subject in one line. */
export function subjectOf(certificate: X509Certificate): string {
  return `"${printable((certificate.subject ?? 'no subject').split('\n').join(', '), MAX_NAMES)}"`;
}

export function issuerOf(certificate: X509Certificate): string {
  return `"${printable((certificate.issuer ?? 'no issuer').split('\n').join(', '), MAX_NAMES)}"`;
}

/** Alternative names in one line. */
export function namesOf(certificate: X509Certificate): string {
  return printable((certificate.subjectAltName ?? 'no names').replace(/DNS:|IP Address:/g, ''), MAX_NAMES);
}
