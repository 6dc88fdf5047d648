/** The hops in the order in which they are checked, and when each is ok. The names are part of the JSON output and stay. */
export const HOP_TITLES = {
  'dns': 'the host has A or AAAA records',
  'tcp': 'an address takes connections on the port; one that does not is a warning',
  'sni': "the tenant's server answers for the host",
  'chain': 'the certificate is valid and the given CA vouches for it',
  'sans': 'it is for the host, and for the names in the manifests (a warning)',
  'alpn': 'h2 and http/1.1 come through; no h2 is a warning',
  'version': '`/version` comes from an API server; 401 and 403 do as well',
  'readyz': '`/readyz` is 200, 401 or 403',
  'konnectivity-dns': 'the konnectivity host has A or AAAA records',
  'konnectivity-sni': "the tenant's server answers for the konnectivity host",
  'konnectivity-certificate': 'its certificate is valid, from the given CA and for the konnectivity host',
  'konnectivity-grpc': 'an HTTP/2 server answers that is not the API server',
  'no-sni': 'a client without SNI reaches no tenant',
  'unknown-sni': "an unknown host beside the tenant's reaches no tenant",
  'in-cluster-sni': '`kubernetes.default.svc` reaches no tenant',
  'proxy-protocol': 'the cluster ID in a PROXY v2 header leads to the tenant',
  'proxy-refusal': 'an unknown cluster ID is refused',
  'admin-kubeconfig': '`super-admin.svc` of the operator names the port that the Service of the control plane has',
} as const;

export type HopName = keyof typeof HOP_TITLES;

export const HOPS = Object.keys(HOP_TITLES) as HopName[];

/** `unknown`: it was tried, and what came back tells neither. It is no pass. */
export type HopStatus = 'ok' | 'warning' | 'failed' | 'unknown' | 'skipped';

/** What was seen of the certificate of a server. */
export interface SeenCertificate {
  /** ISO 8601 in UTC. */
  readonly validUntil: string;
  /** Whether the given CA vouches for it; missing where none was given, or where the certificate's time hides it. */
  readonly trusted?: boolean;
}

/** What a hop came to. */
export interface HopResult {
  readonly hop: HopName;
  readonly status: HopStatus;
  /** What was seen, or why the hop was skipped. */
  readonly detail: string;
  /** What to do; with `warning`, `failed` and `unknown` only. */
  readonly remedy?: string;
  /** Of hops that look at one. */
  readonly certificate?: SeenCertificate;
}

/** What a check of a hop found, and what it leaves to later hops. */
export interface Outcome<Value = void> {
  readonly status: HopStatus;
  readonly detail: string;
  readonly remedy?: string;
  readonly certificate?: SeenCertificate;
  readonly value?: Value;
}

export function ok<Value = void>(detail: string, value?: Value): Outcome<Value> {
  return { status: 'ok', detail, value };
}

export function warning<Value = void>(detail: string, remedy: string, value?: Value): Outcome<Value> {
  return { status: 'warning', detail, remedy, value };
}

export function failed<Value = void>(detail: string, remedy: string, value?: Value): Outcome<Value> {
  return { status: 'failed', detail, remedy, value };
}

export function unknown<Value = void>(detail: string, remedy: string): Outcome<Value> {
  return { status: 'unknown', detail, remedy };
}

export function skipped<Value = void>(detail: string, value?: Value): Outcome<Value> {
  return { status: 'skipped', detail, value };
}

/** The hops of one path. A hop that needs one that failed is skipped, so the first failure is the one to look at. */
export class Path {
  public readonly results: HopResult[] = [];
  /** Of each hop that gave nothing to go on with: where the path broke. */
  private readonly causes = new Map<HopName, HopName>();

  /** @param onResult told of each hop as soon as it is known */
  constructor(private readonly onResult: (result: HopResult) => void = () => undefined) {}

  /** Runs a check unless a hop that it needs has failed or was skipped for that reason. */
  public async hop<Value>(hop: HopName, needs: HopName[], check: () => Promise<Outcome<Value>> | Outcome<Value>): Promise<Value | undefined> {
    const [cause] = needs.flatMap(need => this.causes.get(need) ?? []);
    if (cause) {
      this.causes.set(hop, cause);
      this.record({ hop, status: 'skipped', detail: `needs ${cause}` });
      return undefined;
    }
    const { value, ...outcome } = await check();
    if (outcome.status === 'failed' || outcome.status === 'unknown') this.causes.set(hop, hop);
    this.record({ hop, ...outcome });
    return value;
  }

  public get healthy(): boolean {
    return isHealthy(this.results);
  }

  private record(result: HopResult): void {
    this.results.push(result);
    this.onResult(result);
  }
}

/** Whether nothing failed and everything that was tried is known. */
export function isHealthy(results: HopResult[]): boolean {
  return !results.some(({ status }) => status === 'failed' || status === 'unknown');
}
