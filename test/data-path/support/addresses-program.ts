import { connect, createServer } from 'net';
import { createInterface } from 'readline';

/*
 * Tenants and their clients, in one process that runs in a network namespace. Each line of its input is a request, and is answered by
 * a line: `{ listen: <name> }` by the port of a server that answers with that name, `{ ask: <calls> }` by what each call was answered.
 */

/** A connection from an address, or from whichever the kernel takes, to another. */
interface Call {
  readonly to: string;
  readonly from?: string;
  readonly port: number;
  /** latin1 */
  readonly bytes: string;
}

/** More would only wait for each other. */
const AT_ONCE = 64;

async function listen(name: string): Promise<number> {
  const server = createServer(socket => socket.on('error', () => undefined).once('data', () => socket.end(name)));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

function call({ to, from, port, bytes }: Call): Promise<string> {
  return new Promise(resolve => {
    let answer = '';
    const socket = connect({ host: to, port, localAddress: from }, () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.on('error', () => undefined).on('data', chunk => answer += chunk).on('close', () => resolve(answer));
  });
}

async function ask(calls: Call[]): Promise<string[]> {
  const answers: string[] = [];
  let next = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let i = next++; i < calls.length; i = next++) answers[i] = await call(calls[i]);
  }));
  return answers;
}

createInterface({ input: process.stdin }).on('line', async line => {
  const request = JSON.parse(line);
  console.log(JSON.stringify(request.listen ? await listen(request.listen) : await ask(request.ask)));
});
