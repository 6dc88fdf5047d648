import { readFile } from 'fs/promises';
import { isIP } from 'net';
import { connect } from 'tls';
import type { Logger } from 'pino';
import { PROBE } from '../../../../src/agent/contract/haproxy-names';
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
  CERT_SIGNATURE_FAILURE: "the upstream's certificate is of an unknown CA",
  ERR_TLS_CERT_ALTNAME_INVALID: "the upstream's certificate has another name",
};

export interface UpstreamCauseOptions {
  readonly runtime: RuntimeApi;
  /** Configuration of HAProxy, which has the name that the upstream is verified by. */
  readonly haproxyConfig: string;
  readonly caFile: string;
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
    const cause = status === 'L6RSP' ? await this.handshake() : undefined;
    return cause === undefined ? text : `${text}: ${cause}`;
  }

  /** Undefined where HAProxy puts a PROXY header in front, or has no address. */
  private async handshake(): Promise<string | undefined> {
    const config = await readFile(this.options.haproxyConfig, 'utf8');
    const servername = /\bcheck-sni "?([a-z0-9.-]+)/.exec(config)?.[1];
    const [columns, values] = (await this.options.runtime.execute(`show servers state ${PROBE.backend}`)).split('\n').slice(1);
    const value = (name: string) => values?.split(' ')[columns.replace(/^# /, '').split(' ').indexOf(name)] ?? '';
    const [host, port] = [value('srv_addr'), Number(value('srv_port'))];
    if (servername === undefined || config.includes('check-send-proxy') || isIP(host) === 0) return undefined;
    const ca = await readFile(this.options.caFile);
    return new Promise(resolve => {
      const socket = connect({ host, port, servername, ca });
      // In all: a byte now and then is no answer either.
      const timer = setTimeout(() => done('no answer'), DIAL_TIMEOUT_MS);
      const done = (cause?: string) => {
        clearTimeout(timer);
        socket.destroy();
        resolve(cause);
      };
      socket.on('secureConnect', () => done());
      socket.on('error', (error: NodeJS.ErrnoException) => done(CAUSES[error.code ?? ''] ?? error.code ?? 'another cause'));
    });
  }
}
