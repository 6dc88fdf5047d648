import { X509Certificate } from 'crypto';
import { readFileSync } from 'fs';
import { ClientHttp2Session, ClientHttp2Stream, connect } from 'http2';
import { connect as tlsConnect } from 'tls';
import { Cluster } from './support/cluster';
import { LISTEN_PORT, Proxy } from './support/proxy';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';

const WATCHES = 200;
let cluster: Cluster;
let proxy: Proxy;

/** One watch on a connection of its own, as each informer of another pod has. */
class Watch {
  public seen = '';
  public ended = false;

  constructor(private readonly session: ClientHttp2Session, stream: ClientHttp2Stream) {
    stream.setEncoding('utf8').on('data', text => this.seen += text);
    stream.on('close', () => this.ended = true);
    session.on('close', () => this.ended = true);
    session.on('error', () => this.ended = true);
  }

  public close(): void {
    this.session.destroy();
  }
}

function openWatch(ca: string, token: string): Promise<Watch> {
  return new Promise((resolve, reject) => {
    const session = connect(`https://${proxy.address}:${LISTEN_PORT}`, { ca, servername: 'kubernetes.default.svc' });
    session.on('error', reject);
    const stream = session.request({
      ':path': '/api/v1/namespaces/default/configmaps?watch=true', 'authorization': `Bearer ${token}`,
    });
    stream.on('error', reject);
    stream.on('response', headers => headers[':status'] === 200 ? resolve(new Watch(session, stream)) : reject(new Error(`HTTP ${headers[':status']}`)));
  });
}

function servedCertificate(ca: string): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ host: proxy.address, port: LISTEN_PORT, ca, servername: 'kubernetes' }, () => {
      resolve(socket.getPeerX509Certificate()!);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

beforeAll(async () => {
  cluster = await Cluster.start();
  await cluster.applyAddon();
  await cluster.kubectl(['create', 'serviceaccount', 'client', '--namespace=default']);
  await cluster.kubectl(['create', 'role', 'client', '--namespace=default', '--verb=watch', '--resource=configmaps']);
  await cluster.kubectl(['create', 'rolebinding', 'client', '--namespace=default', '--role=client', '--serviceaccount=default:client']);
  proxy = await Proxy.start(cluster, 'tcp-proxy-a', '10.77.0.2');
  await proxy.ready();
}, 120_000);

afterAll(stopParts);

test(`a certificate is rotated under ${WATCHES} open watches and none is lost`, async () => {
  const ca = readFileSync(cluster.caFile, 'utf8');
  const token = await cluster.token('default', 'client');
  const watches = await Promise.all(Array.from({ length: WATCHES }, () => openWatch(ca, token)));
  const before = await servedCertificate(ca);

  // Another kind of key, so that nothing of the old pair can be left.
  const pair = await proxy.mountCertificate('rsa');
  const rotated = new X509Certificate(pair.certificate);
  await eventually(async () => (await servedCertificate(ca)).fingerprint256 === rotated.fingerprint256, 30_000);
  expect(before.fingerprint256).not.toBe(rotated.fingerprint256);

  expect(watches.filter(watch => watch.ended)).toHaveLength(0);
  await cluster.kubectl(['create', 'configmap', 'after-rotation', '--namespace=default']);
  await eventually(() => watches.every(watch => watch.seen.includes('"after-rotation"')), 30_000);
  watches.forEach(watch => watch.close());
}, 120_000);
