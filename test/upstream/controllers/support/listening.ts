import { once } from 'events';
import { connect } from 'net';
import { eventually } from '../../../data-path/support/eventually';
import { Process } from '../../../e2e/support/process';

/** Waits until a program takes connections; rejects with what it said when it ends before. */
export async function listening(program: Process, port: number, host = '127.0.0.1'): Promise<void> {
  await eventually(async () => {
    if (!program.alive) return new Error(`ended:\n${program.output.slice(-4_000)}`);
    const socket = connect({ port, host });
    try {
      await once(socket, 'connect');
    } finally {
      socket.destroy();
    }
    return true;
  }, 60_000).then(result => {
    if (result instanceof Error) throw result;
  });
}
