import { isIP } from 'net';
import { isFailure, openTcp } from '../connection';
import { failed, ok, Outcome, skipped, warning } from '../hop';
import { resolve } from '../resolve';
import { hostPort, isHost, Target } from '../target';

/** Which addresses a host has. */
export async function checkDns(host: string, target: Target): Promise<Outcome<string[]>> {
  if (!isHost(host)) return failed(`${JSON.stringify(host)} is no host name`, 'write one where it comes from: letters, digits, hyphens and dots');
  if (target.connectTo !== undefined) return skipped(`not asked: --connect-to ${target.connectTo}`, [target.connectTo]);
  if (isIP(host)) return skipped('not asked: it is an address', [host]);
  const parent = host.slice(host.indexOf('.') + 1);
  try {
    const addresses = await resolve(host, target);
    return addresses.length > 0
      ? ok(addresses.join(', '), addresses)
      : failed(`${host} has no A or AAAA record`,
        `create A and AAAA records for ${host}, or for the wildcard *.${parent}, with the shared address; a wildcard covers one label only`);
  } catch (error) {
    return failed(`DNS fails for ${host}: ${(error as Error).message}`, 'check the DNS server and the delegation of the zone');
  }
}

/** Which of the addresses take connections. */
export async function checkTcp(addresses: string[], target: Target): Promise<Outcome<string>> {
  const attempts = await Promise.all(addresses.map(async address => {
    const connection = await openTcp({ host: address, port: target.port }, target.timeoutMs);
    if (isFailure(connection)) return { address, detail: connection.detail };
    connection.socket.destroy();
    return { address };
  }));
  const open = attempts.filter(({ detail }) => detail === undefined).map(({ address }) => address);
  const faults = attempts.filter(({ detail }) => detail !== undefined).map(({ address, detail }) => `${hostPort({ host: address, port: target.port })}: ${detail}`);
  const remedy = `check the load balancer in front of the ingress, its listener on port ${target.port}, and firewalls`;
  if (open.length === 0) return failed(faults.join('; '), remedy);
  return faults.length === 0
    ? ok(`port ${target.port} open at ${open.join(', ')}`, open[0])
    : warning(`port ${target.port} open at ${open.join(', ')}, but ${faults.join('; ')}`,
      `${remedy}; or take the record of the address that does not answer away, as clients try it too`, open[0]);
}
