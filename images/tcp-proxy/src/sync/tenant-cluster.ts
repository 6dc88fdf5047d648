import { IGNORED, LIST, OBJECT } from './answer-limits';
import { isNotFound, SyncError } from './errors';
import { TenantAccess } from './kubeconfig';
import { NamedObject, ObjectKind, ObjectReference, referenceOf } from './reference';
import { ResourceMapping } from './resource-mapping';
import { SharedBudget } from '../kubernetes/answer';
import { CallOptions, KubernetesApi, Query } from '../kubernetes/kubernetes-api';
import { KubernetesObject } from '../kubernetes/objects';

/** Whose fields are whose, in the tenants. */
export const FIELD_MANAGER = 'tenant-sync';

/**
 * On every object that was applied, so that a removal takes no object of another. The managed fields would not do: they
 * do not name who applied an object without any fields of its own, such as a Namespace.
 */
const DELIVERED_BY = 'tcp-proxy.cdk8s-hosted-control-plane/delivered-by';

/** Their metadata alone: what else an object has is the tenant's, and of any size. */
export const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const METADATA_OF_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

export interface TenantClusterOptions {
  readonly access: TenantAccess;
  readonly requestTimeoutMs: number;
  /** Ends all requests. */
  readonly signal: AbortSignal;
  /** Throws when no further request may be made. */
  readonly gate: () => void;
  /** Shared by all tenants. */
  readonly budget: SharedBudget;
}

/** The API server of one tenant. */
export class TenantCluster {
  readonly api: KubernetesApi;
  private readonly mapping = new ResourceMapping();
  private ends = 0;

  /** @throws SyncError when the kubeconfig names no API server */
  constructor({ access, budget, gate, requestTimeoutMs, signal }: TenantClusterOptions) {
    const credentials = async () => {
      gate();
      if (performance.now() > this.ends) throw new SyncError('unreachable', 'the tenant answers so slowly that its visit took too long');
      return access.credentials;
    };
    try {
      const { apiServer, serverName } = access;
      this.api = new KubernetesApi({
        apiServer, serverName, credentials, requestTimeoutMs, connections: 1, largestAnswer: LIST, budget,
      }, signal);
    } catch (error) {
      throw new SyncError('kubeconfig', `kubeconfig: ${(error as Error).message}`);
    }
  }

  /** Undefined when there is none. */
  async get<T extends KubernetesObject>(reference: ObjectReference): Promise<T | undefined> {
    return this.read<T>(await this.mapping.pathOf(this.api, reference), { largestAnswer: OBJECT });
  }

  /** Without what the object says; undefined when there is none. */
  async metadata(reference: ObjectReference): Promise<KubernetesObject | undefined> {
    return this.read(await this.mapping.pathOf(this.api, reference), { largestAnswer: OBJECT, accept: METADATA });
  }

  /** The metadata of the objects of a collection, as many as the query asks for. */
  async list(path: string, query: Query): Promise<readonly KubernetesObject[]> {
    const list = await this.api.call<{ readonly items?: unknown } | null>('GET', path, { query, accept: METADATA_OF_LIST });
    // An empty list of metadata has `null` there (kube-apiserver 1.32).
    const items = list?.items === null ? [] : list?.items;
    if (!Array.isArray(items)) throw new Error('the answer of the API server is no list');
    return items.map(checkedObject);
  }

  /** Undefined when there is none. */
  async read<T extends KubernetesObject>(path: string, options: CallOptions): Promise<T | undefined> {
    try {
      return checkedObject(await this.api.call<unknown>('GET', path, options)) as T;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Whether it serves a kind. */
  async knows(kind: ObjectKind): Promise<boolean> {
    return this.mapping.knows(this.api, kind);
  }

  async apply(object: NamedObject): Promise<void> {
    const { metadata } = object;
    const marked = { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [DELIVERED_BY]: FIELD_MANAGER } } };
    await this.api.apply(await this.mapping.pathOf(this.api, referenceOf(object)), marked, FIELD_MANAGER, { largestAnswer: IGNORED });
  }

  /** Deletes the object that was seen, no other of its name; what it owns goes after it. */
  async delete(reference: ObjectReference, uid: string | undefined): Promise<void> {
    const path = await this.mapping.pathOf(this.api, reference);
    try {
      await this.api.send('DELETE', path, { body: { preconditions: { uid }, propagationPolicy: 'Background' }, largestAnswer: IGNORED });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Whether an object in the cluster is there, or as it is, because it was applied. */
  delivered({ metadata }: KubernetesObject): boolean {
    return metadata.annotations?.[DELIVERED_BY] === FIELD_MANAGER;
  }

  /** Allows requests, for this long. */
  open(milliseconds: number): void {
    this.ends = performance.now() + milliseconds;
  }

  /** Leaves no connection open; what was learned of the tenant stays. */
  close(): void {
    this.ends = 0;
    this.api.close();
  }
}

/** @throws Error when the answer is of another shape than objects have */
export function checkedObject(answer: unknown): KubernetesObject {
  const { metadata } = (answer ?? {}) as Partial<KubernetesObject>;
  if (typeof metadata !== 'object' || metadata === null) throw new Error('the answer of the API server is no object');
  return answer as KubernetesObject;
}
