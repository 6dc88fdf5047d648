import { Domains } from './domains';
import { FleetClaims } from './fleet-claims';
import { FleetDocument, FleetFile, FleetTenant } from './fleet-document';
import { DEFAULT_EDGE_PORT, FleetCluster } from './fleet-props';
import { clusterTarget, gatewayText, MOST_LABELS_IN_DOMAIN } from '../../agent/contract/clusters';
import { mapLine, RoutingTable } from '../../agent/contract/routing-tables';
import { isInPortRange, PortRange } from '../../model/port-range';
import { invalidInput } from '../../validation/invalid-input';
import { canonicalAddress, ipFamily } from '../../validation/ip-network';
import { RoutingLines, shardOfName } from '../routing-tables';
import type { SharedIngressGateway } from '../shared-ingress-gateway';
import type { GatewayTenants } from '../tenants';

/** What the edge of a fleet is itself. */
export type Edge = Pick<SharedIngressGateway, 'node' | 'sniPort' | 'clusterIdPort' | 'tlvType' | 'portRange'>;

/** A cluster with all that is not left to defaults. */
export interface Member extends FleetCluster {
  /** Where errors find it, e.g. `clusters[0]`. */
  readonly field: string;
  readonly port: number;
  readonly everyHost: boolean;
}

/** The other management clusters of an edge, and their tenants. */
export class FleetClusters {
  private readonly members: Member[];
  private readonly domains = new Domains();
  /** Ports that a cluster has by themselves, whose range of another one does not count for them. */
  private readonly singlePorts = new Set<number>();
  private readonly files = new Map<Member, FleetFile | FleetDocument>();
  private read?: { readonly revision: string; readonly documents: Map<Member, FleetDocument> };
  /** cdk8s asks for errors once for each chart. */
  private known?: { readonly revision: string; readonly errors: string[] };

  /** @throws when clusters get in each other's way, or the file of one cannot be used */
  public constructor(private readonly edge: Edge, clusters: FleetCluster[]) {
    this.members = clusters.map(({ address, port = DEFAULT_EDGE_PORT, everyHost, ...cluster }, i) =>
      ({ ...cluster, address: oneSpelling(address), port, everyHost: everyHost ?? cluster.routes === undefined, field: `clusters[${i}]` }));
    this.members.forEach((member, i) => this.admit(member, this.members.slice(0, i)));
  }

  public get isEmpty(): boolean {
    return this.members.length === 0;
  }

  /** Where the edge connects to. */
  public get gateways(): { readonly address: string; readonly port: number }[] {
    return this.members;
  }

  /** Changes when tenants do. */
  public get revision(): string {
    return this.members.map(({ routes }) => routes?._revision ?? 0).join();
  }

  /** The ports that lead to tenants of other clusters. */
  public ports(): number[] {
    return [...this.documents()].filter(([{ portRange, ports = [] }]) => portRange !== undefined || ports.length > 0).flatMap(([, { tenants }]) => tenants.flatMap(({ routes }) => routes.filter(({ foundBy }) => foundBy === 'port').map(({ port }) => port)));
  }

  /** Lines of each shard: a cluster's and a tenant's are always in the same one. */
  public lines(shards: number): RoutingLines[] {
    const lines = Array.from({ length: shards }, noLines);
    for (const [member, { tenants }] of this.documents()) {
      addCluster(lines[shardOfName(member.name, shards)], member, this.domainsWithLines(member));
      for (const tenant of tenants) {
        this.addTenant(lines[shardOfName(`${member.name}/${tenant.namespace}/${tenant.name}`, shards)], member, tenant);
      }
    }
    return lines;
  }

  /** What tenants claim that others have, or that is not for their cluster. */
  public errors(own: GatewayTenants): string[] {
    if (this.isEmpty) {
      return [];
    }
    const revision = `${this.revision} ${own.revision}`;
    if (this.known?.revision !== revision) {
      this.known = { revision, errors: this.computeErrors(own) };
    }
    return this.known.errors;
  }

  private computeErrors(own: GatewayTenants): string[] {
    const documents = this.documents();
    const claims = new FleetClaims(this.edge, this.domains, this.singlePorts);
    claims.addOwn(own.names());
    for (const [member, document] of documents) {
      claims.addCluster(member, document);
    }
    return claims.errors();
  }

  private admit(member: Member, others: Member[]): void {
    const { field, name, domains, portRange, ports, routes, standbyTenants } = member;
    if (others.some(other => other.name === name)) {
      throw invalidInput(`${field}.name`, name, 'is the name of another cluster as well', 'Give each cluster a name of its own');
    }
    domains.forEach((domain, i) => {
      const other = this.domains.add(domain, name);
      if (other !== undefined) {
        throw invalidInput(`${field}.domains[${i}]`, domain, `is a domain of cluster ${other} as well`, 'Give each cluster domains of its own; one that lies in that of another is its own');
      }
    });
    if (portRange) {
      this.admitPorts(member, portRange, others);
    }
    (ports ?? []).forEach((port, i) => this.admitPort(`${field}.ports[${i}]`, port, others));
    if (standbyTenants && !routes) {
      throw invalidInput(`${field}.standbyTenants`, standbyTenants, 'are not known here, as the cluster has no routes', 'Leave it out: where its domains lead is what counts');
    }
    if (member.routes?._gateway) {
      requireEdgePort(member, member.routes._gateway);
    }
    const document = member.routes?._gateway ? undefined : member.routes?._read(`${field}.routes`);
    if (document) {
      requireOwnFile(member, document as FleetFile);
      this.files.set(member, document);
    }
  }

  private admitPorts({ field }: Member, portRange: PortRange, others: Member[]): void {
    const { first, last } = portRange;
    if (!isInPortRange(first, this.edge.portRange) || !isInPortRange(last, this.edge.portRange)) {
      throw invalidInput(`${field}.portRange`, portRange, 'is not within the portRange of the gateway', 'Give a part of that, and the gateway a portRange for all clusters');
    }
    const other = others.find(({ portRange: of }) => of && of.first <= last && first <= of.last);
    if (other) {
      throw invalidInput(`${field}.portRange`, portRange, `has ports of cluster ${other.name} as well`, 'Give each cluster ports of its own');
    }
  }

  private admitPort(field: string, port: number, others: Member[]): void {
    if (!isInPortRange(port, this.edge.portRange)) {
      throw invalidInput(field, port, 'is not within the portRange of the gateway', 'Give one of that');
    }
    const other = others.find(({ ports = [] }) => ports.includes(port));
    if (other) {
      throw invalidInput(field, port, `is a port of cluster ${other.name} as well`, 'Leave it to one of them');
    }
    this.singlePorts.add(port);
  }

  /** Files are read once, gateways of the app whenever they have other tenants. */
  private documents(): Map<Member, FleetDocument> {
    const { revision } = this;
    if (this.read?.revision !== revision) {
      const documentOf = (member: Member) => withoutStandby(member, this.files.get(member) ?? member.routes?._read(member.field) ?? { tenants: [] });
      this.read = { revision, documents: new Map(this.members.map(member => [member, documentOf(member)])) };
    }
    return this.read.documents;
  }

  private addTenant(lines: MutableLines, { name, everyHost }: Member, { clusterId, routes }: FleetTenant): void {
    const target = clusterTarget(name);
    if (clusterId !== undefined) {
      lines['cluster-ids'].push(mapLine(clusterId, target));
    }
    for (const { foundBy, host, port } of routes) {
      if (foundBy === 'port') {
        lines.ports.push(mapLine(String(port), target));
      } else if (!(everyHost && this.isInDomain(host))) {
        lines.hosts.push(mapLine(host, target));
      }
    }
  }

  /**
   * The domains of which every host leads to the cluster. One that lies in such a domain of another cluster is among them in any case: what is not known
   * of it would lead there. The gateway of its own cluster refuses that.
   */
  private domainsWithLines({ domains, everyHost }: Member): string[] {
    const wide = new Set(this.members.filter(member => member.everyHost).map(member => member.name));
    const isWithinOthers = (domain: string): boolean => {
      const outer = this.domains.around(domain);
      return outer !== undefined && (wide.has(outer.cluster) || isWithinOthers(outer.domain));
    };
    return everyHost ? domains : domains.filter(isWithinOthers);
  }

  /** Whether the line of a domain is enough for a host. */
  private isInDomain(host: string): boolean {
    const labels = this.domains.of(host)?.labelsBefore;
    return labels !== undefined && labels <= MOST_LABELS_IN_DOMAIN;
  }
}

/** What the edge leads to of the tenants of a cluster. */
function withoutStandby({ standbyTenants = [] }: Member, document: FleetDocument): FleetDocument {
  const standby = new Set(standbyTenants);
  return standby.size === 0 ? document : { ...document, tenants: document.tenants.filter(({ namespace, name }) => !standby.has(`${namespace}/${name}`)) };
}

/** Lines that are being collected: a fleet has hundreds of thousands, so no tenant has an object of its own for them. */
type MutableLines = { readonly [table in RoutingTable]: string[] };

function noLines(): MutableLines {
  return { 'hosts': [], 'cluster-ids': [], 'ports': [], 'destinations': [], 'tunnel': [], 'allowed': [], 'domains': [], 'gateways': [] };
}

function addCluster(lines: MutableLines, { name, address, port }: Member, domains: readonly string[]): void {
  const target = clusterTarget(name);
  lines.gateways.push(mapLine(target, gatewayText(address, port)));
  for (const domain of domains) {
    // A host that is a domain itself has no domain around it that is its cluster's.
    lines.hosts.push(mapLine(domain, target));
    lines.domains.push(mapLine(domain, target));
  }
}

/** The address is where clients are sent and the name what counts, so neither is left to the file. */
function requireOwnFile({ field, name, address, port }: Member, { cluster, gateway }: FleetFile): void {
  if (cluster !== name) {
    throw invalidInput(`${field}.routes`, cluster, `is the cluster that the file is of, not ${name}`, 'Give each cluster its own file');
  }
  if (oneSpelling(gateway.address) !== address || gateway.port !== port) {
    throw invalidInput(`${field}.address`, address, `and port ${port} are not what the file says: ${gateway.address} and ${gateway.port}`,
      'If its gateway has moved, say so here as well; a file alone cannot send clients elsewhere');
  }
}

/** Otherwise nobody would take what the edge sends. */
function requireEdgePort({ field, port }: Member, { edgePort, node: { path } }: SharedIngressGateway): void {
  if (edgePort === undefined) {
    throw invalidInput(`${field}.routes`, path, 'has no port for the edge of a fleet', 'Give it edge with the networks of this gateway');
  }
  if (edgePort !== port) {
    throw invalidInput(`${field}.port`, port, `is not the port of ${path} for the edge, ${edgePort}`, 'Give that, or leave both out');
  }
}

function oneSpelling(address: string): string {
  return ipFamily(address) ? canonicalAddress(address) : address;
}
