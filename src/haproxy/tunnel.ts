import { HaproxyConfig } from './config';
import { Section, Word } from './section';
import { TUNNEL_CERTIFICATE } from '../agent/contract/haproxy-names';
import { CA_FILE, TICKET_KEYS_FILE, TLS_FILES, TUNNEL_FOLDER } from '../agent/contract/paths';

/**
 * How long a session may be resumed. Nothing of the client's certificate is verified again meanwhile, so that this is also how
 * long a removed authority counts.
 */
const SESSION_SECONDS = 300;
/** New TLS connections a second and thread, one of which takes half a millisecond: those above wait, and the other ports have the rest of the CPU. */
const HANDSHAKES_PER_SECOND = 500;
/** Part of all connections of a gateway: somebody who opens tunnels without a certificate takes no more. */
export const TUNNEL_SHARE = 1 / 2;

/** The end of tunnels at a gateway. */
export interface TunnelHaproxyOptions {
  readonly port: number;
  /** Networks of the ingress controller in front, where it puts a PROXY header in front of connections. */
  readonly proxyProtocolCidrs?: string[];
}

/** What a process needs in which tunnels end. */
export function addTunnelGlobals(global: Section, threads: number): void {
  global
    .comment('Anybody costs a handshake before it is known who that is.')
    .add('maxsslrate', HANDSHAKES_PER_SECOND * threads)
    .comment('Sessions are resumed by tickets, at whatever pod; nothing of a certificate is verified again in this time.')
    .add('tune.ssl.cachesize', 0)
    .add('tune.ssl.lifetime', SESSION_SECONDS);
}

/** The pair of a proxy's own, which the agent replaces at run time. */
export function addTunnelCertificate(config: HaproxyConfig, runFolder: string): void {
  const { store, alias } = TUNNEL_CERTIFICATE;
  config.section('crt-store', store)
    .add('load', 'crt', fileOf(runFolder, TLS_FILES.certificate), 'key', fileOf(runFolder, TLS_FILES.key), 'alias', alias);
}

/**
 * Words of the `server` line that goes into the tunnel.
 *
 * TLS 1.2, which resumes a session without a key exchange, for half the CPU time of TLS 1.3: the tunnel says who is at its ends, and
 * what goes through is encrypted already.
 */
export function tunnelServerWords(runFolder: string, serverName: string): Word[] {
  return ['ssl', 'verify', 'required', 'ca-file', fileOf(runFolder, CA_FILE), 'sni', `str(${serverName})`, 'verifyhost', serverName,
    'crt', TUNNEL_CERTIFICATE.name, 'ssl-max-ver', 'TLSv1.2'];
}

/** Words of the `bind` line at which tunnels end. */
export function tunnelBindWords(runFolder: string): Word[] {
  return ['ssl', 'crt', TUNNEL_CERTIFICATE.name, 'verify', 'required', 'ca-file', fileOf(runFolder, CA_FILE),
    'ssl-min-ver', 'TLSv1.2', 'tls-ticket-keys', fileOf(runFolder, TICKET_KEYS_FILE)];
}

function fileOf(runFolder: string, file: string): string {
  return `${runFolder}/${TUNNEL_FOLDER}/${file}`;
}
