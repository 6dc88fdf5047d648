import { Section, Word } from './section';

/** How long a client may take for its part of a handshake. */
const HANDSHAKE_TIMEOUT = '10s';
/** How long a client waits at most for a server that does not answer, with both tries. */
const CONNECT_TIMEOUT_SECONDS = 5;
const TRIES = 2;

const KEEPALIVE = { idleSeconds: 55, intervalSeconds: 15, probes: 3 };
/** When the last keepalive probe was not answered. Less, and one lost probe would end a connection that is idle. */
const DEAD_PEER_SECONDS = KEEPALIVE.idleSeconds + KEEPALIVE.probes * KEEPALIVE.intervalSeconds;

/** The time-outs of connections. Both proxies only pass bytes. */
export function addTimeouts(defaults: Section, tunnelTimeoutSeconds: number): Section {
  defaults
    .comment('One more try, a second later, hides that what is behind restarts; then the client had better try another proxy.')
    .add('retries', TRIES - 1)
    .comment('Of each try.')
    .add('timeout', 'connect', `${CONNECT_TIMEOUT_SECONDS * 1000 / TRIES}ms`)
    .comment('Bounds the handshakes of clients: PROXY header, TLS.')
    .add('timeout', 'client-hs', HANDSHAKE_TIMEOUT)
    .comment('Watches and exec sessions are silent for long; dead peers are found by TCP instead.')
    .add('timeout', 'client', `${tunnelTimeoutSeconds}s`)
    .add('timeout', 'server', `${tunnelTimeoutSeconds}s`)
    .add('timeout', 'tunnel', `${tunnelTimeoutSeconds}s`)
    .comment('A half-closed connection stays usable: "kubectl exec" ends its input long before the output ends.')
    .add('timeout', 'client-fin', '1h')
    .add('timeout', 'server-fin', '1h')
    .comment('Dead peers of idle connections. Load balancers drop these without a word, some after less than six minutes.');
  for (const side of ['cli', 'srv']) {
    defaults
      .add('option', `${side}tcpka`)
      .add(`${side}tcpka-idle`, `${KEEPALIVE.idleSeconds}s`)
      .add(`${side}tcpka-intvl`, `${KEEPALIVE.intervalSeconds}s`)
      .add(`${side}tcpka-cnt`, KEEPALIVE.probes);
  }
  return defaults;
}

/**
 * Words of a `bind` or `server` line: a peer that does not take what was sent to it is dead as soon as one that does not
 * answer keepalives. Without them the kernel sends it again for a quarter of an hour.
 */
export function deadPeerWords(): Word[] {
  return ['tcp-ut', `${DEAD_PEER_SECONDS}s`];
}

/** How long a frontend waits for what it routes on, which a client sends in its handshake. */
export function addInspectDelay(frontend: Section): Section {
  return frontend.add('tcp-request', 'inspect-delay', HANDSHAKE_TIMEOUT);
}

/**
 * How long DNS may take, and that its answers may be long.
 *
 * @param comment on what waits meanwhile
 */
export function addResolving(resolvers: Section, comment?: string): Section {
  resolvers.add('accepted_payload_size', 4096);
  if (comment !== undefined) {
    resolvers.comment(comment);
  }
  return resolvers
    .add('resolve_retries', 3)
    .add('timeout', 'resolve', '1s')
    .add('timeout', 'retry', '1s');
}

/** How long the health check of an upstream may take: as long as a client may wait. */
export function addCheckTimeout(backend: Section): Section {
  return backend.add('timeout', 'check', `${CONNECT_TIMEOUT_SECONDS}s`);
}

/** Words of a `server` line: how often it is checked. What is down is to come back soon. */
export function checkIntervalWords(): Word[] {
  return ['inter', '5s', 'fastinter', '1s', 'downinter', '1s'];
}

/** The agent asks on a socket of its own and is never slow. */
export function addAgentTimeout(health: Section): Section {
  return health.add('timeout', 'client', '5s');
}
