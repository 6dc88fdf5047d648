import { readFileSync } from 'fs';
import { Agent, request } from 'https';
import { createInterface } from 'readline';
import { Cluster } from '../../test/e2e/support/cluster';

/** One event of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: { readonly metadata: { readonly uid: string } };
  /** When it arrived, by `performance.now()`. */
  readonly at: number;
}

/** The administrator at the API server, without the start of a kubectl in what is measured. */
export class ApiClient {
  private readonly agent: Agent;
  private readonly server: string;

  constructor(cluster: Cluster) {
    const [{ cluster: { server } }] = JSON.parse(readFileSync(cluster.file('admin.conf'), 'utf8')).clusters;
    this.server = server;
    this.agent = new Agent({
      keepAlive: true,
      ca: cluster.ca.certificate,
      cert: readFileSync(cluster.file('admin.crt')),
      key: readFileSync(cluster.file('admin.key')),
    });
  }

  /** Sends a request and gives the object of the answer; rejects unless it succeeds. */
  public async send(method: string, path: string, body?: object, contentType = 'application/json'): Promise<any> {
    const response = await this.open(method, path, body, contentType);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
    }
    if (response.statusCode! >= 300) {
      throw new Error(`${method} ${path}: ${text}`);
    }
    return JSON.parse(text);
  }

  /** Calls back with every event until the returned function is called. */
  public async watch(path: string, onEvent: (event: WatchEvent) => void): Promise<() => void> {
    const response = await this.open('GET', `${path}${path.includes('?') ? '&' : '?'}watch=true`);
    createInterface({ input: response }).on('line', line => onEvent({ ...JSON.parse(line), at: performance.now() })).on('error', () => undefined);
    return () => response.destroy();
  }

  public close(): void {
    this.agent.destroy();
  }

  private open(method: string, path: string, body?: object, contentType?: string): Promise<import('http').IncomingMessage> {
    return new Promise((resolve, reject) => {
      request(`${this.server}${path}`, { method, agent: this.agent, headers: body && { 'content-type': contentType } }, resolve)
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
  }
}
