import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, Server } from 'node:https';
import { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  options = { apiServer: `https://localhost:${port}`, credentials: mountedCredentials({ caFile, tokenFile }), watchSilenceMs: 100 };
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
    await expect(watch()).rejects.toThrow('nothing from the API server for 0.1 s');
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
  const bounded = new KubernetesApi({ ...options, largestAnswerBytes: 50 }, stopping.signal);
  await expect(bounded.call('GET', '/')).rejects.toThrow('longer than 50 bytes');
  bounded.close();
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
  answer = (request, response) => response.end(JSON.stringify({ method: request.method, path: request.url, type: request.headers['content-type'] }));
  expect(await api.apply('/x', { metadata: { name: 'x' } }, 'me'))
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
