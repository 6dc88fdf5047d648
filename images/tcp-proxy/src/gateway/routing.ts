import { join } from 'path';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { AddressBook } from './address-book';
import { MapSync, UnusedTableError } from './map-sync';
import { NOTHING_REFUSED, Refusals } from './refusals';
import { RouteFiles, Routes } from './route-files';
import { Endpoint, endpointsOf, MountedTables, serviceBehind, Table, TableName } from './routing-tables';
import { TenantConnections } from './tenant-connections';
import { Metric, METRICS } from '../../../../src/agent/contract/metrics';
import type { RuntimeApi } from '../haproxy/runtime-api';
import { described } from '../health/described';

export interface RoutingOptions {
  readonly files: RouteFiles;
  readonly addresses: AddressBook;
  /** Folder of the maps that HAProxy reads. */
  readonly mapsDir: string;
  readonly runtime: RuntimeApi;
  /** Close the open connections of targets that are removed. */
  readonly closeRemoved: boolean;
  readonly logger: Logger;
  readonly registry: Registry;
}

/**
 * Sources are admitted before a target limits them, another cluster is known before anything leads there, and a target is gone before its
 * service's address is.
 */
const ORDER: readonly TableName[] = ['allowed', 'addresses', 'gateways', 'hosts', 'cluster-ids', 'ports', 'destinations', 'tunnel', 'domains'];

/** Keeps the maps of HAProxy equal to the mounted files and the known addresses. */
export class Routing {
  private readonly maps: Record<TableName, MapSync>;
  private readonly connections: TenantConnections;
  private routes: Routes = {
    tables: {
      'hosts': new Map(),
      'cluster-ids': new Map(),
      'ports': new Map(),
      'destinations': new Map(),
      'tunnel': new Map(),
      'allowed': new Map(),
      'domains': new Map(),
      'gateways': new Map(),
    },
    refusals: NOTHING_REFUSED,
  };
  private readonly updates: Counter<'table'>;
  private loggedRefusals = '';
  private readonly unused = new Set<TableName>();
  /** `address:port` of targets that were removed and whose connections are not closed yet: HAProxy may fail to answer in the middle. */
  private readonly leaving = new Set<string>();

  constructor(private readonly options: RoutingOptions) {
    const { mapsDir, runtime, registry } = options;
    const map = (name: TableName) => new MapSync(name, mapsDir, runtime);
    this.maps = {
      'hosts': map('hosts'),
      'cluster-ids': map('cluster-ids'),
      'ports': map('ports'),
      'destinations': map('destinations'),
      'tunnel': map('tunnel'),
      'allowed': map('allowed'),
      'domains': map('domains'),
      'gateways': map('gateways'),
      'addresses': map('addresses'),
    };
    this.connections = new TenantConnections(runtime);
    this.updates = new Counter(described(METRICS.gatewayMapUpdates, registry));
    const gauge = (metric: Metric<never>, value: () => number) => new Gauge({
      ...described(metric, registry),
      collect() {
        this.set(value());
      },
    });
    gauge(METRICS.gatewayHosts, () => this.routes.tables.hosts.size);
    gauge(METRICS.gatewayClusterIds, () => this.routes.tables['cluster-ids'].size);
    gauge(METRICS.gatewayPorts, () => this.routes.tables.ports.size);
    gauge(METRICS.gatewayDestinations, () => this.routes.tables.destinations.size);
    gauge(METRICS.gatewayTunnels, () => this.routes.tables.tunnel.size);
    gauge(METRICS.gatewayClusters, () => this.routes.tables.gateways.size);
    gauge(METRICS.gatewayRefusedLines, () => this.routes.refusals.count);
    gauge(METRICS.gatewayServices, () => options.addresses.status().services);
    gauge(METRICS.gatewayServicesUnresolved, () => options.addresses.status().unresolved);
    gauge(METRICS.gatewayServicesFailing, () => options.addresses.status().failing.size);
  }

  /** Lines and keys that are not in use, and why. */
  public get refusals(): Refusals {
    return this.routes.refusals;
  }

  /** Before HAProxy starts: it reads the maps from files. */
  public async prepare(): Promise<void> {
    await this.options.addresses.load(join(this.options.mapsDir, 'addresses.map'));
    await this.read();
    await this.write();
  }

  /** Reads the mounted files and makes the files of HAProxy equal, and HAProxy itself if it runs. */
  public async reconcile(running: boolean): Promise<void> {
    const before = this.routes.tables;
    const addresses = this.options.addresses.addresses;
    await this.read();
    if (this.options.closeRemoved && before !== this.routes.tables) this.leave(before, addresses);
    if (running) {
      for (const table of ORDER) {
        if (await this.apply(table)) this.updates.inc({ table });
      }
      if (this.leaving.size > 0) await this.closeRemoved();
    }
    await this.write();
  }

  /** Nobody took a connection to this target: its address may be another by now. */
  public unanswered(target: string): void {
    const service = serviceBehind(target, this.routes.tables.gateways);
    if (service !== undefined) this.options.addresses.doubt(service);
  }

  /** HAProxy was started again or reloaded. */
  public forget(): void {
    for (const map of Object.values(this.maps)) map.forget();
  }

  private async read(): Promise<void> {
    const { files, addresses, logger } = this.options;
    this.routes = await files.read();
    addresses.track(new Set([...endpointsOf(this.routes.tables).values()].map(({ service }) => service)));
    const { count, examples } = this.routes.refusals;
    const refusals = `${count}\n${examples.join('\n')}`;
    if (refusals !== this.loggedRefusals && count > 0) {
      logger.error({ refusals: examples.slice(0, 10), count }, 'parts of the mounted maps are not in use');
    }
    this.loggedRefusals = refusals;
  }

  /** The API may have lines for a configuration that is not mounted yet, or never will be here: others do not wait for that. */
  private async apply(table: TableName): Promise<boolean> {
    try {
      const changed = await this.maps[table].apply(this.table(table));
      this.unused.delete(table);
      return changed;
    } catch (error) {
      if (!(error instanceof UnusedTableError)) throw error;
      if (!this.unused.has(table)) this.options.logger.warn({ reason: error.message }, 'lines that HAProxy has no map for are not in use');
      this.unused.add(table);
      return false;
    }
  }

  private async write(): Promise<void> {
    for (const table of ORDER) await this.maps[table].write(this.table(table));
  }

  private table(name: TableName): ReadonlyMap<string, string> {
    return name === 'addresses' ? this.options.addresses.addresses : this.routes.tables[name];
  }

  /** Remembers where the targets are that were removed. */
  private leave(before: MountedTables, addresses: Table): void {
    const current = endpointsOf(this.routes.tables);
    const removed = [...endpointsOf(before)].filter(([endpoint]) => !current.has(endpoint)).map(([, endpoint]) => endpoint);
    for (const destination of destinations(removed, addresses)) this.leaving.add(destination);
  }

  private async closeRemoved(): Promise<void> {
    const inUse = new Set(destinations(endpointsOf(this.routes.tables).values(), this.options.addresses.addresses));
    const removed = [...this.leaving].filter(destination => !inUse.has(destination));
    const closed = await this.connections.close(new Set(removed));
    this.leaving.clear();
    this.options.logger.info({ targets: removed.length, closed }, 'closed connections of removed targets');
  }
}

/** `address:port` of those whose address is known. */
function destinations(endpoints: Iterable<Endpoint>, addresses: Table): string[] {
  return [...endpoints].flatMap(({ service, port }) => {
    const address = addresses.get(service);
    return address === undefined ? [] : [`${address}:${port}`];
  });
}
