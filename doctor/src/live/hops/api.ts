import { printable } from '../../../../cli/printable';
import { failed, ok, Outcome, unknown, warning } from '../hop';
import { Answer, isOfApiServer, RequestFailure } from '../requests';

const OWN_REMEDY = "TLS is not opened on the way, so another server of this tenant answers: lead the route to the API server's port of the Service";
const UNAUTHENTICATED = [401, 403];
const SHOWN_BODY = 120;

/** What to do where a connection is open and a request gets no answer in time. */
const LATE_REMEDY = 'look for a hung or overloaded server, or for what loses large packets (MTU, a device that inspects TLS); '
  + 'a longer --timeout tells whether it is only slow';

/** A request that nobody answered, though TLS was up. */
export function judgeUnanswered(resource: string, { message, late }: RequestFailure): Outcome {
  return failed(`${resource}: ${message}`, late ? LATE_REMEDY : 'look at the API server, and at idle and connect timeouts of the ingress');
}

/** @param own whether the tenant's CA vouches for the server, so that nothing opens TLS on the way */
export function judgeVersion(answer: Answer, own = false): Outcome {
  if (answer.status === 200 && isOfApiServer(answer)) {
    const { gitVersion } = JSON.parse(answer.body);
    return ok(`the API server answers: ${printable(String(gitVersion ?? 'no version'))}`);
  }
  if (UNAUTHENTICATED.includes(answer.status) && isOfApiServer(answer)) {
    return ok(`the API server answers ${answer.status}: it does not tell its version to anonymous clients`);
  }
  return failed(`not an API server: status ${answer.status}, ${quoted(answer)}`, own ? OWN_REMEDY : foreignRemedy(answer));
}

export function judgeReadyz(answer: Answer): Outcome {
  if (answer.status === 200) return ok('ready');
  if (UNAUTHENTICATED.includes(answer.status)) return ok(`status ${answer.status}: it does not tell anonymous clients`);
  const broken = answer.body.split('\n').filter(line => line.startsWith('[-]')).map(line => line.slice(3).split(' ')[0]);
  return failed(`status ${answer.status}${broken.length > 0 ? `: ${printable(broken.join(', '))}` : `, ${quoted(answer)}`}`,
    'the path is fine; look at the logs of the API server, and at its data store');
}

/** What the konnectivity host leads to. A konnectivity server speaks gRPC and knows no path. */
export function judgeGrpc(answer: Answer | RequestFailure): Outcome {
  if (answer instanceof RequestFailure) {
    const detail = `HTTP/2 is agreed on, but there is no answer: ${answer.message}`;
    // One that wants client certificates ends the connection of whoever has none.
    return answer.late ? unknown(detail, LATE_REMEDY) : warning(detail, 'look at the logs of the konnectivity server');
  }
  return isOfApiServer(answer)
    ? failed('the API server answers in its place', "lead the route to the konnectivity port of the Service (8132 unless it says otherwise), not to the API's")
    : ok(`an HTTP/2 server that is not the API server answers (status ${answer.status})`);
}

function foreignRemedy({ status, body }: Answer): string {
  if (/plain HTTP request|HTTP request to an HTTPS server/i.test(body)) {
    return 'the ingress opens TLS and speaks plain HTTP behind it: have it pass TLS through';
  }
  if (status === 404) return 'a default backend answers: have the ingress pass TLS through to the API server';
  if ([502, 503, 504].includes(status)) return 'the ingress opens TLS and finds no backend: pass TLS through, and check that the Service has ready pods';
  return 'something opens TLS on the way: have the ingress pass it through';
}

function quoted({ body }: Answer): string {
  return body === '' ? 'no text' : `"${printable(body, SHOWN_BODY)}"`;
}
