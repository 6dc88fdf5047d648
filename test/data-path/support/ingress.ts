import { HaproxyProcess } from './haproxy-process';
import { HaproxyConfig } from '../../../src/haproxy/config';
import { freePorts } from '../../support/ports';

/** An ingress controller that passes TLS through by SNI. */
export interface Ingress {
  readonly haproxy: HaproxyProcess;
  readonly port: number;
}

/**
 * Starts an ingress.
 *
 * @param routes where each host leads: a port on 127.0.0.1, or an address with a port
 */
export async function startIngress(folder: string, routes: { [host: string]: number | string }, port?: number): Promise<Ingress> {
  const listen = port ?? (await freePorts(1))[0];
  const config = new HaproxyConfig();
  config.section('global')
    .add('stats', 'socket', `unix@${folder}/haproxy.sock`, 'level', 'admin');
  config.section('defaults')
    .add('mode', 'tcp')
    .add('timeout', 'connect', '5s')
    .add('timeout', 'client', '1h')
    .add('timeout', 'server', '1h');
  const frontend = config.section('frontend', 'tls')
    .add('bind', `127.0.0.1:${listen}`)
    .add('tcp-request', 'inspect-delay', '5s')
    .add('tcp-request', 'content', 'accept', 'if', '{', 'req.ssl_hello_type', 1, '}');
  Object.entries(routes).forEach(([host, target], i) => {
    frontend.add('use_backend', `route-${i}`, 'if', '{', 'req.ssl_sni', '-i', host, '}');
    config.section('backend', `route-${i}`).add('server', 'api', typeof target === 'string' ? target : `127.0.0.1:${target}`);
  });
  return { haproxy: await HaproxyProcess.start(folder, 'ingress', config.render()), port: listen };
}
