import { execFileSync } from 'child_process';

/** Where clients find the controller. Not loopback: other sources than 127.0.0.0/8 do not reach that. */
export const EDGE = { v4: '10.77.0.2', v6: 'fd77::2' };
/** Addresses of one client. */
export interface Sources {
  readonly v4: string;
  readonly v6: string;
}

/** Clients, in the networks of one tenant and of another. */
export const SOURCES = {
  one: { v4: '203.0.113.10', v6: '2001:db8:1::10' },
  two: { v4: '198.51.100.10', v6: '2001:db8:2::10' },
};

/** Address of a backend; EndpointSlices refuse those of loopback. */
export function backendAddress(index: number): string {
  return `10.77.1.${index}`;
}

/** Gives the network namespace of the tests the addresses that they play. */
export function addAddresses(backends: number): void {
  const { one, two } = SOURCES;
  const v4 = [EDGE.v4, one.v4, two.v4, ...Array.from({ length: backends }, (_, i) => backendAddress(i + 1))];
  const v6 = [EDGE.v6, one.v6, two.v6];
  for (const address of v4) ip(`${address}/32`);
  for (const address of v6) ip(`${address}/128`, 'nodad');
}

function ip(address: string, ...flags: string[]): void {
  execFileSync('ip', ['address', 'replace', address, 'dev', 'lo', ...flags]);
}
