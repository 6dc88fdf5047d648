/** How the line ends that the gateway's HAProxy logs for a connection, as a format of HAProxy. What a client sent comes before it. */
export const CONNECTION_END = 'target=%[var(txn.target)] address=%[var(txn.address)] ended=%ts times=%Tw/%Tc/%Tt bytes=%B connections=%ac error="%[bc_err_str]"';
/** What follows where TLS is opened. */
export const TLS_CONNECTION_END = ' tls=%sslv resumed=%[ssl_fc_is_resumed] expires=%[ssl_c_notafter]';

/** `SC` and `sC`: the server refused the connection, or did not answer. */
const UNANSWERED = / target=(\S+) address=\S+ ended=[sS]C times=\S+ bytes=\d+ connections=\d+ error="[^"]*"(?: tls=\S+ resumed=\S+ expires=\S+)?$/;

/** The target of a connection that nobody took at its address; undefined for any other line. No client can write one: it ends the line. */
export function unansweredTarget(line: string): string | undefined {
  return UNANSWERED.exec(line)?.[1];
}
