import { DISCOVERY } from './answer-limits';
import { isNotFound, SyncError } from './errors';
import { ObjectKind, ObjectReference } from './reference';
import { KubernetesApi } from '../kubernetes/kubernetes-api';

/** A tenant decides for how many kinds it is asked: its inventory names some. They are asked for again then. */
const MOST_KINDS = 500;

interface Resource {
  /** Plural, as in paths. */
  readonly name: string;
  readonly namespaced: boolean;
}

interface ResourceList {
  readonly resources?: readonly { readonly name?: unknown; readonly kind?: unknown; readonly namespaced?: unknown }[];
}

/**
 * Where the objects of a kind are, as the API server of one cluster says. Each kind is asked for once: what is
 * remembered of a cluster are the kinds that it was asked about.
 */
export class ResourceMapping {
  private readonly resources = new Map<string, Resource>();

  /**
   * The path of an object.
   *
   * @throws SyncError for a kind that the cluster does not know
   */
  async pathOf(api: KubernetesApi, reference: ObjectReference): Promise<string> {
    const resource = await this.find(api, reference);
    if (!resource) throw new UnknownKindError(reference);
    const { name, namespaced } = resource;
    const scope = namespaced ? `/namespaces/${encodeURIComponent(reference.namespace ?? 'default')}` : '';
    return `${root(reference.apiVersion)}${scope}/${name}/${encodeURIComponent(reference.name)}`;
  }

  /** Whether the cluster has a kind. */
  async knows(api: KubernetesApi, kind: ObjectKind): Promise<boolean> {
    return await this.find(api, kind) !== undefined;
  }

  /** Forgets everything: a definition may have changed. */
  clear(): void {
    this.resources.clear();
  }

  private async find(api: KubernetesApi, { apiVersion, kind }: ObjectKind): Promise<Resource | undefined> {
    const key = `${apiVersion}/${kind}`;
    const resource = this.resources.get(key) ?? await discover(api, apiVersion, kind);
    if (resource && this.resources.size < MOST_KINDS) this.resources.set(key, resource);
    return resource;
  }
}

/** A kind that a cluster does not have, or not yet. */
export class UnknownKindError extends SyncError {
  constructor({ apiVersion, kind }: ObjectKind) {
    super('objects', `the tenant does not know ${kind} of ${apiVersion}; install its CustomResourceDefinition, or take the object out of the bundle`);
  }
}

async function discover(api: KubernetesApi, apiVersion: string, kind: string): Promise<Resource | undefined> {
  let list: ResourceList | null;
  try {
    list = await api.call<ResourceList | null>('GET', root(apiVersion), { largestAnswer: DISCOVERY });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  const resources = Array.isArray(list?.resources) ? list.resources as NonNullable<ResourceList['resources']> : [];
  // Subresources have a slash in their names.
  const found = resources.find((resource) => resource?.kind === kind && /^[a-z0-9.-]+$/.test(String(resource.name)));
  return found && { name: String(found.name), namespaced: found.namespaced === true };
}

function root(apiVersion: string): string {
  return `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion.split('/').map(encodeURIComponent).join('/')}`;
}
