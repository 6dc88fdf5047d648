import { IConstruct } from 'constructs';
import { ADDRESS, CLUSTER_ID, PORT, SNI_HOST } from './claimed-names';
import { GatewayTenant, tenantLines } from './routing-tables';
import { Exposure } from '../model/exposure';
import type { PassthroughRoute } from '../model/exposure-props';
import { invalidInput } from '../validation/invalid-input';


/** What belongs to one gateway, with its plural. */
const OF_THE_GATEWAY: { readonly [what: string]: string | undefined } = { [PORT]: 'ports', [ADDRESS]: 'addresses' };

interface Entry extends GatewayTenant {
  /** Whether its names are checked as those of a control plane of this app. */
  readonly controlPlane: boolean;
}

/** The control planes of one gateway. */
export class GatewayTenants {
  private readonly entries: Entry[] = [];
  /** The first of the main entries of each. */
  private readonly indexOf = new Map<Exposure, number>();
  private readonly expected: Exposure[] = [];
  /** Changes when the tenants do. */
  public revision = 0;

  public constructor(private readonly gateway: IConstruct) {}

  /** @throws when the tenant cannot be an entry of a map */
  public add(tenant: GatewayTenant, controlPlane: boolean): void {
    tenantLines(tenant, 'cluster.local');
    if (tenant.entry === undefined) {
      this.indexOf.set(tenant.exposure, this.indexOf.get(tenant.exposure) ?? this.entries.length);
    }
    this.entries.push({ ...tenant, controlPlane });
    this.revision++;
  }

  /** The port or the address of a tenant, which is known already unless it has no other route here. */
  public addFurther(tenant: GatewayTenant): void {
    const index = this.indexOf.get(tenant.exposure);
    if (index === undefined) {
      return this.add(tenant, true);
    }
    const known = this.entries[index];
    this.entries[index] = { ...known, portRoutes: [...known.portRoutes ?? [], ...tenant.portRoutes ?? []], address: known.address ?? tenant.address };
    this.revision++;
  }

  /** The routes of a tenant that are found by their ports. */
  public portRoutesOf(exposure: Exposure): PassthroughRoute[] {
    return this.entries[this.indexOf.get(exposure) ?? -1]?.portRoutes ?? [];
  }

  /** A tcp-proxy relies on the cluster ID of this exposure. */
  public expect(exposure: Exposure): void {
    this.expected.push(exposure);
  }

  public get all(): readonly GatewayTenant[] {
    return this.entries;
  }

  /** What they are found by, with whose it is. */
  public names(): { readonly what: string; readonly name: string; readonly holder: string }[] {
    return this.entries.flatMap(entry => namesOf(entry).map(([what, name]) => ({ what, name, holder: `${entry.exposure.namespace}/${entry.exposure.name}` })));
  }

  /** The tenants with a list of sources. */
  public limited(): GatewayTenant[] {
    return this.entries.filter(entry => entry.allowedCidrs);
  }

  /** The ports that lead to tenants, in order. */
  public ports(): number[] {
    return [...new Set(this.entries.flatMap(({ portRoutes = [] }) => portRoutes.map(({ port }) => port)))].sort((a, b) => a - b);
  }

  public errors(): string[] {
    return [...this.duplicates(), ...this.missing()];
  }

  private duplicates(): string[] {
    const errors: string[] = [];
    const holders: { [what: string]: Map<string, Entry> } = {};
    for (const entry of this.entries) {
      const { exposure: { namespace, name: of }, entry: further } = entry;
      const names: [what: string, name: string][] = [['name', further === undefined ? `${namespace}/${of}` : `${namespace}/${of}/${further}`], ...namesOf(entry)];
      for (const [what, name] of names) {
        const known = holders[what] ??= new Map<string, Entry>();
        const other = known.get(name);
        if (!other) {
          known.set(name, entry);
          continue;
        }
        // Control planes of this app claim their names app-wide; ports and addresses are of the gateway, unless they are said of the shared address.
        if (OF_THE_GATEWAY[what] === undefined ? !(other.controlPlane && entry.controlPlane) : !claimedByBoth(what, name, other, entry)) {
          const [a, b] = [other, entry].map(({ exposure }) => `${exposure.namespace}/${exposure.name}`).sort();
          errors.push(`${what}: "${name}" is registered at ${this.gateway.node.path} by both ${a} and ${b}. ` +
            `A shared gateway would have to choose: give each control plane ${OF_THE_GATEWAY[what] ?? 'names'} of its own, and register it once.`);
        }
      }
    }
    return errors;
  }

  private missing(): string[] {
    if (this.expected.length === 0) {
      return [];
    }
    const names = new Set(this.entries.filter(({ entry }) => entry === undefined).flatMap(({ exposure: { namespace, name, clusterId } }) => [`${namespace}/${name}`, clusterId]));
    return this.expected.filter(({ clusterId, namespace, name }) => !names.has(clusterId ?? `${namespace}/${name}`)).map(({ clusterId, namespace, name }) =>
      invalidInput(clusterId === undefined ? 'name' : 'clusterId', clusterId ?? name, `of ${namespace}/${name} is not known at the gateway ${this.gateway.node.path}, which its tcp-proxy connects to`,
        'Give the control plane the controller gateway.asController(), or call gateway.register(controlPlane.exposure)').message);
  }
}

/** What a tenant is found by. */
function namesOf({ exposure: { clusterId }, entry, routes, portRoutes = [], address }: GatewayTenant): [what: string, name: string][] {
  const names: [what: string, name: string][] = [];
  if (clusterId !== undefined && entry === undefined) {
    names.push([CLUSTER_ID, clusterId]);
  }
  routes.forEach(route => names.push([SNI_HOST, route.hostname]));
  portRoutes.forEach(route => names.push([PORT, String(route.port)]));
  if (address) {
    names.push([ADDRESS, address.address]);
  }
  return names;
}

/** Whether control planes of this app both claim a port, or an address, of the shared address that their Services `kubernetes` lead to. */
function claimedByBoth(what: string, name: string, ...entries: Entry[]): boolean {
  const [some, others] = entries.map(({ controlPlane, exposure: { portRoute, addressRoute, kubernetesEndpoint } }) => {
    const port = (portRoute ?? addressRoute)?.port;
    const addresses = controlPlane && port !== undefined ? kubernetesEndpoint?.addresses ?? [] : [];
    return addresses.filter(address => name === (what === PORT ? String(port) : address)).map(address => `${address} ${port}`);
  });
  return some.some(endpoint => others.includes(endpoint));
}
