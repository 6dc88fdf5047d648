import { covers, ownerOf, subjectOf } from '../certificate';
import { ConnectionFailure, isFailure, TlsConnection } from '../connection';
import { failed, ok, Outcome, unknown } from '../hop';

/** What must not answer where nobody was asked for. */
export interface RefusalQuestion {
  readonly host: string;
  readonly caGiven: boolean;
  /** Whether the address has answered anybody by TLS: one that hangs up on everybody has refused nobody. */
  readonly answersOthers: boolean;
  /** What such a client is, for the message. */
  readonly client: string;
  readonly remedy: string;
}

/** Whether a client that names no tenant reaches one. The ingress' own certificate or a closed connection are fine. */
export function judgeRefusal(connection: TlsConnection | ConnectionFailure, question: RefusalQuestion): Outcome {
  const { host, caGiven, answersOthers, client, remedy } = question;
  if (isFailure(connection)) return judgeFailure(connection, answersOthers);
  const { certificate, chainError } = connection;
  if ((caGiven && chainError === undefined) || covers(certificate, host)) {
    return failed(`${client} reaches this tenant: ${subjectOf(certificate)}`, remedy);
  }
  return ownerOf(certificate).kind === 'control-plane'
    ? failed(`${client} reaches the control plane of another tenant: ${subjectOf(certificate)}`, remedy)
    : ok(`no tenant: the ingress shows ${subjectOf(certificate)}`);
}

/**
 * Only an end of the connection before any answer is a refusal. Silence tells nothing: whoever is behind may answer the next client.
 * And whoever began a handshake may be a tenant.
 */
function judgeFailure({ failure, detail }: ConnectionFailure, answersOthers: boolean): Outcome {
  if (failure !== 'closed' && failure !== 'alert') {
    return unknown(`cannot be told: ${detail}`, 'look at the shared address, then try again, with a longer --timeout if it is slow: '
      + 'until it answers, nobody knows whether such a client reaches a tenant');
  }
  return answersOthers
    ? ok(`refused: ${detail}`)
    : unknown(`cannot be told: ${detail}, as every client that was tried`,
      'get an answer for the host of the tenant first: an address that hangs up on everybody does not show whom it would let in');
}

/** Whether the cluster ID leads to the tenant. */
export function judgeProxyProtocol(connection: TlsConnection | ConnectionFailure, host: string, caGiven: boolean): Outcome {
  if (isFailure(connection)) {
    return failed(`no TLS behind the PROXY header: ${connection.detail}`, ['closed', 'alert'].includes(connection.failure)
      ? 'check that the gateway knows the cluster ID, that both sides use the same TLV type, and that no load balancer in front adds a PROXY header of its own'
      : 'check that the address is the port of the gateway that takes PROXY headers, that the gateway reaches the Service of the tenant, and firewalls');
  }
  const { certificate, chainError } = connection;
  const mine = caGiven ? chainError === undefined : covers(certificate, host);
  return mine
    ? ok(`the tenant's API server answers: ${subjectOf(certificate)}`)
    : failed(`another server answers: ${subjectOf(certificate)}`, 'check which Service the cluster ID leads to in the map of the gateway');
}
