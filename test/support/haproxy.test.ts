import { checkConfig, describeWithHaproxy } from './haproxy';

const VALID = `
global
  stats socket unix@/run/tcp-proxy/haproxy.sock mode 600
defaults
  mode tcp
  timeout connect 5s
  timeout client 1m
  timeout server 1m
crt-store serving
  load crt /etc/tcp-proxy/tls/tls.crt key /etc/tcp-proxy/tls/tls.key alias tls
frontend api
  bind :6443 ssl crt @serving/tls alpn h2,http/1.1
  use_backend %[req.ssl_sni,map_str(/etc/tcp-proxy/hosts.map)] if { always_true }
  default_backend upstream
backend upstream
  server upstream api.example.com:443 init-addr none ssl verify required ca-file /etc/tcp-proxy/ca.crt
`;

describeWithHaproxy('checkConfig', () => {
  test('accepts a good configuration', async () => {
    expect(await checkConfig(VALID)).toBe('');
  });

  test('tells the line of an error', async () => {
    expect(await checkConfig(VALID.replace('timeout connect', 'timeout connekt'))).toContain('haproxy.cfg:6');
  });

  test('takes a warning as an error', async () => {
    expect(await checkConfig(VALID.replace('  timeout client 1m\n', ''))).toContain('missing timeouts for frontend');
  });

  test('refuses a reference to something that the configuration lacks', async () => {
    expect(await checkConfig(VALID.replace('crt @serving/tls', 'crt @serving/other'))).not.toBe('');
  });
});
