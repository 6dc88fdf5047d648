import { isNotFound, SyncError } from './errors';
import { TenantAccess } from './kubeconfig';
import { NamedObject, ObjectKind, ObjectReference, referenceOf } from './reference';
import { ResourceMapping } from './resource-mapping';
import { KubernetesApi } from '../kubernetes/kubernetes-api';
import { KubernetesObject } from '../kubernetes/objects';

/** Whose fields are whose, in the tenants. */
export const FIELD_MANAGER = 'tenant-sync';

/**
 * On every object that was applied, so that a removal takes no object of another. The managed fields would not do: they
 * do not name who applied an object without any fields of its own, such as a Namespace.
 */
const DELIVERED_BY = 'tcp-proxy.cdk8s-hosted-control-plane/delivered-by';

/** A tenant's answers are not trusted to be short. An object has at most 1.5 MiB. */
const LARGEST_ANSWER_BYTES = 4 * 2 ** 20;

export interface TenantClusterOptions {
  readonly access: TenantAccess;
  readonly requestTimeoutMs: number;
  /** Ends all requests. */
  readonly signal: AbortSignal;
  /** Throws when no further request may be made. */
  readonly gate: () => void;
}

/** The API server of one tenant. */
export class TenantCluster {
  readonly api: KubernetesApi;
  private readonly mapping = new ResourceMapping();
  private ends = 0;

  /** @throws SyncError when the kubeconfig names no API server */
  constructor({ access, gate, requestTimeoutMs, signal }: TenantClusterOptions) {
    const credentials = async () => {
      gate();
      if (performance.now() > this.ends) throw new SyncError('unreachable', 'the tenant answers so slowly that its visit took too long');
      return access.credentials;
    };
    try {
      const { apiServer, serverName } = access;
      this.api = new KubernetesApi({
        apiServer, serverName, credentials, requestTimeoutMs, connections: 1, largestAnswerBytes: LARGEST_ANSWER_BYTES,
      }, signal);
    } catch (error) {
      throw new SyncError('kubeconfig', `kubeconfig: ${(error as Error).message}`);
    }
  }

  /** Undefined when there is none. */
  async get<T extends KubernetesObject>(reference: ObjectReference): Promise<T | undefined> {
    const path = await this.mapping.pathOf(this.api, reference);
    try {
      return await this.api.call<T>('GET', path);
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
    await this.api.apply(await this.mapping.pathOf(this.api, referenceOf(object)), marked, FIELD_MANAGER);
  }

  /** Deletes the object that was seen, no other of its name; what it owns goes after it. */
  async delete(reference: ObjectReference, uid: string | undefined): Promise<void> {
    const path = await this.mapping.pathOf(this.api, reference);
    try {
      await this.api.call('DELETE', path, { body: { preconditions: { uid }, propagationPolicy: 'Background' } });
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
