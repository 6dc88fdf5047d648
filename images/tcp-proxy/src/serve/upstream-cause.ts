import { readFile } from 'fs/promises';
import { isIP } from 'net';
import { connect } from 'tls';
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
}

/**
 * Why the upstream's health check does not pass. HAProxy tells the layer; of handshakes it says only that they fail, so
 * one more is made here.
 */
export class UpstreamCause {
  private known?: { readonly text: string; readonly at: number };

  constructor(private readonly options: UpstreamCauseOptions) {}

  public async text(): Promise<string> {
    if (!this.known || performance.now() - this.known.at > INTERVAL_MS) {
      this.known = { text: await this.find().catch((error: Error) => error.message), at: performance.now() };
    }
    return this.known.text;
  }

  private async find(): Promise<string> {
    const { runtime } = this.options;
    const { status, text } = await lastCheck(runtime, 'probe', 'upstream');
    const cause = status === 'L6RSP' ? await this.handshake() : undefined;
    return cause === undefined ? text : `${text}: ${cause}`;
  }

  /** Undefined where HAProxy puts a PROXY header in front, or has no address. */
  private async handshake(): Promise<string | undefined> {
    const config = await readFile(this.options.haproxyConfig, 'utf8');
    const servername = /\bcheck-sni "?([a-z0-9.-]+)/.exec(config)?.[1];
    const [columns, values] = (await this.options.runtime.execute('show servers state probe')).split('\n').slice(1);
    const value = (name: string) => values?.split(' ')[columns.replace(/^# /, '').split(' ').indexOf(name)] ?? '';
    const [host, port] = [value('srv_addr'), Number(value('srv_port'))];
    if (servername === undefined || config.includes('check-send-proxy') || isIP(host) === 0) return undefined;
    const ca = await readFile(this.options.caFile);
    return new Promise(resolve => {
      const socket = connect({ host, port, servername, ca, timeout: DIAL_TIMEOUT_MS });
      const done = (cause?: string) => {
        socket.destroy();
        resolve(cause);
      };
      socket.on('secureConnect', () => done());
      socket.on('timeout', () => done('no answer'));
      socket.on('error', (error: NodeJS.ErrnoException) => done(CAUSES[error.code ?? ''] ?? error.code ?? 'another cause'));
    });
  }
}
