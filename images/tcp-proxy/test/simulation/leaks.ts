import type { HttpCall } from './simulated-api-server';
import type { SimulatedProcess } from './simulated-process';

/** What a key looks like, as it is and in base64 at each offset. */
const KEYS = ['PRIVATE KEY-----', ...[0, 1, 2].map(offset => Buffer.from(`${'-'.repeat(offset)}PRIVATE KEY`).toString('base64').slice(offset === 0 ? 0 : 4, -4))];

/** Looks for secrets in whatever leaves a process. */
export class Leaks {
  public readonly found: string[] = [];

  /** What each token may be sent to, by what it begins with. */
  constructor(private readonly tokens: Readonly<Record<string, readonly string[]>>) {}

  /** Logs, health and metrics: everybody may read them. */
  public said(process: SimulatedProcess, text: string): void {
    if (KEYS.some(key => text.includes(key))) this.found.push(`${process.name} told a key: ${text.slice(0, 200)}`);
    if (Object.keys(this.tokens).some(token => text.includes(token))) this.found.push(`${process.name} told a token: ${text.slice(0, 200)}`);
  }

  public sent(process: SimulatedProcess, { host, method, path, headers, body = '' }: HttpCall): void {
    const token = headers.Authorization?.replace('Bearer ', '') ?? '';
    // What was read of one may be the half of it.
    const isOf = (prefix: string) => token.startsWith(prefix) || prefix.startsWith(token);
    const allowed = Object.entries(this.tokens).filter(([prefix]) => isOf(prefix)).flatMap(([, hosts]) => hosts);
    if (token !== '' && !allowed.includes(host)) this.found.push(`${process.name} sent a token to ${host}`);
    // The one key that is to leave: that of a certificate that was made for the tenant, in a Secret.
    const delivered = method === 'PATCH' && path.includes('/secrets/tcp-proxy-tls');
    if (!delivered && KEYS.some(key => body.includes(key))) this.found.push(`${process.name} sent a key to ${host}: ${method} ${path}`);
  }
}
