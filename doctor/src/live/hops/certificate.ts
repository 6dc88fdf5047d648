import { covers, issuerOf, namesOf } from '../certificate';
import { ConnectionFailure, TlsConnection } from '../connection';
import { failed, ok, Outcome, SeenCertificate, skipped, warning } from '../hop';
import { remedyFor } from './routing';

const EXPIRES_SOON_DAYS = 14;
const DAY_MS = 86_400_000;
/** Complaints of OpenSSL behind which another may be. */
const OF_TIME = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** Whether the tenant's CA vouches for the certificate, and until when. */
export function checkChain(connection: TlsConnection, caGiven: boolean): Outcome {
  return { ...judgeChain(connection, caGiven), certificate: seen(connection, caGiven) };
}

function seen({ certificate, chainError }: TlsConnection, caGiven: boolean): SeenCertificate | undefined {
  const until = new Date(certificate.validTo);
  if (isNaN(until.getTime())) return undefined;
  const validUntil = iso(until);
  return !caGiven || OF_TIME.has(chainError ?? '') ? { validUntil } : { validUntil, trusted: chainError === undefined };
}

function judgeChain({ certificate, chainError }: TlsConnection, caGiven: boolean): Outcome {
  const validity = checkValidity(new Date(certificate.validFrom), new Date(certificate.validTo));
  if (validity.status === 'failed') return validity;
  if (!caGiven) return skipped("give the tenant's CA with --ca-file or --tenant-kubeconfig to check the chain");
  if (chainError !== undefined) {
    return failed(`the given CA does not vouch for it (${chainError}): issued by ${issuerOf(certificate)}`,
      "give this tenant's own CA; when it is, the CA was renewed and the certificate was not, or the route leads to another tenant");
  }
  return validity;
}

function checkValidity(from: Date, to: Date): Outcome {
  const now = Date.now();
  if (isNaN(from.getTime()) || isNaN(to.getTime())) {
    return failed('its time of validity cannot be read', 'look at the certificate with openssl x509 -text, and make it anew');
  }
  if (now < from.getTime()) {
    return failed(`not valid before ${iso(from)}`, 'set the clocks of this machine and of the control plane');
  }
  if (now > to.getTime()) {
    return failed(`expired at ${iso(to)}`, 'renew the certificate of the API server, and have its pods read the new one');
  }
  return to.getTime() - now < EXPIRES_SOON_DAYS * DAY_MS && to.getTime() - from.getTime() > 2 * EXPIRES_SOON_DAYS * DAY_MS
    ? warning(`valid until ${iso(to)}`, `renew it: less than ${EXPIRES_SOON_DAYS} days are left`)
    : ok(`valid until ${iso(to)}`);
}

function iso(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z');
}

/** Whether clients that verify names accept the certificate. */
export function checkSans({ certificate }: TlsConnection, required: string[], recommended: string[]): Outcome {
  const missing = required.filter(name => !covers(certificate, name));
  if (missing.length > 0) {
    return failed(`no SAN for ${missing.join(', ')}; it has ${namesOf(certificate)}`,
      `add ${missing.join(', ')} to the SANs of the control plane (certSANs, api.sans), without a port`);
  }
  const wanted = recommended.filter(name => !covers(certificate, name));
  return wanted.length > 0
    ? warning(`no SAN for ${wanted.join(', ')}`, `add them, or take them from the manifests; the certificate has ${namesOf(certificate)}`)
    : ok([...required, ...recommended].join(', '));
}

/** Whether both protocols of Kubernetes' clients come through. */
export function checkAlpn(both: string | undefined, http1: ConnectionFailure | undefined): Outcome {
  if (http1 !== undefined) {
    const ended = ['closed', 'alert', 'cut'].includes(http1.failure);
    return failed(`no TLS for clients that offer http/1.1 alone: ${http1.detail}`,
      ended ? 'kubectl exec and port-forward need http/1.1: pass TLS through unopened' : remedyFor(http1));
  }
  return both === 'h2'
    ? ok('h2 and http/1.1')
    : warning(`${both ?? 'no protocol'} is chosen where h2 is offered`,
      'an API server speaks h2: something opens TLS on the way, or h2 is switched off. Without it each watch is a connection of its own, ' +
      'and clients do not notice dead connections for long');
}
