import { readFileSync } from 'fs';
import { ApiObject, App, Chart } from 'cdk8s';
import { measure, nameOf } from './measure';
import type { Template } from './template';

/** The same objects as a user writes them by hand: literals with the tenant's name in them. */
const { management, tenant, checksums }: Template = JSON.parse(readFileSync(process.argv[6], 'utf8'));
const charts = [['management-', management], ['', tenant]].map(([prefix, source]) =>
  ({ prefix, manifests: new Function('name', 'checksum', `return ${source}`) as (name: string, checksum: string) => any[] }));

function addTenant(app: App, index: number): void {
  for (const { prefix, manifests } of charts) {
    const chart = new Chart(app, prefix + nameOf(index));
    manifests(nameOf(index), checksums[index]).forEach((manifest, i) => new ApiObject(chart, String(i), manifest));
  }
}

measure(addTenant);
