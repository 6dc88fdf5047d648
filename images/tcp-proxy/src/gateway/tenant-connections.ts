import { GATEWAY_SERVER, TENANT_SERVER } from '../../../../src/agent/contract/haproxy-names';
import type { RuntimeApi } from '../haproxy/runtime-api';

const DESTINATION = new RegExp(`^ {2}server=(?:${TENANT_SERVER.server}|${GATEWAY_SERVER.server}) \\(id=\\d+\\) addr=(\\S+)`, 'm');

/** Connections to tenants and other gateways in the running HAProxy; not those that older workers still have. */
export class TenantConnections {
  constructor(private readonly runtime: RuntimeApi) {}

  /**
   * Ends every connection to one of these addresses.
   *
   * @param destinations as `address:port`, IPv6 addresses without brackets as HAProxy writes them
   * @returns how many
   */
  public async close(destinations: ReadonlySet<string>): Promise<number> {
    if (destinations.size === 0) return 0;
    const sessions = (await this.runtime.execute('show sess all')).split(/^(?=0x)/m);
    const closing = sessions.filter(session => destinations.has(DESTINATION.exec(session)?.[1] ?? ''));
    for (const session of closing) await this.runtime.execute(`shutdown session ${session.slice(0, session.indexOf(':'))}`);
    return closing.length;
  }
}
