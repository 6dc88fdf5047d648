/** The hops in the order in which they are checked. The names are part of the JSON output and stay. */
export const HOPS = [
  'dns', 'tcp', 'sni', 'chain', 'sans', 'alpn', 'version', 'readyz',
  'konnectivity-dns', 'konnectivity-sni', 'konnectivity-certificate', 'konnectivity-grpc',
  'no-sni', 'unknown-sni', 'in-cluster-sni',
  'proxy-protocol', 'proxy-refusal',
] as const;

export type HopName = typeof HOPS[number];

/** `unknown`: it was tried, and what came back tells neither. It is no pass. */
export type HopStatus = 'ok' | 'warning' | 'failed' | 'unknown' | 'skipped';

/** What a hop came to. */
export interface HopResult {
  readonly hop: HopName;
  readonly status: HopStatus;
  /** What was seen, or why the hop was skipped. */
  readonly detail: string;
  /** What to do; with `warning`, `failed` and `unknown` only. */
  readonly remedy?: string;
}

/** What a check of a hop found, and what it leaves to later hops. */
export interface Outcome<Value = void> {
  readonly status: HopStatus;
  readonly detail: string;
  readonly remedy?: string;
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
  private readonly blocked = new Set<HopName>();

  /** @param onResult told of each hop as soon as it is known */
  constructor(private readonly onResult: (result: HopResult) => void = () => undefined) {}

  /** Runs a check unless a hop that it needs has failed or was skipped for that reason. */
  public async hop<Value>(hop: HopName, needs: HopName[], check: () => Promise<Outcome<Value>> | Outcome<Value>): Promise<Value | undefined> {
    const broken = needs.find(need => this.blocked.has(need));
    if (broken) {
      this.blocked.add(hop);
      this.record({ hop, status: 'skipped', detail: `needs ${broken}` });
      return undefined;
    }
    const { value, ...outcome } = await check();
    if (outcome.status === 'failed' || outcome.status === 'unknown') this.blocked.add(hop);
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
