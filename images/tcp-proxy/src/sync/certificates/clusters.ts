/** A Secret as the API returns it; values are in base64. */
export interface SecretData {
  readonly data?: Readonly<Record<string, string>>;
}

/** The one call to the management cluster: reads Secrets in the namespace of the control plane. */
export interface SecretReader {
  /** Undefined when there is none. */
  secret(name: string): Promise<SecretData | undefined>;
}

/** An object of the core group, of one of the two kinds that certificates need. */
export interface TenantObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret' | 'ConfigMap';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    /** When it is applied: the version that it replaces, so that a later one is a conflict. */
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** The two calls to the tenant cluster. */
export interface TenantObjects {
  /** Undefined when there is none. */
  get(kind: TenantObject['kind'], namespace: string, name: string): Promise<TenantObject | undefined>;
  /** Applies the object on the server with the field manager `tenant-sync`, by force. */
  apply(object: TenantObject): Promise<unknown>;
}
