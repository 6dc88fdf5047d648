import { once } from 'events';
import { AddressInfo, createServer, ServerOpts, Socket } from 'net';
import { keep } from '../../../test/data-path/support/parts';

/** A TCP server on loopback that does something with each connection; its port. */
export async function startTcp(serve: (socket: Socket) => void, options: ServerOpts = {}): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer(options, socket => {
    sockets.add(socket.on('error', () => undefined));
    serve(socket);
  }).listen(0, '127.0.0.1');
  keep({
    stop: () => {
      sockets.forEach(socket => socket.destroy());
      server.close();
    },
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
