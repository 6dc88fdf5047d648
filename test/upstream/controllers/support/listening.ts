import { once } from 'events';
import { connect } from 'net';
import { eventually } from '../../../data-path/support/eventually';
import { Process } from '../../../e2e/support/process';

/** Waits until a program takes connections; rejects with what it said when it ends before, or does not in time. */
export async function listening(program: Process, port: number, host = '127.0.0.1'): Promise<void> {
  const listens = eventually(async () => {
    if (!program.alive) return false;
    const socket = connect({ port, host });
    try {
      await once(socket, 'connect');
    } finally {
      socket.destroy();
    }
    return true;
  }, 60_000);
  const ended = program.exited.then(() => { throw new Error('it has ended'); });
  await Promise.race([listens, ended]).catch(error => { throw new Error(`port ${port}: ${error.message}\n${program.output.slice(-4_000)}`); });
}
