import { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, Server } from 'node:https';
import { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ServingCertificate } from './certificates';
import { AnyObject, ObjectStore, StatusError, StoredEvent } from './object-store';
import { endpointsRules, NamespaceRules } from '../../../../../src/agent/contract/rbac';

/** One entry of the audit log. */
export interface Request {
  readonly verb: string;
  readonly group: string;
  readonly namespace?: string;
  readonly resource: string;
  readonly name?: string;
  /** Under which the store has the objects. */
  readonly collection: string;
  readonly body?: any;
  readonly query: URLSearchParams;
  readonly token: string;
  readonly serverName: string;
  /** Whether the client asks for a list of metadata alone. */
  readonly metadataOnly: boolean;
  /** Undefined while the API server works on it. */
  status?: number;
}

interface Fault {
  readonly matches: (request: Request) => boolean;
  readonly error: StatusError;
  times: number;
}

const PATH = /^(?<collection>\/(?:api|apis\/(?<group>[^/]+))\/v[^/]+(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+))(?:\/(?<name>[^/]+))?$/;
const WRITES = ['create', 'update', 'patch', 'delete'];

/** What a path names. */
export type Location = Pick<Request, 'group' | 'namespace' | 'resource' | 'name' | 'collection'>;

/**
 * The part of a Kubernetes API server that the controller uses, over real TLS. It grants what `endpointsRules` says and
 * refuses everything else.
 */
export class FakeApiServer {
  readonly store = new ObjectStore();
  readonly audit: Request[] = [];
  /** Bearer tokens that are accepted. */
  readonly tokens = new Set(['token-1']);
  private readonly faults: Fault[] = [];
  private readonly watches = new Set<{ resource: string; response: ServerResponse; unsubscribe: () => void }>();
  /** Watches are neither fed nor ended any more, as by a load balancer that forgot the connection. */
  deadWatches = false;
  private server?: Server;
  private port = 0;

  constructor(private readonly podNamespace: string, private certificate: ServingCertificate) {}

  get url(): string {
    return `https://localhost:${this.port}`;
  }

  /** Listens on a free port first, and later always on the same one. */
  async start(certificate = this.certificate): Promise<void> {
    this.certificate = certificate;
    const server = createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => {
      this.handle(request, response).catch((error) => response.destroy(error));
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }

  /** Answers the next matching requests with an error. */
  fail(matches: (request: Request) => boolean, code: number, reason: string, times = 1): void {
    this.faults.push({ matches, error: new StatusError(code, reason, `injected ${code}`), times });
  }

  /** Ends all watches as a restarting load balancer does: in the middle of the stream. */
  breakWatches(): void {
    this.watches.forEach(({ response }) => response.destroy());
  }

  /** Ends all watches as the API server does when their time is over. */
  endWatches(): void {
    this.watches.forEach(({ response }) => response.end());
  }

  /** Those that are open are neither fed nor ended ever again. */
  forgetWatches(): void {
    this.watches.forEach((watch) => watch.unsubscribe());
    this.watches.clear();
  }

  bookmark(): void {
    const object = { metadata: { resourceVersion: String(this.store.version) } };
    this.watches.forEach(({ response }) => response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`));
  }

  openWatches(resource?: string): number {
    const open = [...this.watches].filter(({ response }) => !response.writableEnded);
    return open.filter((watch) => resource === undefined || watch.resource === resource).length;
  }

  /** Successful writes of clients, in order. */
  writes(): Request[] {
    return this.audit.filter(({ verb, status }) => WRITES.includes(verb) && status !== undefined && status < 300);
  }

  /** Answers one request, from whichever connection. */
  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '', this.url);
    const { name, ...location } = this.locate(url.pathname);
    const query = url.searchParams;
    const text = await bodyOf(incoming);
    const request: Request = {
      ...location,
      verb: verbOf(incoming.method, query, name),
      name: name ?? /^metadata\.name=(.*)$/.exec(query.get('fieldSelector') ?? '')?.[1],
      body: text ? JSON.parse(text) : undefined,
      query,
      token: (incoming.headers.authorization ?? '').replace('Bearer ', ''),
      serverName: String((incoming.socket as TLSSocket).servername),
      metadataOnly: /as=PartialObjectMetadataList/.test(incoming.headers.accept ?? ''),
    };
    this.audit.push(request);
    try {
      this.authorize(request);
      const fault = this.faults.find(({ matches, times }) => times > 0 && matches(request));
      if (fault) {
        fault.times--;
        throw fault.error;
      }
      request.status = 200;
      if (request.verb === 'watch') return this.watch(request, response);
      return json(response, 200, this.answer(request, name));
    } catch (error) {
      const { code = 500, reason = 'InternalError', message } = error as StatusError;
      request.status = code;
      return json(response, code, { kind: 'Status', status: 'Failure', code, reason, message });
    }
  }

  protected locate(path: string): Location {
    const { group = '', namespace, resource = '', name, collection } = PATH.exec(path)?.groups ?? {};
    return { group, namespace, resource, name, collection: this.collectionOf(collection ?? path, resource) };
  }

  /** All that the controller of `default/kubernetes` uses has one collection of a resource. */
  protected collectionOf(_path: string, resource: string): string {
    return resource;
  }

  protected rules(): readonly NamespaceRules[] {
    return Object.values(endpointsRules(this.podNamespace));
  }

  protected authorize(request: Request): void {
    const { group, namespace } = request;
    if (!this.tokens.has(request.token)) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
    const allowed = this.rules().some((role) => role.namespace === namespace && role.rules.some((rule) =>
      rule.apiGroups.includes(group)
      && rule.resources.includes(request.resource)
      && rule.verbs.includes(request.verb)
      && (!rule.resourceNames || rule.resourceNames.includes(request.name ?? ''))));
    if (!allowed) throw new StatusError(403, 'Forbidden', `cannot ${request.verb} ${request.resource} ${request.name} in ${namespace}`);
  }

  protected answer({ verb, resource, collection, body, query, metadataOnly }: Request, name = ''): unknown {
    switch (verb) {
      case 'list': return this.list(collection, query, metadataOnly);
      case 'create': return this.store.create(collection, body);
      case 'update': return this.store.update(collection, body);
      case 'delete': return this.store.delete(collection, name, body?.preconditions);
      default: {
        const object = this.store.get(collection, name);
        if (!object) throw new StatusError(404, 'NotFound', `${resource} "${name}" not found`);
        return object;
      }
    }
  }

  /** As in a real list, the items come without kind and version, and an empty list of metadata is `null`. */
  private list(collection: string, query: URLSearchParams, metadataOnly: boolean): unknown {
    const all = this.store.list(collection).filter((object) => selects(query, object));
    const start = Number(query.get('continue') ?? 0);
    const end = start + Number(query.get('limit') ?? all.length);
    const more = end < all.length ? { continue: String(end) } : {};
    const items = all.slice(start, end).map(({ kind, apiVersion, ...item }) => item);
    return { metadata: { resourceVersion: String(this.store.version), ...more }, items: metadataOnly && items.length === 0 ? null : items };
  }

  private watch({ resource, collection, query }: Request, response: ServerResponse): void {
    const since = Number(query.get('resourceVersion'));
    if (since < this.store.compactedAt) {
      const object = { kind: 'Status', code: 410, reason: 'Expired', message: `too old resource version: ${since}` };
      response.end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
      return;
    }
    const send = (event: StoredEvent) => {
      const wire = event.resource === collection ? wireEvent(query, event) : undefined;
      if (wire && !response.writableEnded && !this.deadWatches) response.write(`${JSON.stringify(wire)}\n`);
    };
    response.flushHeaders();
    this.store.history.filter(({ resourceVersion }) => resourceVersion > since).forEach(send);
    const unsubscribe = this.store.subscribe(send);
    const watch = { resource, response, unsubscribe };
    this.watches.add(watch);
    const seconds = Number(query.get('timeoutSeconds'));
    const end = seconds > 0 ? setTimeout(() => this.deadWatches || response.end(), seconds * 1_000) : undefined;
    response.on('close', () => {
      clearTimeout(end);
      unsubscribe();
      this.watches.delete(watch);
    });
  }
}

/** An object that begins or ceases to match the selector appears as added or deleted. */
function wireEvent(query: URLSearchParams, event: StoredEvent): { type: string; object: AnyObject } | undefined {
  const { before, after } = event;
  const was = before && selects(query, before) ? before : undefined;
  const is = after && selects(query, after) ? after : undefined;
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: is };
  const resourceVersion = String(event.resourceVersion);
  return was && { type: 'DELETED', object: { ...was, metadata: { ...was.metadata, resourceVersion } } };
}

function selects(query: URLSearchParams, object: AnyObject): boolean {
  const fields = (query.get('fieldSelector') ?? '').split(',').filter(Boolean).map((requirement) => /^(.+?)(!?=)(.*)$/.exec(requirement)!);
  const labels = (query.get('labelSelector') ?? '').split(',').filter(Boolean).map((requirement) => requirement.split('='));
  return fields.every(([, field, operator, value]) => (String(fieldOf(object, field)) === value) === (operator === '=')) && labels.every(([label, value]) => object.metadata.labels?.[label] === value);
}

function fieldOf(object: AnyObject, path: string): unknown {
  return path.split('.').reduce<any>((value, name) => value?.[name], object);
}

function verbOf(method: string | undefined, query: URLSearchParams, name: string | undefined): string {
  if (method !== 'GET') return { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method ?? ''] ?? 'unknown';
  if (query.has('watch')) return 'watch';
  return name === undefined ? 'list' : 'get';
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) text += chunk;
  return text;
}

function json(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
