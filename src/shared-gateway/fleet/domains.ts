/** Which cluster of a fleet a host is for: the one with the longest domain that holds it. */
export class Domains {
  private readonly clusters = new Map<string, string>();

  /** @returns the cluster that has the domain already, if another has */
  public add(domain: string, cluster: string): string | undefined {
    const other = this.clusters.get(domain);
    this.clusters.set(domain, other ?? cluster);
    return other === cluster ? undefined : other;
  }

  /** The longest domain around this one that is not itself. */
  public around(domain: string): { readonly domain: string; readonly cluster: string } | undefined {
    const dot = domain.indexOf('.');
    return dot < 0 ? undefined : this.of(domain.slice(dot + 1));
  }

  /** The longest domain that a host is or ends with. */
  public of(host: string): { readonly domain: string; readonly cluster: string; readonly labelsBefore: number } | undefined {
    let domain = host;
    for (let labelsBefore = 0; ; labelsBefore++) {
      const cluster = this.clusters.get(domain);
      if (cluster !== undefined) {
        return { domain, cluster, labelsBefore };
      }
      const dot = domain.indexOf('.');
      if (dot < 0) {
        return undefined;
      }
      domain = domain.slice(dot + 1);
    }
  }
}
