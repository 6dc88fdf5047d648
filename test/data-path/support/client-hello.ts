import { connect as connectTcp, Socket } from 'net';
import { Duplex } from 'stream';
import { connect, ConnectionOptions } from 'tls';
import { keep } from './parts';

/** The ClientHello that Node.js sends, as TLS records. */
export function clientHello(options: ConnectionOptions = {}): Promise<Buffer> {
  return new Promise(resolve => {
    const transport = new Duplex({
      read: () => undefined,
      write(chunk: Buffer) {
        resolve(chunk);
        // Never calls back: nothing more is wanted.
      },
    });
    connect({ socket: transport, servername: 'kubernetes', ...options }).on('error', () => undefined);
  });
}

/**
 * A transport for a TLS client that sends what the client sends first, its ClientHello, in pieces of its own packets.
 *
 * @param split the pieces of the ClientHello
 */
export function splittingTransport(port: number, split: (hello: Buffer) => Buffer[]): Duplex {
  const socket = connectTcp({ port, host: '127.0.0.1', noDelay: true });
  keep({ stop: () => void socket.destroy() });
  let first = true;
  const transport = new Duplex({
    read: () => void socket.resume(),
    write(chunk: Buffer, _, done) {
      const pieces = first ? split(chunk) : [chunk];
      first = false;
      void sendEach(socket, pieces).then(() => done(), done);
    },
    final: done => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', chunk => {
    if (!transport.push(chunk)) {
      socket.pause();
    }
  }).on('end', () => transport.push(null)).on('error', error => transport.destroy(error));
  return transport;
}

/** Puts one TLS message that spans one record into two (RFC 8446, section 5.1). */
export function intoTwoRecords(record: Buffer, boundary: number): Buffer {
  const [head, message] = [record.subarray(0, 3), record.subarray(5)];
  return Buffer.concat([message.subarray(0, boundary), message.subarray(boundary)].map(fragment => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(fragment.length);
    return Buffer.concat([head, length, fragment]);
  }));
}

async function sendEach(socket: Socket, pieces: Buffer[]): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve, reject) => socket.write(piece, error => error ? reject(error) : resolve()));
    // The next turn: without Nagle's algorithm each piece is a packet.
    await new Promise(resolve => setImmediate(resolve));
  }
}
