import { readFileSync, Stats, statSync } from 'fs';
import { FLEET_KIND, FLEET_LIMITS, FLEET_VERSION, FleetClusterIds, FleetFile, FleetRoute, FleetTenant, tenantName } from './fleet-document';
import { validateGatewayAddress } from './fleet-props';
import { validateClusterId } from '../../model/cluster-id';
import { validateHostname } from '../../validation/hostname';
import { invalidInput } from '../../validation/invalid-input';
import { validateDns1035Label, validateDns1123Label, validatePort } from '../../validation/name';
import { Checks, listOf, oneOf, optional, struct } from '../../validation/props';
import { wholeNumber } from '../../validation/whole-number';

const WRITE_ANEW = 'Have the app of the cluster write it anew with FleetExport';

const ROUTE: Checks<FleetRoute> = { service: validateDns1123Label, host: validateHostname, port: validatePort, foundBy: oneOf(['host', 'port'] as const) };
const TENANT: Checks<FleetTenant> = {
  namespace: validateDns1123Label,
  name: validateDns1035Label,
  entry: optional(validateDns1123Label),
  clusterId: optional(validateClusterId),
  routes: listOf(struct<FleetRoute>(ROUTE)),
};
const FILE: Checks<FleetFile> = {
  cluster: validateDns1123Label,
  gateway: struct({ address: validateGatewayAddress, port: validatePort }),
  clusterIds: optional(struct<FleetClusterIds>({ port: validatePort, tlvType: wholeNumber('the type of a TLV', 0, 255) })),
  tenants: validateTenants,
};

/**
 * Reads what another cluster's app has written. Its author may be anybody who got hold of that cluster, so nothing of it is taken that was not checked, and
 * nothing that was not asked for.
 *
 * @throws when it cannot be read, is of a later version, or has something that no app writes
 */
export function readFleetFile(field: string, path: string): FleetFile {
  return parseFleetFile(`${field} ${path}`, readText(field, path));
}

/** Likewise the text of a file. */
export function parseFleetFile(field: string, text: string): FleetFile {
  const value = parse(field, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidInput(field, undefined, 'is no object', WRITE_ANEW);
  }
  const { kind, version } = value;
  if (kind !== FLEET_KIND) {
    throw invalidInput(`${field}: kind`, kind, `is not ${FLEET_KIND}`, 'Give the file that FleetExport wrote');
  }
  if (typeof version === 'number' && version > FLEET_VERSION) {
    throw invalidInput(`${field}: version`, version, `is later than ${FLEET_VERSION}, which this version of the library reads`,
      'Update the library in the app of the edge first, then in those of the clusters');
  }
  if (version !== FLEET_VERSION) {
    throw invalidInput(`${field}: version`, version, 'is not a version that there is', WRITE_ANEW);
  }
  const file = value as unknown as FleetFile;
  for (const name of Object.keys(FILE) as (keyof FleetFile)[]) {
    FILE[name](`${field}: ${name}`, value[name] as never);
  }
  const { cluster, gateway: { address, port }, clusterIds } = file;
  return {
    cluster,
    gateway: { address, port },
    clusterIds: clusterIds && { port: clusterIds.port, tlvType: clusterIds.tlvType },
    tenants: file.tenants.map(({ namespace, name, entry, clusterId, routes }) => ({
      namespace, name, entry, clusterId, routes: routes.map(({ service, host, port: at, foundBy }) => ({ service, host, port: at, foundBy })),
    })),
  };
}

function readText(field: string, path: string): string {
  const unreadable = (why: string) => invalidInput(field, path, `cannot be read: ${why}`,
    'Give the path of the file that FleetExport wrote, from the current folder or absolute');
  let stat: Stats;
  try {
    stat = statSync(path);
  } catch (error) {
    throw unreadable((error as Error).message);
  }
  if (!stat.isFile()) {
    throw unreadable('it is not a file');
  }
  const { size } = stat;
  if (size > FLEET_LIMITS.bytes) {
    throw invalidInput(field, path, `has ${size} bytes, and no more than ${FLEET_LIMITS.bytes} are read`, 'Give the file that FleetExport wrote; spread so many tenants over several clusters');
  }
  return readFileSync(path, 'utf8');
}

function parse(field: string, text: string): { [name: string]: unknown } {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput(field, undefined, `is not JSON: ${(error as Error).message.slice(0, 200)}`, WRITE_ANEW);
  }
}

function validateTenants(field: string, tenants: FleetTenant[]): void {
  const { tenants: mostTenants, routesOfTenant } = FLEET_LIMITS;
  if (Array.isArray(tenants) && tenants.length > mostTenants) {
    throw invalidInput(field, tenants.length, `tenants are more than ${mostTenants}`, 'Spread them over several clusters');
  }
  if (!Array.isArray(tenants) || !tenants.every(isPlain)) {
    listOf(struct<FleetTenant>(TENANT))(field, tenants);
  }
  const names = new Set<string>();
  tenants.forEach((tenant, i) => {
    if (tenant.routes.length > routesOfTenant) {
      throw invalidInput(`${field}[${i}].routes`, tenant.routes.length, `routes are more than ${routesOfTenant}`, WRITE_ANEW);
    }
    const name = tenantName(tenant);
    if (names.has(name)) {
      throw invalidInput(`${field}[${i}]`, name, 'is there twice', WRITE_ANEW);
    }
    names.add(name);
  });
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const PLAIN_NAME = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PLAIN_HOST = new RegExp(`^(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$`);
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Whether a tenant is as nearly all are, so that no text is made for a message about each of its properties; the checks say what is wrong with others. */
function isPlain(tenant: FleetTenant | null): boolean {
  return typeof tenant === 'object' && tenant !== null && isText(PLAIN_NAME, tenant.namespace) && isText(PLAIN_NAME, tenant.name) &&
    (tenant.entry === undefined || isText(PLAIN_NAME, tenant.entry)) && (tenant.clusterId === undefined || isText(PLAIN_ID, tenant.clusterId)) &&
    Array.isArray(tenant.routes) && tenant.routes.every(isPlainRoute);
}

function isPlainRoute(route: FleetRoute | null): boolean {
  return typeof route === 'object' && route !== null && isText(PLAIN_NAME, route.service) &&
    isText(PLAIN_HOST, route.host) && route.host.length <= 253 && !route.host.startsWith('kubernetes.') &&
    Number.isInteger(route.port) && route.port >= 1 && route.port <= 65_535 && (route.foundBy === 'host' || route.foundBy === 'port');
}

function isText(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}
