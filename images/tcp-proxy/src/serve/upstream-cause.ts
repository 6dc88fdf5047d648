import { readFile } from 'fs/promises';
import { isIP } from 'net';
import { connect } from 'tls';
import type { Logger } from 'pino';
import { PROBE } from '../../../../src/agent/contract/haproxy-names';
import { CA_FILE, TLS_FILES } from '../../../../src/agent/contract/paths';
import type { TunnelFiles } from '../certificates/tunnel-files';
import { lastCheck } from '../haproxy/check-result';
import type { RuntimeApi } from '../haproxy/runtime-api';

/** Whoever asks for readiness causes no more connections than this. */
const INTERVAL_MS = 5_000;
const DIAL_TIMEOUT_MS = 2_000;

/** The handshakes that fail, by Node.js' codes. */
const CAUSES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the upstream's certificate, or its CA, has expired",
  CERT_NOT_YET_VALID: "the upstream's certificate is not valid yet",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the upstream's certificate is of an unknown CA",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the upstream's certificate is of an unknown CA",
  SELF_SIGNED_CERT_IN_CHAIN: "the upstream's certificate is of an unknown CA",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the upstream's certificate is of an unknown CA",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'the gateway does not know the CA of the certificate that this proxy shows',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'the gateway refuses the certificate that this proxy shows: it has expired',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'the gateway refuses the certificate that this proxy shows',
  CERT_SIGNATURE_FAILURE: "the upstream's certificate is of an unknown CA",
  ERR_TLS_CERT_ALTNAME_INVALID: "the upstream's certificate has another name",
};

export interface UpstreamCauseOptions {
  readonly runtime: RuntimeApi;
  /** Configuration of HAProxy, which has the name that the upstream is verified by. */
  readonly haproxyConfig: string;
  readonly caFile: string;
  /** The tunnel to the upstream, where there is one: only its handshake can be made here. */
  readonly tunnel?: TunnelFiles;
  readonly logger: Logger;
}

/**
 * Why the upstream's health check does not pass. HAProxy tells the layer; of handshakes it says only that they fail, so
 * one more is made here.
 */
export class UpstreamCause {
  private known?: { readonly text: string; readonly at: number };
  private finding?: Promise<string>;
  private logged?: string;

  constructor(private readonly options: UpstreamCauseOptions) {}

  /** Empty before the first check. */
  public async text(): Promise<string> {
    if (this.known && performance.now() - this.known.at <= INTERVAL_MS) return this.known.text;
    this.finding ??= this.find().catch((error: Error) => error.message).then(text => {
      this.known = text === '' ? undefined : { text, at: performance.now() };
      this.finding = undefined;
      return text;
    });
    return this.finding;
  }

  /** Says it in the log whenever it is another one: HAProxy's own lines do not tell an expired certificate from one of an unknown CA. */
  public async tell(verified: boolean): Promise<void> {
    const cause = verified ? undefined : await this.text();
    if (cause === this.logged || cause === '') return;
    this.logged = cause;
    if (cause === undefined) this.options.logger.info('the upstream is verified again');
    else this.options.logger.warn({ cause }, 'the upstream is not verified');
  }

  private async find(): Promise<string> {
    const { runtime } = this.options;
    const { status, text } = await lastCheck(runtime, PROBE.backend, PROBE.server);
    const cause = status === 'L6RSP' || (this.options.tunnel && text !== '') ? await this.handshake() : undefined;
    return cause === undefined ? text : `${text}: ${cause}`;
  }

  /** Undefined where HAProxy puts a PROXY header in front, or has no address. */
  private async handshake(): Promise<string | undefined> {
    const { tunnel, caFile } = this.options;
    const config = await readFile(this.options.haproxyConfig, 'utf8');
    const servername = (tunnel ? /\bsni "?str\(([a-z0-9.-]+)/ : /\bcheck-sni "?([a-z0-9.-]+)/).exec(config)?.[1];
    const address = await this.address(tunnel ? 'upstream' : PROBE.backend);
    if (servername === undefined || config.includes('check-send-proxy') || address === undefined) return undefined;
    const names = [CA_FILE, TLS_FILES.certificate, TLS_FILES.key];
    const [ca, cert, key] = await Promise.all(tunnel ? names.map(name => readFile(tunnel.acceptedFile(name))) : [readFile(caFile)]);
    return new Promise(resolve => {
      // TLS 1.2, as in the tunnel: there a client hears in the handshake what is wrong with its certificate.
      const socket = connect({ ...address, servername, ca, cert, key, maxVersion: tunnel && 'TLSv1.2' });
      // In all: a byte now and then is no answer either.
      const timer = setTimeout(() => done('no answer'), DIAL_TIMEOUT_MS);
      const done = (cause?: string) => {
        clearTimeout(timer);
        socket.destroy();
        resolve(cause === undefined ? cause : `${tunnel ? 'the tunnel: ' : ''}${cause}`);
      };
      socket.on('secureConnect', () => done(tunnel && 'the gateway takes the certificate and leads it to no API server'));
      socket.on('error', (error: NodeJS.ErrnoException) => done(CAUSES[error.code ?? ''] ?? error.code ?? 'another cause'));
    });
  }

  /** Where HAProxy finds the server of a backend; undefined as long as that is not known. */
  private async address(backend: string): Promise<{ host: string; port: number } | undefined> {
    const [columns, values] = (await this.options.runtime.execute(`show servers state ${backend}`)).split('\n').slice(1);
    const value = (name: string) => values?.split(' ')[columns.replace(/^# /, '').split(' ').indexOf(name)] ?? '';
    const [host, port] = [value('srv_addr'), Number(value('srv_port'))];
    return isIP(host) === 0 ? undefined : { host, port };
  }
}
