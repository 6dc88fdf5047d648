import { invalidInput } from '../../validation/invalid-input';
import { FIRST_K0S_WITH_AGENTS_BEHIND_INGRESS, FIRST_K0S_WITH_INGRESS } from '../../versions/k0s';

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:[+-]k0s\.(\d+))?$/;

const OLDEST_MINOR = Math.min(...FIRST_K0S_WITH_INGRESS.keys());
const NEWEST_MINOR = Math.max(...FIRST_K0S_WITH_INGRESS.keys());

/** A version of k0s: that of Kubernetes and a revision. */
export class K0sVersion {
  /**
   * Parses `1.34.3`, `v1.34.3+k0s.0` or, as in image tags, `v1.34.3-k0s.0`; the revision is 0 when it is not given.
   */
  public static parse(field: string, version: string): K0sVersion {
    const match = VERSION.exec(version);
    if (!match) {
      throw invalidInput(field, version, 'is not a version of k0s', 'Give major, minor and patch, and a revision if you like, e.g. "v1.34.3+k0s.0"');
    }
    const [major, minor, patch, revision] = match.slice(1).map(part => part === undefined ? 0 : Number(part));
    return new K0sVersion(major, minor, patch, revision);
  }

  private constructor(
    private readonly major: number,
    private readonly minor: number,
    private readonly patch: number,
    private readonly revision: number,
  ) {}

  /** `v1.34.3`, as Cluster API wants it. */
  public get kubernetes(): string {
    return `v${this.major}.${this.minor}.${this.patch}`;
  }

  /** `v1.34.3+k0s.0`: control planes take other forms too, workers only this one. */
  public toString(): string {
    return `${this.kubernetes}+k0s.${this.revision}`;
  }

  /** Whether this version is newer than the other. */
  public isNewerThan(other: K0sVersion): boolean {
    const difference = this.parts.map((part, i) => part - other.parts[i]).find(value => value !== 0);
    return difference !== undefined && difference > 0;
  }

  /** Refuses versions that cannot be exposed by host names. */
  public requireIngress(field: string): void {
    const fail = (reason: string, remedy: string) => invalidInput(field, this.toString(), reason, remedy);
    if (this.major !== 1 || this.minor < OLDEST_MINOR) {
      throw fail('cannot be exposed through an ingress: k0s takes host:port as external address from 1.31.13 on',
        'Use 1.31.13, 1.32.10, 1.33.6, 1.34.1 or newer, or expose the control plane by a LoadBalancer or NodePort');
    }
    const first = FIRST_K0S_WITH_INGRESS.get(Math.min(this.minor, NEWEST_MINOR))!;
    if (this.minor <= NEWEST_MINOR && this.patch < first) {
      throw fail(`is older than 1.${this.minor}.${first}, the first 1.${this.minor} that can be exposed through an ingress`,
        `Use v1.${this.minor}.${first}+k0s.0 or newer`);
    }
  }

  /** Whether its own konnectivity agents go to a host and port of their own, so that k0smotron installs none (its `HasNativeIngressKonnectivity`). */
  public get bringsAgentsBehindIngress(): boolean {
    return !K0sVersion.parse('version', FIRST_K0S_WITH_AGENTS_BEHIND_INGRESS).isNewerThan(this);
  }

  private get parts(): number[] {
    return [this.major, this.minor, this.patch, this.revision];
  }
}
