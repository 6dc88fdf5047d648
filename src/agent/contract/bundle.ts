/** The form of the settings; the agent refuses others. */
export const BUNDLE_VERSION = 1;

/** The label that tells bundles and statuses from other ConfigMaps, and its values. */
export const NAME_LABEL = 'app.kubernetes.io/name';
/** See `NAME_LABEL`. */
export const BUNDLE_LABEL_VALUE = 'tenant-bundle';
/** See `NAME_LABEL`. */
export const STATUS_LABEL_VALUE = 'tenant-status';

/** The label that all parts of a bundle and its status have in common. */
export const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** Key of a bundle's ConfigMap: `BundleSettings` in JSON. */
export const SETTINGS_KEY = 'tenant.json';
/** Key of a bundle's ConfigMap: the objects, or a part of them, in YAML. */
export const OBJECTS_KEY = 'objects.yaml';

/** The status of a tenant is beside its bundle, under the name of the bundle's first ConfigMap and this. */
export const STATUS_SUFFIX = '-status';

/** A part is up to a megabyte: a bundle of more parts than this could not be held in memory. */
export const MOST_PARTS = 100;
/** So many names fit into the ConfigMap in which the agent keeps what it applied. */
export const MOST_OBJECTS = 3_000;

/** The ConfigMap of the tenant in which the agent keeps what it applied. */
export const INVENTORY = { namespace: 'kube-system', name: 'tenant-sync-inventory' } as const;

/** The annotation of that ConfigMap, and of the one with the tenant's CA, which says whose tenant it is: the `id` of a `TenantHold`. */
export const HELD_BY = 'tcp-proxy.cdk8s-hosted-control-plane/held-by';

/** A certificate in a Secret of the management cluster, in the namespace of the control plane. */
export interface CertificateSecret {
  readonly secretName: string;
  readonly certificateKey: string;
}

/** A certificate with its private key, likewise. */
export interface KeyPairSecret extends CertificateSecret {
  readonly privateKeyKey: string;
}

/** Where sync keeps a certificate in the tenant cluster. */
interface RequestedObjects {
  readonly namespace: string;
  /** Secret of type `kubernetes.io/tls`. */
  readonly secretName: string;
  /** ConfigMap with the authorities, e.g. the tenant CA, under `ca.crt`: old and new while it changes. */
  readonly caConfigMapName: string;
}

/** A certificate that sync issues from the tenant CA. */
export interface IssueRequest extends RequestedObjects {
  readonly kind: 'issue';
  readonly ca: KeyPairSecret;
  readonly dnsNames: string[];
  readonly ipAddresses: string[];
}

/** A certificate that sync copies, with its key, from the namespace of the control plane. */
export interface CopyRequest extends RequestedObjects {
  readonly kind: 'copy';
  /**
   * `client`: it shows who the tenant is, and `ca` are the authorities of whom it is shown to.
   * @default - pods are served with it, and `ca` are those of the tenant
   */
  readonly purpose?: 'client';
  readonly ca: CertificateSecret;
  readonly source: KeyPairSecret;
}

/** A certificate that sync keeps in a tenant. */
export type CertificateRequest = IssueRequest | CopyRequest;

/** The Secrets of the management cluster that a request names. */
export function secretNames(request: CertificateRequest): string[] {
  return [...new Set([request.ca.secretName, ...request.kind === 'copy' ? [request.source.secretName] : []])];
}

/** How to reach a tenant and what to give back when it is left: the part of the settings that outlives the bundle. */
export interface TenantRecord {
  readonly version: typeof BUNDLE_VERSION;
  /** The control plane, in the management cluster. */
  readonly tenant: { readonly namespace: string; readonly name: string };
  /** The Secret beside it and the keys to look under, the first that is there. */
  readonly kubeconfig: { readonly secretName: string; readonly keys: string[] };
  /**
   * Who writes the endpoints of `default/kubernetes` instead of the API server: `owned`, a tcp-proxy; `kept`, sync, which finds them among
   * the objects, follows them and repairs them.
   */
  readonly kubernetesEndpoints?: 'owned' | 'kept';
  /** What was written to the tenant and is to be removed, where no list of it is kept there: a program for certificates alone. */
  readonly written?: WrittenObject[];
  /** What tells this sync from another that has a bundle for the same tenant. */
  readonly hold?: TenantHold;
}

/** By what a sync knows that a tenant is its own. */
export interface TenantHold {
  /** Made up once, when the first bundle of the tenant came here. */
  readonly id: string;
  /** Not yet written to the tenant: whoever holds that is followed by this sync. */
  readonly taking?: boolean;
}

/** An object that sync keeps for a certificate. */
export interface WrittenObject {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly namespace: string;
  readonly name: string;
}

/** What sync is told of a tenant, in each part of its bundle. */
export interface BundleSettings extends Omit<TenantRecord, 'written' | 'hold'> {
  /** Counted from 1. */
  readonly part: number;
  readonly parts: number;
  /** The same in all parts that belong together. */
  readonly checksum: string;
  readonly certificate?: CertificateRequest;
}
