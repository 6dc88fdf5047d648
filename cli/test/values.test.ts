import * as z from 'zod/mini';
import { duration, ipAddress, ipv6Network, port, socketAddress } from '../values';

test.each([['0s', 0], ['500ms', 500], ['60s', 60_000], ['1m30s', 90_000], ['2h', 7_200_000], ['2147483s', 2_147_483_000]])('the duration %s is %d ms', (text, ms) => {
  expect(z.parse(duration, text)).toBe(ms);
});

test.each(['', '60', 's', '1.5s', '-1s', '1 s', '600h', '2147483648ms', `${'9'.repeat(400)}s`])('"%s" is no duration', text => {
  expect(z.safeParse(duration, text).success).toBe(false);
});

test.each([
  ['[::]:8404', { host: '::', port: 8404 }],
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
])('the socket address %s has host and port', (text, address) => {
  expect(z.parse(socketAddress, text)).toEqual(address);
});

test.each([':8404', '::8404', '[127.0.0.1]:8404', 'localhost:8404', '[::]:65536', '[::]'])('"%s" is no socket address', text => {
  expect(z.safeParse(socketAddress, text).success).toBe(false);
});

test.each(['0', '65536', '6443x', ''])('"%s" is no port', text => {
  expect(z.safeParse(port, text).success).toBe(false);
});

test.each(['172.20.0.1/32', 'node-1', ''])('"%s" is no IP address', text => {
  expect(z.safeParse(ipAddress, text).success).toBe(false);
});

test.each(['2001:db8:1::/64', '::/0', '2001:db8::1/128'])('the network %s is taken', text => {
  expect(z.parse(ipv6Network, text)).toBe(text);
});

test.each(['2001:db8:1::', '192.0.2.0/24', '2001:db8:1::/129', '2001:db8:1::/', '2001:db8:1::/6 4', '2001:db8:1::/64/64', 'fe80::%eth0/64', ''])('"%s" is no IPv6 network', text => {
  expect(z.safeParse(ipv6Network, text).success).toBe(false);
});
