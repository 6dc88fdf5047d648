import { parentOf } from './dns-name';
import { DnsTarget } from './dns-target';

/** The names that have records, and where they lead to. */
export class NameTree {
  private readonly targets = new Map<string, DnsTarget>();
  private readonly nodes = new Set<string>();

  public add(name: string, target: DnsTarget): void {
    this.targets.set(name, target);
    for (let node: string | undefined = name; node !== undefined && !this.nodes.has(node); node = parentOf(node)) {
      this.nodes.add(node);
    }
  }

  /** Whether a name exists, if only because others lie below it: no wildcard answers for it (RFC 4592, section 2.2.2). */
  public exists(name: string): boolean {
    return this.nodes.has(name);
  }

  /** What a name that has records leads to. */
  public get(name: string): DnsTarget | undefined {
    return this.targets.get(name);
  }

  /** What a name leads to, by records of its own or by the wildcard of the domain that it lies directly below. */
  public targetOf(name: string): DnsTarget | undefined {
    return this.targets.get(name) ?? (this.exists(name) ? undefined : this.targets.get(`*.${parentOf(name)}`));
  }

  /** The names that have records, parents before what lies below them. */
  public names(): string[] {
    const key = (name: string) => name.split('.').reverse().join('.');
    return [...this.targets.keys()].map(name => [key(name), name]).sort(([a], [b]) => a < b ? -1 : 1).map(([, name]) => name);
  }

  /** The names that exist. */
  public nodeNames(): string[] {
    return [...this.nodes];
  }
}
