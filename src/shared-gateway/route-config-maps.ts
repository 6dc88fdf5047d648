import { ApiObject, Lazy } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import type { FleetClusters } from './fleet/fleet-clusters';
import { oversized, RoutingTexts, shardOf, tenantLines, textsOf } from './routing-tables';
import { GatewayTenants } from './tenants';
import { mapFile, ROUTING_TABLES, RoutingTable } from '../agent/contract/routing-tables';
import { Plain } from '../objects/plain';

/** What the tables of a gateway depend on besides its tenants. */
export interface RouteConfigMapsOptions {
  readonly clusterDomain: string;
  /** Other management clusters. */
  readonly clusters: FleetClusters;
  /** How many ConfigMaps the tenants are distributed over. */
  readonly shards: number;
  /** Tables that the gateway looks nothing up in, and that the ConfigMaps lack. */
  readonly absent: readonly RoutingTable[];
  /** Tables that the gateway looks nothing up in, and that are there without a line. */
  readonly empty: readonly RoutingTable[];
}

/** The routing tables of a gateway, as ConfigMaps. */
export class RouteConfigMaps {
  private cache?: { readonly revision: string; readonly texts: RoutingTexts[] };

  public constructor(private readonly tenants: GatewayTenants, private readonly options: RouteConfigMapsOptions) {}

  /** Those that the ConfigMaps hold. */
  public get tables(): readonly RoutingTable[] {
    return ROUTING_TABLES.filter(table => !this.options.absent.includes(table));
  }

  /** The names of the ConfigMaps, which hold the tables of a shard each. */
  public names(gateway: string): string[] {
    const { shards } = this.options;
    return Array.from({ length: shards }, (_, shard) => `${gateway}-routes-${shard}-of-${shards}`);
  }

  /** Adds them. Tenants may follow until synthesis. */
  public add(scope: Construct, names: readonly string[], metadata: Plain<k8s.ObjectMeta>): void {
    names.forEach((name, shard) => new ApiObject(scope, `routes-${shard}`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name } as object,
      data: Object.fromEntries(this.tables.map(table => [mapFile(table), Lazy.any({ produce: () => this.texts()[shard][table] })])),
    }));
  }

  /** What is wrong with their size. */
  public errors(): string[] {
    return this.texts().flatMap(texts => oversized(texts, this.options.shards) ?? []);
  }

  /** The tables of every shard. Synthesis asks for each of them several times. */
  private texts(): RoutingTexts[] {
    const revision = `${this.tenants.revision},${this.options.clusters.revision}`;
    if (this.cache?.revision !== revision) {
      this.cache = { revision, texts: this.computeTexts() };
    }
    return this.cache.texts;
  }

  private computeTexts(): RoutingTexts[] {
    const { clusters, clusterDomain, shards, absent, empty } = this.options;
    const nothing = Object.fromEntries([...absent, ...empty].map(table => [table, '']));
    const lines = clusters.lines(shards).map(of => [of]);
    this.tenants.all.forEach(tenant => lines[shardOf(tenant, shards)].push(tenantLines(tenant, clusterDomain)));
    return lines.map(of => ({ ...textsOf(of), ...nothing }));
  }
}
