import { Domains } from './domains';
import type { Edge, Member } from './fleet-clusters';
import { FleetDocument, FleetRoute, tenantName } from './fleet-document';
import { isInPortRange } from '../../model/port-range';
import { invalidInput } from '../../validation/invalid-input';
import { CLUSTER_ID, PORT, SNI_HOST } from '../claimed-names';

/** More errors than these are one error in the file of a cluster. */
const MOST_ERRORS = 20;

/** Names that the edge's own tenants have. */
export type OwnNames = readonly { readonly what: string; readonly name: string; readonly holder: string }[];

/** What may be there once over all clusters of a fleet, and what each cluster may claim. */
export class FleetClaims {
  private readonly holders = new Map<string, Map<string, string>>();
  private readonly found: string[] = [];
  private count = 0;

  public constructor(private readonly edge: Edge, private readonly domains: Domains, private readonly singlePorts: ReadonlySet<number>) {}

  /** Claims what the tenants of a cluster have. */
  public addCluster(member: Member, document: FleetDocument): void {
    this.checkClusterIds(member, document);
    for (const tenant of document.tenants) {
      const holder = `${tenantName(tenant)} of cluster ${member.name}`;
      if (tenant.clusterId !== undefined) {
        this.claim(CLUSTER_ID, tenant.clusterId, holder);
      }
      for (const route of tenant.routes) {
        if (route.foundBy === 'host') {
          this.checkHost(member, route, holder);
          this.claim(SNI_HOST, route.host, holder);
        } else {
          this.checkPort(member, route, holder);
          this.claim(PORT, String(route.port), holder);
        }
      }
    }
  }

  /** Says what the gateway's own tenants have, whose claims are compared elsewhere. */
  public addOwn(own: OwnNames): void {
    own.forEach(({ what, name, holder }) => entryOf(this.holders, what).set(name, holder));
  }

  public errors(): string[] {
    const more = this.count - this.found.length;
    return more === 0 ? this.found : [...this.found, `${this.edge.node.path}: clusters: ${more} more claims of tenants cannot be met.`];
  }

  /** One tenant may say twice that it has a name. */
  private claim(what: string, name: string, holder: string): void {
    const names = entryOf(this.holders, what);
    const other = names.get(name);
    if (other === undefined) {
      names.set(name, holder);
    } else if (other !== holder || what === PORT) {
      this.add(() => `${what}: "${name}" is claimed at ${this.edge.node.path} by both ${[other, holder].sort().join(' and ')}. ` +
        'In a fleet it leads to one tenant: take it away from one of them, in the app of its cluster.');
    }
  }

  private checkHost({ field, name }: Member, { host, port }: FleetRoute, holder: string): void {
    const { sniPort, node: { path } } = this.edge;
    const owner = this.domains.of(host);
    if (owner?.cluster !== name) {
      this.add(() => placed(path, `${field}.domains`, host, owner === undefined
        ? `of ${holder} is in none of them`
        : `of ${holder} is in ${owner.domain}, a domain of cluster ${owner.cluster}`,
      `Add the host or a domain of it, if the tenant is right to have it; otherwise look at who wrote the routes of ${name}`));
    }
    if (port !== sniPort) {
      this.add(() => placed(path, 'sniPort', sniPort, `is where this gateway finds hosts, and ${host} of ${holder} has port ${port}`, 'Give the gateways of a fleet the same sniPort'));
    }
  }

  private checkPort({ field, portRange, ports = [], name }: Member, { port }: FleetRoute, holder: string): void {
    if (!(this.singlePorts.has(port) ? ports.includes(port) : isInPortRange(port, portRange))) {
      this.add(() => placed(this.edge.node.path, `${field}.portRange`, portRange, `does not have the port ${port} of ${holder}`,
        `Give cluster ${name} ports of the gateway's, and the gateway there the same as its portRange; that of a tenant which has moved there as one of its "ports"`));
    }
  }

  /** Proxies of tenants dial the edge as their own gateway says. */
  private checkClusterIds({ field, name }: Member, { clusterIds, tenants }: FleetDocument): void {
    const { clusterIdPort, tlvType, node: { path } } = this.edge;
    if (clusterIds === undefined || clusterIdPort === undefined || !tenants.some(({ clusterId }) => clusterId !== undefined)) {
      return;
    }
    if (clusterIds.port !== clusterIdPort || clusterIds.tlvType !== tlvType) {
      this.add(() => placed(path, `${field}.routes`, clusterIds, `is how proxies of cluster ${name} say their IDs, and this gateway has port ${clusterIdPort} and TLV ${tlvType}`,
        'Give the gateways of a fleet the same clusterIdPort and tlvType'));
    }
  }

  private add(message: () => string): void {
    this.count++;
    if (this.found.length < MOST_ERRORS) {
      this.found.push(message());
    }
  }
}

function entryOf(maps: Map<string, Map<string, string>>, key: string): Map<string, string> {
  const entry = maps.get(key) ?? new Map<string, string>();
  maps.set(key, entry);
  return entry;
}

function placed(path: string, field: string, value: unknown, reason: string, remedy: string): string {
  const error = invalidInput(field, value, reason, remedy);
  error.placeAt(path);
  return error.message;
}
