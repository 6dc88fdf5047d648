import { once } from 'events';
import { IncomingMessage } from 'http';
import { request } from 'https';
import { PeerCertificate, TLSSocket } from 'tls';

/** A connection of its own to the proxy, as a pod makes one; every call of `get` is one request on a new connection. */
export class Client {
  constructor(private readonly port: number, private readonly ca: string) {}

  public async get(): Promise<{ body: string; certificate: PeerCertificate }> {
    const response = await this.open('/');
    const certificate = (response.socket as TLSSocket).getPeerCertificate();
    let body = '';
    for await (const chunk of response) body += chunk;
    return { body, certificate };
  }

  /** Opens a stream that stays open until the upstream ends it. */
  public async stream(): Promise<Stream> {
    const stream = new Stream(await this.open('/stream'));
    await stream.waitFor('first event');
    return stream;
  }

  private async open(path: string): Promise<IncomingMessage> {
    const call = request({ host: '127.0.0.1', port: this.port, path, servername: 'kubernetes', ca: this.ca, agent: false });
    call.end();
    const [response] = await once(call, 'response') as [IncomingMessage];
    call.on('error', () => undefined); // the stream reports what happens from here on
    return response;
  }
}

export class Stream {
  public readonly ended: Promise<'ended' | 'cut'>;
  private text = '';

  constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', chunk => {
      this.text += chunk;
    });
    this.ended = new Promise(resolve => {
      response.on('end', () => resolve('ended'));
      response.on('error', () => resolve('cut'));
    });
  }

  public async waitFor(text: string): Promise<void> {
    while (!this.text.includes(text)) await once(this.response, 'data');
  }

  public close(): void {
    this.response.destroy();
  }
}
