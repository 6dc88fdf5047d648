import { once } from 'events';
import { connect as connectTcp, Socket } from 'net';
import { connect, ConnectionOptions, TLSSocket, TlsOptions } from 'tls';
import { API_HOST, authority, startTcpProxy, TcpProxy, temporaryFolder } from './chain';
import { eventually } from './eventually';
import { startIngress } from './ingress';
import { keep } from './parts';
import { TlsServer } from './tls-server';

/** A client's way to a server that speaks nothing but TLS, and whose ends stay open when the other side ends. */
export interface StreamPath {
  readonly proxy: TcpProxy;
  readonly server: TlsServer;
  /** Opens a stream. */
  open(): Promise<Stream>;
}

/** Both ends of an open stream. */
export interface Stream {
  readonly client: TLSSocket;
  /** The TCP connection under the client. */
  readonly tcp: Socket;
  readonly server: TLSSocket;
}

/** Starts proxy, ingress and server. */
export async function startStreamPath(mode: 'tls' | 'tcp', replace?: { [text: string]: string }): Promise<StreamPath> {
  const ca = await authority();
  const pair = await ca.issue({ commonName: 'kube-apiserver', sans: [API_HOST], keyType: 'ecdsa' });
  const byGreeting = new Map<string, TLSSocket>();
  const server = await TlsServer.start({ cert: pair.certificate, key: pair.key, allowHalfOpen: true } as TlsOptions, socket => {
    socket.once('readable', () => byGreeting.set(String(socket.read()), socket));
  });
  const ingress = await startIngress(await temporaryFolder(), { [API_HOST]: server.port });
  const proxy = await startTcpProxy({ ca, upstream: { port: ingress.port, mode }, replace });
  let greetings = 0;

  const open = async (): Promise<Stream> => {
    const tcp = connectTcp({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
    const options = { socket: tcp, servername: API_HOST, ca: ca.certificate, checkServerIdentity: () => undefined, allowHalfOpen: true };
    const client = connect(options as ConnectionOptions);
    keep({ stop: () => void client.destroy() });
    client.on('error', () => undefined);
    await once(client, 'secureConnect');
    const greeting = `stream ${greetings++}`;
    client.write(greeting);
    return { client, tcp, server: await eventually(() => byGreeting.get(greeting)) };
  };
  return { proxy, server, open };
}

/** Opens one stream on a path of its own. */
export async function openStream(mode: 'tls' | 'tcp'): Promise<Stream> {
  return (await startStreamPath(mode)).open();
}

/** Reads to the end and leaves the other direction open. */
export async function allOf(socket: TLSSocket): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
  }
  return text;
}
