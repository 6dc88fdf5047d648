import { EventEmitter } from 'events';
import { Readable } from 'stream';
import { HealthServer } from './health-server';
import { systemError } from '../simulated-files';
import type { SimulatedProcess } from '../simulated-process';

const ANSWER_MS = 1;

/** `http`, as far as the agent uses it: HAProxy's health socket, and the health server. */
export function httpModule(process: SimulatedProcess): unknown {
  return {
    createServer: (_options: unknown, handler: (request: unknown, response: unknown) => void) => new HealthServer(process, handler),
    request: ({ path, socketPath, timeout }: { path: string; socketPath: string; timeout: number }, respond: (response: unknown) => void) => {
      let over = false;
      const tell = (run: () => void) => {
        if (!over) run();
      };
      const call = Object.assign(new EventEmitter(), {
        destroy: (error: Error) => {
          over = true;
          process.later(0, () => call.emit('error', error));
        },
        end: () => {
          const fault = process.faultOf('socket', `health ${path}`, ['fails', 'hangs', 'garbled']);
          const timer = process.later(timeout, () => tell(() => call.emit('timeout')));
          if (fault === 'hangs') return;
          process.later(ANSWER_MS, () => tell(() => {
            const { haproxy } = process.container;
            const answer = haproxy?.running && fault !== 'fails' ? haproxy.health(path) : undefined;
            timer.cancelled = true;
            if (!answer) return call.emit('error', systemError('ECONNREFUSED', 'connect', socketPath));
            const body = fault === 'garbled' ? '\u0000\ufffd' : answer.body;
            const response = Object.assign(Readable.from([Buffer.from(body)]), { statusCode: fault === 'garbled' ? 500 : answer.status });
            return respond(response);
          }));
        },
      });
      return call;
    },
  };
}
