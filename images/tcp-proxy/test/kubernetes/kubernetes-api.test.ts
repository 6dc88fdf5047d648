import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, Server } from 'node:https';
import { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SharedBudget } from '../../src/kubernetes/answer';
import { mountedCredentials } from '../../src/kubernetes/credentials';
import { ApiError, KubernetesApi, KubernetesApiOptions } from '../../src/kubernetes/kubernetes-api';
import { issueCertificate } from '../support/fake-api/certificates';

const certificate = issueCertificate('localhost', '127.0.0.1');
const stopping = new AbortController();
let dir: string;
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let options: KubernetesApiOptions;
let api: KubernetesApi;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'kubernetes-api-'));
  const [caFile, tokenFile] = [join(dir, 'ca.crt'), join(dir, 'token')];
  writeFileSync(caFile, certificate.ca);
  writeFileSync(tokenFile, 'token');
  server = createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  options = { apiServer: `https://localhost:${port}`, credentials: mountedCredentials({ caFile, tokenFile }), watchSilenceMs: 1_000 };
  api = new KubernetesApi(options, stopping.signal);
});

afterAll(async () => {
  stopping.abort();
  api.close();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  rmSync(dir, { recursive: true });
});

/** Watches, and collects the types of the events. */
async function watch(): Promise<string[]> {
  const types: string[] = [];
  await api.watch('/watch', { query: {}, onOpen: () => types.push('open'), onEvent: ({ type }) => types.push(type) });
  return types;
}

test('a watch on which nothing arrives any more ends with an error, on a new connection and on one that was used before', async () => {
  for (let i = 0; i < 2; i++) {
    answer = (_, response) => response.writeHead(200).write('{"type":"BOOKMARK","object":{}}\n');
    await expect(watch()).rejects.toThrow('nothing from the API server for 1 s');
    answer = (_, response) => response.end('{}');
    await api.call('GET', '/');
  }
});

test('an event may arrive in pieces, and several at once', async () => {
  const lines = '{"type":"ADDED","object":{"n":"é€😀"}}\n{"type":"DELETED","object":{}}\n';
  answer = (_, response) => {
    const bytes = Buffer.from(lines);
    const sendFrom = (at: number): void => {
      if (at === bytes.length) response.end();
      else response.write(bytes.subarray(at, at + 1), () => sendFrom(at + 1));
    };
    sendFrom(0);
  };
  expect(await watch()).toEqual(['open', 'ADDED', 'DELETED']);
});

test('a connection that breaks within a watch is an error, not its end', async () => {
  answer = (_, response) => {
    response.write('{"type":"ADDED","object":{}}\n', () => response.destroy());
  };
  await expect(watch()).rejects.toThrow();
});

test('an error carries what the API server said', async () => {
  answer = (_, response) => response.writeHead(409).end(JSON.stringify({ kind: 'Status', reason: 'Conflict', message: 'has been modified' }));
  await expect(api.call('PUT', '/', { body: {} })).rejects.toEqual(new ApiError(409, 'Conflict', 'has been modified'));
});

test('the page of a proxy on the way is an error too', async () => {
  answer = (_, response) => response.writeHead(503).end('<html>no backend</html>');
  await expect(api.call('GET', '/')).rejects.toEqual(new ApiError(503, '', 'HTTP 503'));
});

test('a body arrives whole, and the token without the line end of its file', async () => {
  answer = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => body += chunk).on('end', () =>
      response.end(JSON.stringify({ body: JSON.parse(body), token: request.headers.authorization, path: request.url })));
  };
  writeFileSync(join(dir, 'token'), 'token-2\n');
  expect(await api.call('POST', '/x', { query: { a: 'b=c', d: undefined, e: 1 }, body: { name: 'é€😀' } }))
    .toEqual({ body: { name: 'é€😀' }, token: 'Bearer token-2', path: '/x?a=b%3Dc&e=1' });
});

test('an API server may be given by address, which its certificate must carry', async () => {
  answer = (_, response) => response.end('{}');
  const byAddress = new KubernetesApi({ ...options, apiServer: options.apiServer.replace('localhost', '127.0.0.1') }, stopping.signal);
  expect(await byAddress.call('GET', '/')).toEqual({});
  byAddress.close();
  const otherAddress = new KubernetesApi({ ...options, apiServer: options.apiServer.replace('localhost', '127.0.0.2') }, stopping.signal);
  await expect(otherAddress.call('GET', '/')).rejects.toThrow('not in the cert');
  otherAddress.close();
});

test('an answer that comes byte by byte is given up as a whole', async () => {
  answer = (_, response) => {
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  };
  await expect(api.call('GET', '/', { timeoutMs: 200 })).rejects.toThrow('no complete answer from the API server for 0.2 s');
});

test('an answer is not read beyond its limit', async () => {
  answer = (_, response) => response.end(JSON.stringify('x'.repeat(100)));
  const bounded = new KubernetesApi({ ...options, largestAnswer: { bytes: 50, depth: 5, nodes: 5 } }, stopping.signal);
  await expect(bounded.call('GET', '/')).rejects.toThrow('longer than 50 bytes');
  bounded.close();
});

test('an answer that announces more than its limit is not read at all', async () => {
  let written = 0;
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': 2 ** 30 });
    const more = () => response.write('x'.repeat(2 ** 16), (error) => {
      written += 2 ** 16;
      if (!error) setImmediate(more);
    });
    more();
  };
  await expect(api.call('GET', '/')).rejects.toThrow('longer than');
  await expect(api.send('DELETE', '/')).rejects.toThrow('longer than');
  expect(written).toBeLessThan(2 ** 26);
});

test.each([
  ['deeper', '[[[[]]]]', 'is nested deeper than 3'],
  ['of more parts', '[0,1,2,3,4,5,6,7,8,9]', 'has more than 8 parts'],
  ['no JSON', '<html>', 'is not JSON'],
  ['compressed, although nobody asked for that', gzipSync('{}'), 'is not JSON'],
])('an answer that is %s is refused, with whose it was', async (_, body, reason) => {
  answer = (request, response) => {
    expect(request.headers['accept-encoding']).toBeUndefined();
    response.writeHead(200, { 'content-encoding': typeof body === 'string' ? 'identity' : 'gzip' }).end(body);
  };
  const bounded = new KubernetesApi({ ...options, largestAnswer: { bytes: 50, depth: 3, nodes: 8 } }, stopping.signal);
  await expect(bounded.call('GET', '/')).rejects.toThrow(`the answer of the API server ${reason}`);
  bounded.close();
});

test('a request may be made for its effect alone, whatever is in the answer; the connection is used again', async () => {
  const ports = new Set<unknown>();
  const single = new KubernetesApi({ ...options, connections: 1 }, stopping.signal);
  answer = (request, response) => {
    ports.add(request.socket.remotePort);
    response.end('['.repeat(1_000_000));
  };
  await single.send('DELETE', '/');
  await single.send('DELETE', '/');
  expect(ports.size).toBe(1);
  await expect(single.send('DELETE', '/', { largestAnswer: { bytes: 999_999, depth: 0, nodes: 0 } })).rejects.toThrow('longer than 999999 bytes');
  answer = (_, response) => response.writeHead(403).end('{"reason":"Forbidden","message":"no"}');
  await expect(single.send('DELETE', '/')).rejects.toEqual(new ApiError(403, 'Forbidden', 'no'));
  single.close();
});

test.each([
  ['is larger than one ever is', '[1'.repeat(1_000_000)],
  ['is made of many parts', `{"message":"x","reason":"y","details":[${'0,'.repeat(50_000)}0]}`],
  ['has other types', '{"message":{"toString":1},"reason":[]}'],
  ['is null', 'null'],
])('a refusal whose reason %s is a refusal', async (_, body) => {
  answer = (_request, response) => response.writeHead(429, { 'retry-after': '31536000' }).end(body);
  await expect(api.call('GET', '/')).rejects.toEqual(new ApiError(429, '', 'HTTP 429'));
});

test.each([
  ['informational answers without end', (socket: Socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'), 'nothing but informational answers'],
  ['headers without end', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\n', () => repeat(socket, `x: ${'y'.repeat(1_000)}\r\n`)), 'Header overflow'],
  ['a header byte by byte', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nx: ', () => repeat(socket, 'y', 20)), 'no complete answer'],
  ['another protocol', (socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'), 'without an answer'],
  ['chunks of impossible length', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n'), ''],
  ['a length and chunks', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'), 'Parse Error'],
  ['trailers without end', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n',
    () => repeat(socket, `x: ${'y'.repeat(1_000)}\r\n`)), ''],
])('%s are no answer', async (_, send, reason) => {
  answer = (request) => void send(request.socket);
  const impatient = new KubernetesApi({ ...options, requestTimeoutMs: 500 }, stopping.signal);
  await expect(impatient.call('GET', '/')).rejects.toThrow(reason);
  impatient.close();
});

/** Writes a text again and again, as fast as it is read or at intervals, until the connection is closed. */
function repeat(socket: Socket, text: string, intervalMs = 0): void {
  const more = () => socket.write(text, (error) => error || socket.destroyed || setTimeout(more, intervalMs));
  socket.on('error', () => undefined);
  more();
}

test('long answers of many API servers are not in memory together, and their room is free again afterwards', async () => {
  const budget = new SharedBudget(300_000);
  const many = new KubernetesApi({ ...options, budget }, stopping.signal);
  const long = JSON.stringify('x'.repeat(200_000));
  const held: (() => void)[] = [];
  answer = (_, response) => response.write(long.slice(0, -1), () => held.push(() => response.end('"')));
  const calls = [1, 2, 3].map(async () => many.call('GET', '/'));
  // None of them is finished yet, so what ends is refused.
  await expect(Promise.race(calls)).rejects.toThrow('too many long answers of API servers at once');
  held.forEach((finish) => finish());
  await Promise.allSettled(calls);
  answer = (_, response) => response.end(long);
  expect(await many.call('GET', '/')).toHaveLength(200_000);
  many.close();
});

test.each([
  ['TLS 1.2', { ciphers: 'DHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2', dhparam: 'auto' }],
  ['TLS 1.3', { ecdhCurve: 'ffdhe8192' }],
] as const)('a key exchange by which a server has its clients compute for long is refused in %s', async (_, tls) => {
  // The old suites for it need an RSA key.
  const rsa = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...rsa, '-keyout', 'rsa.key', '-out', 'rsa.crt'], { cwd: dir, stdio: 'pipe' });
  const [key, cert] = ['rsa.key', 'rsa.crt'].map((file) => readFileSync(join(dir, file)));
  const costly = createServer({ cert, key, ...tls }, (__, response) => response.end('{}'));
  await new Promise<void>((resolve) => costly.listen(0, '127.0.0.1', resolve));
  const apiServer = `https://localhost:${(costly.address() as AddressInfo).port}`;
  const client = new KubernetesApi({ ...options, apiServer, credentials: async () => ({ ca: cert }) }, stopping.signal);
  await expect(client.call('GET', '/')).rejects.toThrow('handshake failure');
  client.close();
  costly.close();
});

test('a redirect is an error: nobody else gets the token', async () => {
  const paths: unknown[] = [];
  answer = (request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  };
  await expect(api.call('GET', '/')).rejects.toEqual(new ApiError(307, '', 'HTTP 307'));
  expect(paths).toEqual(['/']);
});

test('an apply is sent as the API server wants it', async () => {
  let seen = {};
  answer = (request, response) => {
    seen = { method: request.method, path: request.url, type: request.headers['content-type'] };
    response.end('the object');
  };
  await api.apply('/x', { metadata: { name: 'x' } }, 'me');
  expect(seen)
    .toEqual({ method: 'PATCH', path: '/x?fieldManager=me&force=true', type: 'application/apply-patch+yaml' });
});

test('no more connections are opened than allowed, and none stays after the close', async () => {
  answer = (_, response) => response.end('{}');
  const connections = async () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  const before = await connections();
  const single = new KubernetesApi({ ...options, connections: 1 }, stopping.signal);
  await Promise.all([1, 2, 3].map(async () => single.call('GET', '/')));
  expect(await connections()).toBe(before + 1);
  single.close();
  while (await connections() > before) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await single.call('GET', '/')).toEqual({});
  single.close();
});
