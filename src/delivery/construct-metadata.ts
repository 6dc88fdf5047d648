import { existsSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';

/** Where cdk8s writes which construct made each object, for the reports of validation plugins. It is looked for in the output folder alone. */
const FILE = 'construct-metadata.json';

interface ConstructMetadata {
  readonly version: string;
  /** By the names of objects alone. What has no path is unknown to reports. */
  readonly resources: { [name: string]: { readonly path?: string } };
}

/** What cdk8s wrote of the constructs of a tenant; it is no manifest of the tenant, and leaves its folder. */
export function takeConstructMetadata(folder: string): ConstructMetadata['resources'] {
  const path = join(folder, FILE);
  if (!existsSync(path)) {
    return {};
  }
  const { resources }: ConstructMetadata = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  return resources;
}

/**
 * Adds the constructs of tenants to those of the app. A name that several objects have gets no path: a report without the
 * construct is better than one with that of another tenant.
 */
export function addConstructMetadata(outdir: string, tenants: ConstructMetadata['resources'][]): void {
  const path = join(outdir, FILE);
  if (!existsSync(path)) {
    return;
  }
  const { version, resources }: ConstructMetadata = JSON.parse(readFileSync(path, 'utf8'));
  const all = new Map(Object.entries(resources));
  for (const [name, construct] of tenants.flatMap(Object.entries)) {
    all.set(name, all.has(name) ? {} : construct);
  }
  writeFileSync(path, JSON.stringify({ version, resources: Object.fromEntries(all) }));
}
