/** What matters of a pod that runs the proxy. Its addresses, like all below, are canonical (see `canonicalAddresses`). */
export interface ProxyPod {
  readonly name: string;
  /** Not finished and not being deleted. */
  readonly alive: boolean;
  /** The pod's Ready condition. */
  readonly ready: boolean;
  /** The addresses of its node. */
  readonly hostIps: readonly string[];
}

/** The proxy this process belongs to. */
export interface Self extends Pick<ProxyPod, 'name' | 'hostIps'> {
  /** It would serve a connection now; the API server learns this later, through the kubelet. */
  readonly locallyReady: boolean;
  /** It is draining and must not be published again. */
  readonly withdrawn: boolean;
}

/** All that the decision stands on. */
export interface View {
  readonly self: Self;
  readonly pods: readonly ProxyPod[];
  /** The addresses that `default/kubernetes` holds now, of both families. */
  readonly published: readonly string[];
  /** Fixed addresses that are published instead of those of the nodes. */
  readonly advertiseAddresses: readonly string[];
}

/**
 * The addresses that `default/kubernetes` should hold; empty means: leave it as it is.
 *
 * The first rule that yields an address wins:
 * 1. the advertise addresses, when configured and some proxy is ready;
 * 2. the host addresses of the ready pods;
 * 3. the published addresses that belong to living pods, ready or not;
 * 4. the own host addresses, once this proxy is locally ready.
 *
 * All proxies decide alone and must come to the same result. Hence rules 2 and 3 use only what all of them see, and
 * what only this process knows counts in rule 4 alone: had each starting proxy added itself by its own knowledge, each
 * would remove the other. Of several proxies in rule 4, the first to write wins, and rule 3 makes the others accept it.
 *
 * Neither the readiness of nodes nor that of all pods together ever empties the result: in a cluster that bootstraps,
 * or whose kubelets lost the API server, the endpoints are what brings readiness back.
 */
export function desiredAddresses(view: View): string[] {
  const { self } = view;
  const living = view.pods.filter((pod) => pod.alive && !(self.withdrawn && pod.name === self.name));
  const ready = living.filter((pod) => pod.ready);
  const leaving = self.withdrawn || view.pods.some((pod) => pod.name === self.name && !pod.alive);
  const locallyReady = self.locallyReady && !leaving;

  if (view.advertiseAddresses.length > 0) {
    return ready.length > 0 || locallyReady ? sorted(view.advertiseAddresses) : [];
  }
  return firstNonEmpty(
    () => hostAddresses(ready),
    () => intersection(hostAddresses(living), view.published),
    () => sorted(locallyReady ? self.hostIps : []),
  );
}

/**
 * How many other proxies are to repair an object before this one does. Every proxy sees the same change at the same
 * moment; taking turns in an order that all of them know spares all writes but one.
 */
export function turn(self: Pick<Self, 'name'>, pods: readonly ProxyPod[]): number {
  const own = pods.find((pod) => pod.name === self.name);
  if (!own) return 0;
  const goesBefore = (pod: ProxyPod) => pod.ready === own.ready ? pod.name < own.name : pod.ready;
  return pods.filter((pod) => pod.alive && goesBefore(pod)).length;
}

function hostAddresses(pods: readonly ProxyPod[]): string[] {
  return sorted(pods.flatMap((pod) => pod.hostIps));
}

function intersection(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((address) => known.has(address));
}

function sorted(addresses: readonly string[]): string[] {
  return [...new Set(addresses)].sort();
}

function firstNonEmpty(...rules: readonly (() => string[])[]): string[] {
  for (const rule of rules) {
    const addresses = rule();
    if (addresses.length > 0) return addresses;
  }
  return [];
}
