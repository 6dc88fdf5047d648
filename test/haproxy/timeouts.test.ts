import { gatewayHaproxyConfig } from '../../src/shared-gateway/haproxy-config';
import { resolveGateway } from '../../src/shared-gateway/settings';
import { tcpProxyHaproxyConfig } from '../../src/tcp-proxy/haproxy-config';
import { resolveTcpProxy } from '../../src/tcp-proxy/settings';

const GATEWAY = gatewayHaproxyConfig({
  ...resolveGateway({}).haproxy, runFolder: '/run', listenAddresses: ['127.0.0.1'], sniPort: 8443, clusterIdPort: 6443, tlvType: 0xe1, portRange: { first: 30000, last: 30001 },
}).render();

const TCP_PROXY = (['tls', 'tcp'] as const).map(mode => tcpProxyHaproxyConfig({
  ...resolveTcpProxy({}, mode).haproxy,
  paths: { run: '/run', tls: '/tls', ca: '/ca.crt' },
  upstream: { host: 'tenant-01.k8s.example.com', port: 443, mode, serverName: 'tenant-01.k8s.example.com' },
  listenAddresses: [],
  families: ['ipv4'],
  hostAliased: false,
}).render());

/** The values of each word that says how long something may take, in all sections. */
function times(config: string): { [word: string]: string[] } {
  const found: { [word: string]: Set<string> } = {};
  for (const [, word, value] of config.matchAll(/\b(timeout [\w-]+|inspect-delay|(?:cli|srv)tcpka-\w+|tcp-ut|retries|resolve_retries) (\S+)/g)) {
    (found[word] ??= new Set()).add(value);
  }
  return Object.fromEntries(Object.entries(found).map(([word, values]) => [word, [...values].sort()]));
}

test.each([['opens TLS', TCP_PROXY[0]], ['passes bytes', TCP_PROXY[1]]])('a tcp-proxy that %s and a gateway wait alike', (_, config) => {
  const [proxy, gateway] = [times(config), times(GATEWAY)];
  const common = Object.keys(gateway).filter(word => word in proxy);
  expect(common).toEqual(expect.arrayContaining([
    'retries', 'timeout connect', 'timeout client-hs', 'timeout client', 'timeout server', 'timeout tunnel', 'timeout client-fin', 'timeout server-fin',
    'clitcpka-idle', 'clitcpka-intvl', 'clitcpka-cnt', 'srvtcpka-idle', 'srvtcpka-intvl', 'srvtcpka-cnt', 'tcp-ut', 'timeout resolve', 'timeout retry', 'resolve_retries',
  ]));
  for (const word of common) expect([word, proxy[word]]).toEqual([word, gateway[word]]);
});

test('a client has as long for a handshake that HAProxy makes as for one that passes', () => {
  expect(times(GATEWAY)['inspect-delay']).toEqual(times(GATEWAY)['timeout client-hs']);
  expect(times(TCP_PROXY[1])['inspect-delay']).toEqual(times(TCP_PROXY[1])['timeout client-hs']);
});

test('every bind and server line that connections pass finds out a dead peer', () => {
  for (const config of [...TCP_PROXY, GATEWAY]) {
    const lines = config.split('\n').filter(line => /^ {2}(bind|server) /.test(line) && !/unix@| check /.test(line));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/ tcp-ut 100s( |$)/);
  }
});
