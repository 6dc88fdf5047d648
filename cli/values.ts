import { isIP } from 'net';
import * as z from 'zod/mini';

/** Timers of Node.js that are set to more run out at once. */
const LONGEST_MS = 2 ** 31 - 1;

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration such as `500ms`, `60s` or `1m30s`; the output is in milliseconds. */
export const duration = z.pipe(
  z.string().check(
    z.regex(/^(\d+(ms|s|m|h))+$/, { abort: true, error: 'is not a duration, write it like 500ms, 60s or 1m30s' }),
    z.refine(text => milliseconds(text) <= LONGEST_MS, 'is longer than 24 days'),
  ),
  z.transform(milliseconds),
);

function milliseconds(text: string): number {
  return [...text.matchAll(/(\d+)(ms|s|m|h)/g)].reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit], 0);
}

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

/** `address:port` to listen on; IPv6 addresses are in brackets, as in `[::]:8404`. */
export const socketAddress = z.pipe(
  z.string().check(z.refine(text => parseSocketAddress(text) !== undefined, 'is not address:port, write it like [::]:8404 or 127.0.0.1:8404')),
  z.transform((text: string): SocketAddress => parseSocketAddress(text)!),
);

function parseSocketAddress(text: string): SocketAddress | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  if (!match) return undefined;
  const [, v6, v4, digits] = match;
  const port = Number(digits);
  const valid = v6 ? isIP(v6) === 6 : isIP(v4) === 4;
  return valid && port <= 65535 ? { host: v6 ?? v4, port } : undefined;
}

export const port = z.pipe(
  z.string().check(z.refine(text => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535, 'is not a port, choose one from 1 to 65535')),
  z.transform(Number),
);

/** An IPv6 network in CIDR notation. */
export const ipv6Network = z.string().check(z.refine(text => {
  const [address, prefix, ...rest] = text.split('/');
  return isIP(address) === 6 && !address.includes('%') && /^\d{1,3}$/.test(prefix ?? '') && Number(prefix) <= 128 && rest.length === 0;
}, 'is not an IPv6 network, write it like 2001:db8:1::/64'));

/** An IPv4 or IPv6 address without a prefix length. */
export const ipAddress = z.string().check(z.refine(text => isIP(text) !== 0, 'is not an IP address, write it like 172.20.0.1 or fd00::1'));
