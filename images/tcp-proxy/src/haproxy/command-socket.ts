import { createConnection } from 'net';

/**
 * Sends one command to an HAProxy command-line socket and returns the whole answer.
 * Every command has a connection of its own, whose sending half is closed at once: the master socket waits for that.
 *
 * @param timeoutMs how long the answer may take
 * @throws Error when the socket is missing, refuses, or does not answer in time
 */
export function sendCommand(socketPath: string, command: string, timeoutMs = 5_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath);
    const chunks: Buffer[] = [];
    const fail = (error: Error) => {
      clearTimeout(deadline);
      socket.destroy();
      reject(new Error(`${socketPath}: ${error.message}`));
    };
    const deadline = setTimeout(() => fail(new Error(`no answer to "${command.split('\n', 1)[0]}" within ${timeoutMs} ms`)), timeoutMs);
    socket.end(`${command}\n`);
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', fail);
    socket.on('end', () => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString());
    });
  });
}
