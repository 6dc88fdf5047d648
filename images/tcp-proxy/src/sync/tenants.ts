import { BundlePart } from './bundle';
import { Phase, StoredStatus } from './status';

/** What there is of one tenant in the own namespace. */
export interface Tenant {
  readonly parts: readonly BundlePart[];
  readonly status?: StoredStatus;
}

export interface TenantsSource {
  readonly parts: () => readonly BundlePart[];
  readonly statuses: () => readonly StoredStatus[];
}

/** The bundles and statuses in the own namespace, put together by tenant. */
export class Tenants {
  private byKey = new Map<string, Tenant>();
  private outdated = true;
  /** By key, what was there when changes were last asked for. */
  private seen = new Map<string, string>();

  constructor(private readonly source: TenantsSource) {}

  /** Something in the source changed. */
  invalidate(): void {
    this.outdated = true;
  }

  keys(): string[] {
    return [...this.current().keys()];
  }

  get(key: string): Tenant {
    return this.current().get(key) ?? { parts: [] };
  }

  /** Keys whose bundle changed, or whose status came or went, since this was last asked. */
  changed(): string[] {
    const now = new Map([...this.current()].map(([key, tenant]) => [key, fingerprint(tenant)]));
    const changed = [...new Set([...now.keys(), ...this.seen.keys()])].filter((key) => now.get(key) !== this.seen.get(key));
    this.seen = now;
    return changed;
  }

  phases(): Phase[] {
    return [...this.current().values()].flatMap(({ status }) => status ? [status.phase] : []);
  }

  private current(): ReadonlyMap<string, Tenant> {
    if (this.outdated) {
      this.byKey = grouped(this.source);
      this.outdated = false;
    }
    return this.byKey;
  }
}

function grouped({ parts, statuses }: TenantsSource): Map<string, Tenant> {
  const byKey = new Map<string, { parts: BundlePart[]; status?: StoredStatus }>();
  const entry = (key: string) => {
    const found = byKey.get(key) ?? { parts: [] };
    byKey.set(key, found);
    return found;
  };
  for (const part of parts()) entry(part.key).parts.push(part);
  for (const status of statuses()) entry(status.key).status = status;
  return byKey;
}

/** What a status says is nobody's doing but ours; that it is there is what removals depend on. */
function fingerprint({ parts, status }: Tenant): string {
  const versions = parts.map(({ configMap, resourceVersion }) => `${configMap}@${resourceVersion}`).sort();
  return `${versions.join()} ${status === undefined ? '' : status.configMap}`;
}
