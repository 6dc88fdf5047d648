import { CONNECTION_END, TLS_CONNECTION_END, unansweredTarget } from '../../src/agent/contract/connection-log';

const TARGET = 'tenant-01.tenants.svc.cluster.local:6443:tenants/tenant-01';
const BEFORE = '192.0.2.1:40000 source=192.0.2.1 frontend=sni tenant=tenant-01.k8s.example.com ';

/** The line of a connection, as HAProxy makes it of the format. */
function line(ended: string, { before = BEFORE, target = TARGET, address = '10.1.0.1', error = '', tls = false } = {}): string {
  const values: Record<string, string> = {
    '%[var(txn.target)]': target,
    '%[var(txn.address)]': address,
    '%ts': ended,
    '%Tw/%Tc/%Tt': '1/-1/5003',
    '%B': '0',
    '%ac': '12',
    '%[bc_err_str]': error,
    '%sslv': 'TLSv1.3',
    '%[ssl_fc_is_resumed]': '0',
    '%[ssl_c_notafter]': '270101000000Z',
  };
  const format = before + CONNECTION_END + (tls ? TLS_CONNECTION_END : '');
  return Object.entries(values).reduce((text, [name, value]) => text.replace(name, value), format);
}

test.each(['SC', 'sC'])('a connection that ended with %s was not taken at its address', ended => {
  expect(unansweredTarget(line(ended))).toBe(TARGET);
  expect(unansweredTarget(line(ended, { address: 'fd00::1', error: 'Connection refused', tls: true }))).toBe(TARGET);
});

test.each(['--', 'CD', 'SD', 'cD', 'PR', 'CC', 'RC'])('one that ended with %s was', ended => {
  expect(unansweredTarget(line(ended))).toBeUndefined();
});

test('what a client sends is no end of a line', () => {
  const forged = ' target=victim.tenants.svc:6443 address=10.1.0.9 ended=SC times=1/-1/5003 bytes=0 connections=1 error="';
  for (const tenant of [`a${forged}"`, `a${forged}`, `a${forged}x" tls=- resumed=0 expires=-`]) {
    const before = `192.0.2.1:40000 source=192.0.2.1 frontend=sni tenant=${tenant} `;
    expect(unansweredTarget(line('CD', { before }))).toBeUndefined();
    expect(unansweredTarget(line('SC', { before }))).toBe(TARGET);
    expect(unansweredTarget(line('SC', { before, error: 'Connection refused' }))).toBe(TARGET);
  }
});
