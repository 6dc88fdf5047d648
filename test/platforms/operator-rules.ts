/*
 * What happens to a TenantControlPlane between `kubectl apply` and the API server of the tenant, by the sources of Kamaji
 * (26.8.2-edge) and Steward (0.4.0). Only what this library's fields meet: defaults of the CRDs, the webhooks, and what the
 * operators take over from the objects that they made before.
 */

/** A custom resource's spec. */
export type Spec = any;

/** `--endpoint-reconciler-type` and other flags of an API server that an operator runs. */
export interface ApiServer {
  readonly args: string[];
  /** What the operator remembers of the flags that it was given (annotation of the Deployment). */
  readonly remembered?: string;
}

/** How an operator differs from the other. */
export interface OperatorRules {
  /** What counts as remembered where nothing is. */
  readonly nothing: string;
  /** What is remembered of the flags: Kamaji a checksum, Steward their number. */
  remember(flags: string[]): string;
  /** Flags that the operator adds by itself. */
  own(spec: Spec): string[];
}

export const KAMAJI: OperatorRules = {
  remember: flags => JSON.stringify(flags),
  nothing: '',
  own: () => [],
};

export const STEWARD: OperatorRules = {
  remember: flags => String(flags.length),
  nothing: '0',
  own: spec => spec.addons?.tcpProxy ? ['--endpoint-reconciler-type=none'] : [],
};

/** Defaults of both CRDs: each is filled in where the object around it is there. */
export const CRD_DEFAULTS: [string[], unknown][] = [
  [['controlPlane', 'deployment', 'replicas'], 2],
  [['controlPlane', 'deployment', 'serviceAccountName'], 'default'],
  [['controlPlane', 'deployment', 'registrySettings'], { registry: 'registry.k8s.io' }],
  [['addons', 'konnectivity', 'agent'], { mode: 'DaemonSet' }],
  [['addons', 'konnectivity', 'agent', 'mode'], 'DaemonSet'],
  [['addons', 'konnectivity', 'agent', 'hostNetwork'], false],
  [['addons', 'konnectivity', 'server'], { image: 'proxy-server', port: 8132 }],
  [['addons', 'konnectivity', 'server', 'image'], 'proxy-server'],
  [['kubernetes', 'admissionControllers'], ['the operator\'s']],
  [['kubernetes', 'kubelet', 'preferredAddressTypes'], ['InternalIP', 'ExternalIP', 'Hostname']],
  [['networkProfile', 'clusterDomain'], 'cluster.local'],
  [['networkProfile', 'podCidr'], '10.244.0.0/16'],
  [['networkProfile', 'port'], 6443],
  [['networkProfile', 'serviceCidr'], '10.96.0.0/16'],
];

/** What the API server and the webhooks make of a new object; throws where the webhook refuses it. */
export function create(applied: Spec): Spec {
  const spec = stored(applied);
  const { deployment } = spec.controlPlane;
  // The webhook answers with a JSON patch, which adds nothing below what is not there.
  if (deployment === undefined) {
    throw new Error('add operation does not apply: doc is missing path: "/spec/controlPlane/deployment/replicas"');
  }
  deployment.replicas ??= 2;
  spec.networkProfile.dnsServiceIPs ??= [`chosen by the webhook in ${spec.networkProfile.serviceCidr}`];
  return spec;
}

/** `kubectl apply` on the client's side: a merge patch of the last applied, the new and the live object. Webhooks only check updates. */
export function applyByClient(last: Spec, applied: Spec, live: Spec): Spec {
  return stored(merge(live, changes(last, applied)));
}

/** `kubectl apply --server-side`: the fields that were applied before and are not any more go. */
export function applyByServer(last: Spec, applied: Spec, live: Spec): Spec {
  return stored(merge(without(live, last, applied), applied));
}

/** What the operator makes of the API server's flags (`resetKubeAPIServerFlags`, `buildKubeAPIServerCommand`); throws where it panics. */
export function reconcile(spec: Spec, before: ApiServer | undefined, rules: OperatorRules): ApiServer {
  const { deployment = {} } = spec.controlPlane;
  if (deployment.replicas === undefined) {
    throw new Error('panic: nil pointer dereference');
  }
  const given: string[] = deployment.extraArgs?.apiServer ?? [];
  let { args: current, remembered } = before ?? { args: [] };
  if (before && deployment.extraArgs) {
    if ((remembered ?? rules.nothing) !== rules.remember(given)) {
      current = [];
    }
    remembered = rules.remember(given);
  }
  const name = (arg: string) => arg.split('=')[0];
  const wanted = [...rules.own(spec).filter(arg => !given.some(other => name(other) === name(arg))), ...given];
  const kept = current.filter(arg => !wanted.some(other => name(other) === name(arg)));
  return { args: [...kept, ...wanted].sort(), remembered };
}

/** The object as an API server stores it. */
export function stored(applied: Spec): Spec {
  const spec = structuredClone(applied);
  for (const [path, value] of CRD_DEFAULTS) {
    const parent = path.slice(0, -1).reduce((object, key) => object?.[key], spec);
    if (parent !== undefined && parent[path.at(-1)!] === undefined) {
      parent[path.at(-1)!] = structuredClone(value);
    }
  }
  return spec;
}

const isObject = (value: unknown): value is Spec => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON merge patch, in which null takes away. */
function changes(last: Spec, applied: Spec): Spec {
  const patch: Spec = {};
  for (const key of new Set([...Object.keys(last), ...Object.keys(applied)])) {
    if (!(key in applied)) {
      patch[key] = null;
    } else {
      patch[key] = isObject(applied[key]) ? changes(isObject(last[key]) ? last[key] : {}, applied[key]) : applied[key];
    }
  }
  return patch;
}

function merge(target: Spec, patch: Spec): Spec {
  const result = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[key];
    } else {
      result[key] = isObject(value) ? merge(isObject(target?.[key]) ? target[key] : {}, value) : structuredClone(value);
    }
  }
  return result;
}

/** The live object without the fields that only the last configuration has, and what is below them. */
function without(live: Spec, last: Spec, applied: Spec): Spec {
  const result = { ...live };
  for (const key of Object.keys(last)) {
    if (!(key in applied)) {
      delete result[key];
    } else if (isObject(last[key]) && isObject(live[key])) {
      result[key] = without(live[key], last[key], applied[key]);
    }
  }
  return result;
}
