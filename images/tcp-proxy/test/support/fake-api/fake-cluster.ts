import { isDeepStrictEqual } from 'node:util';
import { ServingCertificate } from './certificates';
import { FakeApiServer, Request } from './fake-api-server';
import { AnyObject, StatusError } from './object-store';
import { NamespaceRules, PolicyRule } from '../../../../../src/agent/contract/rbac';

/** Plural, kind, and whether its objects are in namespaces, by group and version. */
type Resources = Record<string, readonly (readonly [plural: string, kind: string, namespaced: boolean])[]>;

const RESOURCES: Resources = {
  '/api/v1': [
    ['namespaces', 'Namespace', false], ['configmaps', 'ConfigMap', true], ['secrets', 'Secret', true], ['pods', 'Pod', true],
    ['serviceaccounts', 'ServiceAccount', true], ['services', 'Service', true], ['endpoints', 'Endpoints', true],
  ],
  '/apis/apps/v1': [['deployments', 'Deployment', true], ['deployments/status', 'Deployment', true], ['daemonsets', 'DaemonSet', true]],
  '/apis/rbac.authorization.k8s.io/v1': [['clusterroles', 'ClusterRole', false], ['roles', 'Role', true]],
  '/apis/apiextensions.k8s.io/v1': [['customresourcedefinitions', 'CustomResourceDefinition', false]],
  '/apis/discovery.k8s.io/v1': [['endpointslices', 'EndpointSlice', true]],
};

const ALWAYS_THERE = ['default', 'kube-system'];
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const EVERYTHING: PolicyRule[] = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

/**
 * The part of an API server that `sync` uses, of the management cluster or of a tenant: all namespaces, discovery with
 * custom resources, server-side apply (without the removal of fields). The store has objects by the path of their
 * collection.
 */
export class FakeCluster extends FakeApiServer {
  /** Definitions become established when this is set; without it, as soon as they are applied. */
  definitionsPending = false;
  /** What clients may do: everything, unless set. */
  roles?: readonly NamespaceRules[];

  constructor(certificate: ServingCertificate) {
    super('', certificate);
  }

  object(path: string): AnyObject | undefined {
    const slash = path.lastIndexOf('/');
    return this.store.get(path.slice(0, slash), path.slice(slash + 1));
  }

  put(path: string, object: Omit<AnyObject, 'metadata'> & { metadata?: object } = {}): AnyObject {
    const slash = path.lastIndexOf('/');
    const { metadata, ...rest } = object;
    return this.store.put(path.slice(0, slash), { ...rest, metadata: { ...metadata, name: path.slice(slash + 1) } });
  }

  remove(path: string): void {
    const slash = path.lastIndexOf('/');
    this.store.delete(path.slice(0, slash), path.slice(slash + 1));
  }

  /** What clients applied, in order: `Kind name`. */
  applied(): string[] {
    return this.writes().filter(({ verb }) => verb === 'patch').map(({ body }) => `${body.kind} ${body.metadata.name}`);
  }

  /** What clients deleted, in order: `resource name`. */
  deleted(): string[] {
    return this.writes().filter(({ verb }) => verb === 'delete').map(({ resource, name }) => `${resource} ${name}`);
  }

  establishDefinitions(): void {
    this.definitionsPending = false;
    for (const definition of this.store.list(DEFINITIONS)) this.store.put(DEFINITIONS, established(definition));
  }

  protected override collectionOf(path: string): string {
    return path;
  }

  protected override authorize(request: Request): void {
    if (this.roles) return super.authorize(request);
    if (!this.tokens.has(request.token)) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
  }

  protected override rules() {
    return [...this.roles ?? [{ namespace: '', rules: EVERYTHING }]];
  }

  protected override answer(request: Request, name?: string): unknown {
    const { collection, namespace, resource, verb } = request;
    if (collection === '/version') return { gitVersion: 'v1.34.0' };
    const resources = { ...RESOURCES, ...this.custom() }[collection];
    if (resources && resource === '') return { resources: resources.map(([plural, kind, namespaced]) => ({ name: plural, kind, namespaced })) };
    if (!this.serves(collection, resource)) throw new StatusError(404, 'NotFound', 'the server could not find the requested resource');
    if (verb !== 'patch') return super.answer(request, name);
    if (namespace !== undefined && !this.hasNamespace(namespace)) throw new StatusError(404, 'NotFound', `namespaces "${namespace}" not found`);
    return this.apply(collection, request.body, name!);
  }

  private hasNamespace(name: string): boolean {
    return ALWAYS_THERE.includes(name) || this.store.get('/api/v1/namespaces', name) !== undefined;
  }

  private serves(collection: string, resource: string): boolean {
    const [root] = /^\/apis?(\/[^/]+)?\/v[^/]+(?=\/)/.exec(collection) ?? [''];
    return ({ ...RESOURCES, ...this.custom() }[root] ?? [/* leases */]).some(([plural]) => plural === resource) || resource === 'leases';
  }

  private apply(collection: string, body: AnyObject, name: string): AnyObject {
    const present = this.store.get(collection, name);
    const defined = body.kind === 'CustomResourceDefinition' && !this.definitionsPending ? established(body) : body;
    if (!present) return this.store.create(collection, defined);
    const merged = merge(present, defined) as AnyObject;
    return isDeepStrictEqual(merged, present) ? present : this.store.update(collection, merged);
  }

  private custom(): Resources {
    const served = this.store.list(DEFINITIONS).filter(({ status }) => status !== undefined);
    return Object.fromEntries(served.map(({ spec: { group, names, scope, versions } }) =>
      [`/apis/${group}/${versions[0].name}`, [[names.plural, names.kind, scope === 'Namespaced']]] as const));
  }
}

function established(definition: AnyObject): AnyObject {
  return { ...definition, status: { conditions: [{ type: 'Established', status: 'True' }] } };
}

function merge(present: unknown, applied: unknown): unknown {
  if (!isMapping(present) || !isMapping(applied)) return applied;
  return { ...present, ...Object.fromEntries(Object.entries(applied).map(([key, value]) => [key, merge(present[key], value)])) };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
