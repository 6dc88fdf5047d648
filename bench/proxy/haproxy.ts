import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Contender, ContenderOptions, imageProcess, LISTEN_PORT, listens, targetOf } from './contender';
import { eventually } from '../../test/data-path/support/eventually';
import { EXPOSURE } from '../../test/e2e/support/cluster';

/** Starts the image's HAProxy with as little configuration as verified re-origination needs, and nothing beside it. */
export async function startHaproxy(options: ContenderOptions): Promise<Contender> {
  const { installation, node, keyType, maxConnections } = options;
  const file = join(mkdtempSync(join(tmpdir(), 'haproxy-')), 'haproxy.cfg');
  const host = EXPOSURE.api.host;
  writeFileSync(file, `
global
  maxconn ${maxConnections}
defaults
  mode tcp
  timeout connect 5s
  timeout client 1d
  timeout server 1d
frontend api
  bind ${node}:${LISTEN_PORT} ssl crt ${installation.servingFolder(keyType)}/tls.pem
  default_backend upstream
backend upstream
  server upstream ${installation.upstream} ssl verify required ca-file ${installation.cluster.caFile} sni str(${host}) verifyhost ${host}
`);
  const haproxy = imageProcess('/usr/sbin/haproxy', ['-db', '-f', file]);
  await eventually(() => listens(node));
  return { name: 'haproxy', processes: { node: haproxy }, target: targetOf(options), stop: () => haproxy.stop() };
}
