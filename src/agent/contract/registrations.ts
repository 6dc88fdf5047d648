/** The form of the file; the agent refuses others. */
export const REGISTRATIONS_VERSION = 1;

/** Key of the ConfigMap with the registrations, and so the name of the mounted file. */
export const REGISTRATIONS_FILE = 'registrations.json';

/** The label `app.kubernetes.io/name` of the program and its list. */
export const REGISTRATION_APP = 'tenant-registration';

/** Label of the Secrets that are kept, and its value: nothing else is ever changed or deleted. */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
/** See `MANAGED_BY_LABEL`. */
export const REGISTRAR = 'tenant-registration.cdk8s-hosted-control-plane';

/** The object in the namespace of the Secret for which the Secret is there: it goes with it. */
export interface RegistrationOwner {
  readonly apiVersion: string;
  readonly kind: string;
  /** As in the path of the API, e.g. `applications`. */
  readonly resource: string;
  readonly name: string;
}

/** How a tenant is told to Argo CD: a Secret of the type `cluster`. */
export interface ArgoCdCluster {
  readonly kind: 'argo-cd';
  /** Name of the cluster in Argo CD. */
  readonly name: string;
  /** URL of the API server; that of the kubeconfig where it is left out. */
  readonly server?: string;
}

/** How a tenant is told to Flux: a kubeconfig under one key. */
export interface FluxKubeconfig {
  readonly kind: 'flux';
  readonly key: string;
}

/** A tenant, and the Secret by which a delivery reaches it. */
export interface Registration {
  /** The control plane, in the management cluster. */
  readonly tenant: { readonly namespace: string; readonly name: string };
  /** The Secret beside it and the keys to look under, the first that is there. */
  readonly kubeconfig: { readonly secretName: string; readonly keys: readonly string[] };
  /** The Secret to keep. */
  readonly secret: { readonly namespace: string; readonly name: string };
  readonly owner: RegistrationOwner;
  readonly as: ArgoCdCluster | FluxKubeconfig;
}

/** What the file holds. */
export interface Registrations {
  readonly version: typeof REGISTRATIONS_VERSION;
  readonly registrations: readonly Registration[];
}
