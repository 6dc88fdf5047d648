import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, Server } from 'node:https';
import { AddressInfo, createServer as createTcpServer, Server as TcpServer, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { kubernetesEndpoints } from '../../../../src/agent/contract/kubernetes-endpoints';
import { ServingCertificate } from '../support/fake-api/certificates';

const MEBIBYTE = 2 ** 20;
const INVENTORY_PATH = '/api/v1/namespaces/kube-system/configmaps/tenant-sync-inventory';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** How an API server treats a client that it wants to harm. */
export interface Hostility {
  readonly name: string;
  /** What the status of its tenant says of it; undefined when it does no harm, so that the tenant is synced. */
  readonly says?: string;
  /** Instead of TLS. */
  readonly connection?: (socket: Socket) => void;
  readonly answer?: Answer;
}

/** An API server whose answers change at any time. */
export class HostileServer {
  hostility?: Hostility;
  /** Of any kind. */
  contacts = 0;
  private readonly https: Server;
  private readonly tcp: TcpServer;
  private readonly sockets = new Set<Socket>();

  constructor(certificate: ServingCertificate) {
    this.https = createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => {
      response.on('error', () => undefined);
      (this.hostility?.answer ?? honest)(request, response);
    });
    this.tcp = createTcpServer((socket) => {
      this.contacts++;
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      if (this.hostility?.connection) this.hostility.connection(socket);
      else this.https.emit('connection', socket);
    });
  }

  async start(): Promise<string> {
    this.tcp.listen(0, '127.0.0.1');
    await once(this.tcp, 'listening');
    return `https://localhost:${(this.tcp.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.tcp.close();
    this.sockets.forEach((socket) => socket.destroy());
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}

/** As an API server without objects answers, so that a client goes on to what is to harm it. */
function honest({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  const resources = [['configmaps', 'ConfigMap'], ['secrets', 'Secret'], ['pods', 'Pod']];
  if (url === '/api/v1') return json(response, 200, { resources: resources.map(([name, kind]) => ({ name, kind, namespaced: true })) });
  if (method !== 'GET') return json(response, 201, { metadata: { name: 'x', uid: '1', resourceVersion: '1' } });
  return json(response, 404, { reason: 'NotFound', message: 'not found' });
}

/** Answers to one kind of request in its own way, and to the others as it should. */
function only(matches: (url: string) => boolean, body: () => unknown): Answer {
  let made: Buffer | undefined;
  return (request, response) => {
    if (request.method !== 'GET' || !matches(request.url ?? '')) return honest(request, response);
    const answer = body();
    made ??= Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
    json(response, 200, made);
  };
}

const all = (body: () => unknown) => only(() => true, body);
const inventory = (text: () => string) => only((url) => url === INVENTORY_PATH, () =>
  ({ metadata: { name: 'tenant-sync-inventory', uid: '1', resourceVersion: '1' }, data: { 'inventory.json': text() } }));

/** Writes again and again, as fast as it is read or at intervals, until the connection is closed. */
function repeat(stream: Socket | ServerResponse, text: string | Buffer, intervalMs?: number): void {
  const again = intervalMs === undefined ? setImmediate : (more: () => void) => setTimeout(more, intervalMs);
  const more = () => stream.destroyed || stream.write(text, (error) => error || again(more));
  more();
}

function raw(begin: string, then: string, intervalMs?: number): Answer {
  return ({ socket }) => void socket.write(begin, () => repeat(socket, then, intervalMs));
}

const STRANGERS = inventory(() => JSON.stringify({
  version: 1, objects: Array.from({ length: 3_000 }, (_, i) => ({ apiVersion: 'v1', kind: `K${i}`, name: 'x', pods: 'app=x' })),
}));
const ENDLESS_LIST = only((url) => url.includes('/pods?'), () => ({ metadata: { continue: 'x'.repeat(10_000) }, items: [] }));

/** Objects that were never there, each of a kind of its own. */
function strangers(request: IncomingMessage, response: ServerResponse): void {
  (request.url === INVENTORY_PATH ? STRANGERS : ENDLESS_LIST)(request, response);
}

export const HOSTILITIES: readonly Hostility[] = [
  { name: 'megabytes of arrays in each other', says: 'longer than 1024000 bytes', answer: all(() => '['.repeat(4 * MEBIBYTE - 1024)) },
  { name: 'arrays in each other', says: 'nested deeper than 128', answer: all(() => '['.repeat(1_000_000)) },
  { name: 'hundreds of thousands of small objects', says: 'more than 20000 parts', answer: all(() => `[${'{},'.repeat(330_000)}{}]`) },
  {
    name: 'tens of thousands of shapes',
    says: 'more than 20000 parts',
    answer: all(() => `[${Array.from({ length: 80_000 }, (_, i) => `{"a${i.toString(36)}":0}`).join()}]`),
  },
  { name: 'a body that never ends', says: 'longer than', answer: (_, response) => repeat(response, Buffer.alloc(65_536, ' ')) },
  { name: 'a body byte by byte', says: 'no complete answer', answer: (_, response) => repeat(response, ' ', 50) },
  { name: 'a connection on which nothing is said', says: 'from the API server for', connection: () => undefined },
  {
    name: 'a handshake that never ends',
    says: 'no complete answer',
    connection: (socket) => socket.write(Buffer.from('1603034000', 'hex'), () => repeat(socket, '\0', 50)),
  },
  {
    name: 'informational answers without end',
    says: 'nothing but informational answers',
    answer: raw('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100)),
  },
  {
    name: 'another protocol',
    says: 'without an answer',
    answer: ({ socket }) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  },
  { name: 'headers without end', says: 'Header overflow', answer: raw('HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(60)}\r\n`) },
  { name: 'a compressed body that nobody asked for', says: 'not JSON', answer: compressed(100 * MEBIBYTE) },
  { name: 'redirects in a circle', says: 'HTTP 308', answer: ({ url }, response) => void response.writeHead(308, { location: url }).end() },
  {
    name: 'a refusal for a year with a message of megabytes',
    says: 'HTTP 429',
    answer: (_, response) => void response.writeHead(429, { 'retry-after': '31536000' }).end(JSON.stringify({ message: '\u001b[2J\u202e'.repeat(500_000) })),
  },
  { name: 'discovery of a hundred thousand resources', says: 'longer than 524288 bytes', answer: discovery(100_000) },
  { name: 'discovery of five thousand resources', says: 'more than 20000 parts', answer: discovery(5_000) },
  { name: 'an inventory of arrays in each other', says: 'nested deeper than 4', answer: inventory(() => '['.repeat(500_000)) },
  {
    name: 'an inventory of thousands of faults',
    says: 'inventory.json objects.0.apiVersion',
    answer: inventory(() => `{"version":1,"objects":[${Array.from({ length: 9_000 }, () => '{"a":1}').join()}]}`),
  },
  { name: 'an inventory of thousands of strangers with lists that never end', answer: strangers },
  {
    name: 'a bundle of certificates that begin and never end',
    answer: only((url) => url.includes('/configmaps/tcp-proxy-ca') || url.includes('/kube-root-ca.crt'), () =>
      ({ metadata: { name: 'x' }, data: { 'ca.crt': '-----BEGIN CERTIFICATE-----\n'.repeat(17_000) } })),
  },
  { name: 'a text for an object', says: 'is no object', answer: all(() => '"text"') },
  { name: 'null for an object', says: 'is no object', answer: all(() => 'null') },
  {
    name: 'keys of prototypes',
    says: 'inventory.json is missing',
    answer: all(() => '{"__proto__":{"metadata":{}},"metadata":{"constructor":{},"annotations":{"__proto__":null}},"data":{"__proto__":"x"}}'),
  },
];

/** What is worse for who keeps the endpoints of `default/kubernetes`. */
export const HOSTILITIES_OF_ENDPOINTS: readonly Hostility[] = [
  { name: 'watches that always have something to say', answer: endpoints((response) => repeat(response, Buffer.alloc(65_536, '{"type":"MODIFIED"}\n'))) },
  { name: 'watches that end at once', answer: endpoints((response) => void response.writeHead(200).end()) },
  { name: 'watches that are refused', answer: endpoints((response) => json(response, 410, { code: 410, reason: 'Expired' })) },
  {
    name: 'slices of thousands of strangers',
    answer: only((url) => /\/endpoint(s|slices)\?/.test(url), () => ({
      metadata: { resourceVersion: '1' },
      items: Array.from({ length: 2_000 }, (_, i) => ({ metadata: { name: `../${i}`, labels: { 'kubernetes.io/service-name': 'kubernetes' } }, addressType: 'IPv4' })),
    })),
  },
  { name: 'lists of nothing that is an object', answer: only((url) => /\/endpoint(s|slices)\?/.test(url), () => ({ items: [null, 'x', 1] })) },
];

/** Endpoints that are as they should be, and watches that are not. */
function endpoints(watch: (response: ServerResponse) => void): Answer {
  const { endpoints: legacy, slices } = kubernetesEndpoints(['203.0.113.10'], 20001, 'IPv4');
  return (request, response) => {
    const [, kind] = /\/(endpoints|endpointslices)\?/.exec(request.url ?? '') ?? [];
    if (kind === undefined) return honest(request, response);
    if (/watch=true/.test(request.url!)) return watch(response);
    json(response, 200, { metadata: { resourceVersion: '1' }, items: kind === 'endpoints' ? [legacy] : slices });
  };
}

function discovery(count: number): Answer {
  return only((url) => url === '/api/v1', () =>
    ({ resources: Array.from({ length: count }, (_, i) => ({ name: `r${i}`, kind: `K${i}`, namespaced: true })) }));
}

function compressed(bytes: number): Answer {
  const bomb = gzipSync(Buffer.alloc(bytes, '['));
  return (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
}
