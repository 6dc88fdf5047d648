import type { RuntimeApi } from './runtime-api';

/** What HAProxy's abbreviations mean (management guide, `show stat`, `check_status`). */
const MEANINGS: Readonly<Record<string, string>> = {
  L4TOUT: 'no answer to the connection',
  L4CON: 'the connection is refused, or there is no way',
  L6TOUT: 'no answer in the TLS handshake',
  L6RSP: 'the TLS handshake fails',
  L7TOUT: 'no answer to the request',
  L7RSP: 'the answer is no HTTP',
  L7STS: 'the status is neither 200 nor 401',
  SOCKERR: 'no socket for it',
};

export interface CheckResult {
  /** HAProxy's abbreviation, such as `L6RSP`; empty before the first check. */
  readonly status: string;
  /** For people: what failed; empty if nothing did, or nothing is known yet. */
  readonly text: string;
}

/**
 * What came of the last health check of a server.
 *
 * @throws Error when HAProxy does not answer
 */
export async function lastCheck(runtime: RuntimeApi, backend: string, server: string): Promise<CheckResult> {
  const [header, ...rows] = (await runtime.execute('show stat')).split('\n');
  const columns = header.replace(/^# /, '').split(',');
  const row = rows.map(line => line.split(',')).find(([proxy, name]) => proxy === backend && name === server) ?? [];
  const field = (name: string) => row[columns.indexOf(name)] ?? '';
  const status = field('check_status').replace(/^\* /, '');
  const code = field('check_code');
  return { status, text: `${MEANINGS[status] ?? ''}${status === 'L7STS' ? ` but ${code}` : ''}` };
}
