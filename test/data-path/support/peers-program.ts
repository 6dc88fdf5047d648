import { createInterface } from 'readline';
import { connect, createServer, TLSSocket } from 'tls';

/*
 * A client and an upstream of a proxy, in one process that runs in a network namespace. It prints `open`, then `closed client`
 * or `closed upstream` when that side sees the end. A line `client` or `upstream` on its input has that side send something.
 */
const { cert, key, ca, serverName, proxyPort, upstreamPort, upstreamAddress, clientAddress } = JSON.parse(process.argv[2]);
const sides: { [side: string]: TLSSocket } = {};

function add(side: string, socket: TLSSocket): void {
  sides[side] = socket;
  socket.on('error', () => undefined).on('close', () => console.log(`closed ${side}`)).resume();
}

createServer({ cert, key }, socket => {
  // Health checks of the proxy say something else.
  socket.once('data', bytes => {
    if (String(bytes) !== 'hello') {
      socket.on('error', () => undefined).end();
      return;
    }
    add('upstream', socket);
    console.log('open');
  });
}).on('tlsClientError', () => undefined).listen(upstreamPort, upstreamAddress, () => {
  const client = connect({
    port: proxyPort, host: '127.0.0.1', localAddress: clientAddress, ca, servername: serverName, checkServerIdentity: () => undefined,
  } as object, () => client.write('hello'));
  add('client', client);
});

createInterface({ input: process.stdin }).on('line', side => sides[side].write('pending'));
