import { randomUUID } from 'node:crypto';

/** Any Kubernetes object. */
export interface AnyObject {
  readonly metadata: { readonly name: string; readonly [field: string]: any };
  readonly [field: string]: any;
}

export interface StoredEvent {
  readonly resourceVersion: number;
  readonly resource: string;
  readonly before?: AnyObject;
  readonly after?: AnyObject;
}

export class StatusError extends Error {
  constructor(readonly code: number, readonly reason: string, message: string) {
    super(message);
  }
}

/** What etcd and the registry of an API server do for the tests: versions, preconditions, history. */
export class ObjectStore {
  /** Resource version of the latest change. */
  version = 100;
  /** Watches from before this version are answered with 410 Gone. */
  compactedAt = 0;
  readonly history: StoredEvent[] = [];
  private readonly objects = new Map<string, AnyObject>();
  private readonly listeners = new Set<(event: StoredEvent) => void>();

  list(resource: string): AnyObject[] {
    return [...this.objects].filter(([key]) => key.slice(0, key.lastIndexOf('/')) === resource).map(([, object]) => object);
  }

  /** Every object, with the path of its collection and its name. */
  all(): [path: string, object: AnyObject][] {
    return [...this.objects];
  }

  get(resource: string, name: string): AnyObject | undefined {
    return this.objects.get(`${resource}/${name}`);
  }

  create(resource: string, object: AnyObject): AnyObject {
    const { name } = object.metadata;
    if (object.metadata.resourceVersion) throw new StatusError(400, 'BadRequest', 'resourceVersion should not be set on objects to be created');
    if (this.get(resource, name)) throw new StatusError(409, 'AlreadyExists', `${resource} "${name}" already exists`);
    return this.commit(resource, name, undefined, { ...object, metadata: { ...object.metadata, uid: randomUUID() } });
  }

  update(resource: string, object: AnyObject): AnyObject {
    const { name, resourceVersion } = object.metadata;
    const before = this.existing(resource, name);
    if (resourceVersion && resourceVersion !== before.metadata.resourceVersion) {
      throw new StatusError(409, 'Conflict', `${resource} "${name}": the object has been modified`);
    }
    if (before.addressType !== object.addressType) throw new StatusError(422, 'Invalid', 'addressType: field is immutable');
    return this.commit(resource, name, before, { ...object, metadata: { ...object.metadata, uid: before.metadata.uid } });
  }

  delete(resource: string, name: string, preconditions: { uid?: string; resourceVersion?: string } = {}): AnyObject {
    const before = this.existing(resource, name);
    const { uid = before.metadata.uid, resourceVersion = before.metadata.resourceVersion } = preconditions;
    if (uid !== before.metadata.uid || resourceVersion !== before.metadata.resourceVersion) {
      throw new StatusError(409, 'Conflict', `${resource} "${name}": precondition failed`);
    }
    this.objects.delete(`${resource}/${name}`);
    this.record({ resourceVersion: ++this.version, resource, before });
    return before;
  }

  /** Creates or replaces, as an administrator would. */
  put(resource: string, object: AnyObject): AnyObject {
    const { resourceVersion: _, ...metadata } = object.metadata;
    return this.get(resource, metadata.name) ? this.update(resource, { ...object, metadata }) : this.create(resource, { ...object, metadata });
  }

  /** Calls the listener for every change until the returned function is called. */
  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Forgets the history, as etcd's compaction does. */
  compact(): void {
    this.compactedAt = this.version;
  }

  private existing(resource: string, name: string): AnyObject {
    const object = this.get(resource, name);
    if (!object) throw new StatusError(404, 'NotFound', `${resource} "${name}" not found`);
    return object;
  }

  private commit(resource: string, name: string, before: AnyObject | undefined, object: AnyObject): AnyObject {
    const resourceVersion = ++this.version;
    const after = { ...object, metadata: { ...object.metadata, resourceVersion: String(resourceVersion) } };
    this.objects.set(`${resource}/${name}`, after);
    this.record({ resourceVersion, resource, before, after });
    return after;
  }

  private record(event: StoredEvent): void {
    this.history.push(event);
    this.listeners.forEach((listener) => listener(event));
  }
}
