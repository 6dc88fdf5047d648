import { EventEmitter } from 'events';
import { systemError } from '../simulated-files';
import type { SimulatedProcess } from '../simulated-process';

/** What a process listens with. */
export type HealthServers = HealthServer[];

type Handler = (request: unknown, response: unknown) => void;

/** The server of `http`, asked without a connection. */
export class HealthServer extends EventEmitter {
  private listening = false;

  constructor(private readonly process: SimulatedProcess, private readonly handler: Handler) {
    super();
  }

  public listen({ host }: { readonly host: string }): void {
    const { process } = this;
    const fault = process.faultOf('socket', 'listen for probes', ['fails']);
    process.later(0, () => {
      if (fault === 'fails') return void this.emit('error', systemError('EADDRINUSE', 'listen'));
      if (host === '::' && process.container.hasIpv6 === false) return void this.emit('error', systemError('EAFNOSUPPORT', 'listen'));
      process.health.push(this);
      this.listening = true;
      this.emit('listening');
    });
  }

  public address(): { port: number } {
    return { port: 8404 };
  }

  public close(): void {
    this.listening = false;
  }

  public closeAllConnections(): void {}

  /** What a kubelet or Prometheus does. @returns undefined where nobody answers */
  public ask(path: string, answered: (status: number, body: string) => void): void {
    if (!this.listening || !this.process.alive) return;
    const socket = Object.assign(new EventEmitter(), { remoteAddress: '10.0.0.1', resetAndDestroy: () => socket.emit('close') });
    this.emit('connection', socket);
    let code = 200;
    const response = {
      headersSent: false,
      setHeader: () => undefined,
      writeHead(status: number) {
        code = status;
        return response;
      },
      end: (body: string | Buffer) => {
        socket.emit('close');
        this.process.around.said(this.process, String(body));
        answered(code, String(body));
      },
    };
    this.handler({ url: path, socket }, response);
  }
}
