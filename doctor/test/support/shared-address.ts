import { mkdtemp, rm, writeFile } from 'fs/promises';
import { tmpdir } from 'os';
import { join } from 'path';
import { HaproxyProcess } from '../../../test/data-path/support/haproxy-process';
import { keep } from '../../../test/data-path/support/parts';
import { CertificateAuthority } from '../../../test/support/certificates';
import { freePorts } from '../../../test/support/ports';

/** An ingress on HAProxy, right or wrong. */
export interface SharedAddressOptions {
  /** Port on 127.0.0.1 of each SNI host; hosts may start with `*.`. */
  readonly routes?: { [host: string]: number };
  /** Where everybody else ends, also clients without SNI. */
  readonly defaultPort?: number;
  /** Opens TLS of everybody else with a certificate of this name, and answers HTTP itself. */
  readonly ownCertificate?: string;
  /** Opens TLS of everybody with a certificate for this name, and speaks to the port by TLS again. */
  readonly reencrypt?: { readonly name: string; readonly port: number };
}

/** Starts HAProxy and returns its port. */
export async function startSharedAddress(options: SharedAddressOptions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  keep({ stop: () => rm(folder, { recursive: true }) });
  const [port, innerPort] = await freePorts(2);
  const { routes = {}, defaultPort, ownCertificate, reencrypt } = options;
  const name = ownCertificate ?? reencrypt?.name;
  if (name !== undefined) {
    const ingressCa = await CertificateAuthority.create(name, 'ecdsa');
    const pair = await ingressCa.issue({ commonName: name, sans: reencrypt ? [reencrypt.name] : ['ingress.local'], keyType: 'ecdsa' });
    await writeFile(join(folder, 'own.pem'), pair.certificate + pair.key);
  }
  const hosts = Object.entries(routes);
  const fallback = name !== undefined ? innerPort : defaultPort;
  await HaproxyProcess.start(folder, 'ingress', `
global
  stats socket unix@${folder}/haproxy.sock level admin
defaults
  mode tcp
  retries 0
  timeout connect 2s
  timeout client 1m
  timeout server 1m
frontend tls
  bind 127.0.0.1:${port}
  tcp-request inspect-delay 2s
  tcp-request content accept if { req.ssl_hello_type 1 }
${hosts.map(([host], i) => `  use_backend route-${i} if { req.ssl_sni -i ${host.startsWith('*') ? `-m end ${host.slice(1)}` : host} }`).join('\n')}
${fallback === undefined ? '' : '  default_backend fallback'}
${hosts.map(([, target], i) => `backend route-${i}\n  server s 127.0.0.1:${target}`).join('\n')}
${fallback === undefined ? '' : `backend fallback\n  server s 127.0.0.1:${fallback}`}
${ownCertificate === undefined ? '' : `frontend opened
  mode http
  bind 127.0.0.1:${innerPort} ssl crt ${folder}/own.pem alpn h2,http/1.1
  http-request return status 404 content-type text/plain string "default backend - 404"`}
${reencrypt === undefined ? '' : `frontend opened
  bind 127.0.0.1:${innerPort} ssl crt ${folder}/own.pem alpn http/1.1
  default_backend again
backend again
  server s 127.0.0.1:${reencrypt.port} ssl verify none`}
`);
  return port;
}
