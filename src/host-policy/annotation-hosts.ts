import { celOr, celText } from './cel';
import type { NamedExpression, Validation } from './ownership';

/** Annotations whose values are further hosts of the object, separated by commas or spaces. */
const HOST_ANNOTATIONS = [
  // DNS records, and so where the clients of a host go.
  'external-dns[.][a-z0-9.-]+/(internal-)?hostname',
  // ingress-nginx, HAProxy Ingress, Kong.
  '[a-z0-9.-]+/(server-alias|redirect-from|host-aliases)',
  // Traefik's ACME. It reads names of fields in any case.
  '(?i:traefik[.][a-z0-9.-]+/router[.]tls[.]domains[.][0-9]+[.](main|sans))',
].map(pattern => `^(${pattern})$`).join('|');
/**
 * Annotations that are configuration of the controller, in which any host may be. HAProxy's (`route-acl`, `backend-config-snippet`) and HAProxy Ingress'
 * are those of Services too.
 */
const RAW_ANNOTATIONS = '/([a-z-]*snippets?|server-alias-regex|redirect-from-regex|route-acl|' +
  'config-(backend|defaults|frontend|global|proxy|sections|tcp-service)(-early|-late)?)$';
/** What Traefik before 3.7.2 writes into its rule as it is, beside the host (traefik/traefik@f9d9b72, read). */
const PATH_MATCHER = '(?i)^traefik[.][a-z0-9.-]+/router[.]pathmatcher$';
const PATH_MATCHERS = ['Path', 'PathPrefix', 'PathRegexp'];
const WWW = 'nginx.ingress.kubernetes.io/from-to-www-redirect';

/** A condition: whether an object has an annotation with hosts, or one in which they may be. */
export const HAS_HOST_ANNOTATIONS = `${celOr('object.metadata.annotations', '{}')}.exists(key, key.matches(${celText(`${HOST_ANNOTATIONS}|${RAW_ANNOTATIONS}`)}))`;

/** @param names the names that the kind of the object has of its own: a text with spaces between them */
export function nameVariables(names: string): NamedExpression[] {
  return [
    { name: 'annotations', expression: celOr('object.metadata.annotations', '{}') },
    { name: 'ownNames', expression: names },
    {
      name: 'names',
      expression: "variables.ownNames + ' ' +\n" +
        `variables.annotations.filter(key, key.matches(${celText(HOST_ANNOTATIONS)})).map(key, variables.annotations[key]).join(' ').replace(',', ' ') + ' ' +\n` +
        // ingress-nginx leads the one with "www." to the one without, or the other way round.
        `(${celText(WWW)} in variables.annotations ? variables.ownNames.split(' ').filter(name, name != '').map(name, ` +
        "name.startsWith('www.') ? name.substring(4) : 'www.' + name).join(' ') : '')",
    },
  ];
}

export const ANNOTATION_VALIDATION: Validation = {
  expression: `!variables.annotations.exists(key, key.matches(${celText(RAW_ANNOTATIONS)}) ||\n` +
    `  key.matches(${celText(PATH_MATCHER)}) && !(variables.annotations[key] in [${PATH_MATCHERS.map(celText).join(', ')}]))`,
  message: 'an annotation is configuration of the ingress controller, in which hosts cannot be read. Remove snippets, conditions and regular expressions of hosts from its annotations.',
};
