import { EventEmitter } from 'events';
import * as net from 'net';
import { basename } from 'path';
import { SOCKETS } from '../../../../../src/agent/contract/paths';
import { systemError } from '../simulated-files';
import type { SimulatedProcess } from '../simulated-process';

const ANSWER_MS = 1;

/** The end of a connection to a Unix socket of HAProxy. */
class CommandConnection extends EventEmitter {
  private destroyed = false;

  constructor(private readonly process: SimulatedProcess, private readonly path: string) {
    super();
  }

  public end(text: string): void {
    const { process, path } = this;
    const command = text.trimEnd();
    const fault = process.faultOf('socket', `${basename(path)} ${nameOf(command)}`);
    if (fault === 'hangs') return;
    process.later(ANSWER_MS, () => {
      const { haproxy } = process.container;
      if (fault === 'fails' || !haproxy?.running) {
        this.tell('error', systemError('ECONNREFUSED', 'connect', path));
        return;
      }
      const execute = () => path.endsWith(SOCKETS.master) ? haproxy.master(command) : haproxy.runtime(command);
      let answer = execute();
      if (fault === 'twice') answer = execute();
      if (answer === undefined) return;
      process.later(ANSWER_MS, () => {
        if (!haproxy.running) {
          this.tell('error', systemError('ECONNRESET', 'read', path));
          return;
        }
        const sent = fault === 'garbled' ? garbled(answer) : answer;
        if (sent !== '') this.tell('data', Buffer.from(sent));
        this.tell('end');
      });
    });
  }

  public destroy(): void {
    this.destroyed = true;
  }

  private tell(event: string, value?: unknown): void {
    if (!this.destroyed) this.emit(event, value);
  }
}

/** Read once: much of it is made when it is asked for. */
const NET = { ...net };

/** `net`, as far as the agent uses it. */
export function netModule(process: SimulatedProcess): unknown {
  return { ...NET, createConnection: (path: string) => new CommandConnection(process, path) };
}

/** `tls`, whose one use is to find out why a check fails: nobody answers there. */
export function tlsModule(process: SimulatedProcess): unknown {
  return {
    connect: () => {
      const socket = Object.assign(new EventEmitter(), { destroy: () => undefined });
      const fault = process.faultOf('socket', 'handshake with the upstream', ['fails', 'hangs']);
      const code = fault === 'fails' ? 'ECONNRESET' : 'ECONNREFUSED';
      if (fault !== 'hangs') process.later(ANSWER_MS, () => socket.emit('error', systemError(code, 'connect')));
      return socket;
    },
  };
}

/** A command without what differs from run to run. */
function nameOf(command: string): string {
  return command.split(/[;\n]/, 1)[0].replace(/@\d+ ?/, '').replace(/ <<$/, '').split(' ').slice(0, 4).join(' ').replace(/0x[0-9a-f]+/, '<id>');
}

/** Half of the answer, and something else. */
function garbled(answer: string): string {
  return `${answer.slice(0, Math.floor(answer.length / 2))}\u0000\ufffd%`;
}
