import { covers, namesOf, ownerOf, subjectOf } from '../certificate';
import { ConnectionFailure, isFailure, TlsConnection } from '../connection';
import { failed, ok, Outcome, warning } from '../hop';

const ROUTE_REMEDY = 'check that a passthrough route has this host, that the controller reads it (class, entry point, namespace), and that its Service has ready pods';

/** Who answered for a host. */
export interface RoutingQuestion {
  readonly host: string;
  /** Other names that only the wanted server has. */
  readonly sans: string[];
  readonly caGiven: boolean;
}

/** Whether the shared address leads the SNI to the tenant's own server. */
export function judgeRouting(connection: TlsConnection | ConnectionFailure, { host, sans, caGiven }: RoutingQuestion): Outcome<TlsConnection> {
  if (isFailure(connection)) return failed(`no TLS for ${host}: ${connection.detail}`, remedyFor(connection));
  const { certificate, chainError } = connection;
  const seen = `${subjectOf(certificate)} for ${namesOf(certificate)}`;
  const owner = ownerOf(certificate);
  if (owner.kind === 'ingress-default') {
    return failed(`the own certificate of the ingress answers (${owner.product}): ${subjectOf(certificate)}`, owner.remedy.replace('<host>', host));
  }
  const named = [host, ...sans].some(name => covers(certificate, name));
  if (caGiven && chainError === undefined) return ok(`the tenant's server answers: ${seen}`, connection);
  if (owner.kind === 'control-plane') {
    if (named) return ok(`a control plane with this name answers: ${seen}`, connection);
    return failed(`${caGiven ? 'the control plane of another tenant answers' : 'a control plane without this name answers'}: ${seen}`,
      caGiven
        ? `find the route that takes ${host} (the same host in two objects, a wildcard, a wrong Service) and lead it to this tenant's Service`
        : `give --ca-file to tell apart: a route to another tenant, or a certificate of this one that lacks the SAN ${host}`);
  }
  const opened = `a certificate that no control plane issues answers: ${seen}`;
  const remedy = 'have the ingress pass TLS through instead of opening it: client certificates of kubelets end there';
  if (caGiven || !named) return failed(opened, `${remedy}; ${ROUTE_REMEDY}`);
  return warning(opened, `${remedy}; give --ca-file to be sure`, connection);
}

/** What to do where no TLS connection came about. */
export function remedyFor({ failure }: ConnectionFailure): string {
  switch (failure) {
    case 'not-tls': return 'the port serves something else than TLS: check the port, and that no PROXY header or HTTP listener is expected there';
    case 'silent': return 'look for what takes connections and answers nothing: a hung proxy or API server, a backend whose packets a network policy drops, ' +
      'a device that inspects TLS (DPI), a ClientHello of several packets (post-quantum keys) that somebody waits for, or an MTU that is too large on the way; ' +
      `a longer --timeout tells whether it is only slow; ${ROUTE_REMEDY}`;
    case 'stalled': return 'look for what loses large packets: a certificate fills several, so an MTU that is too large on the way (VPN, overlay), a device that inspects TLS (DPI), ' +
      'or a hung or overloaded server; a longer --timeout tells whether it is only slow';
    case 'cut': return 'a server answers and gives up: look at its logs; a proxy that is restarted, a server that wants other versions of TLS or a client certificate, or a device that inspects TLS (DPI)';
    case 'other': return 'look at what the error says, and at the limits of this machine';
    case 'unreachable': return 'check the address, its route and firewalls';
    case 'refused': return 'check the listener of the shared address';
    default: return `the shared address knows no such host, or the pods behind it are down; ${ROUTE_REMEDY}`;
  }
}
