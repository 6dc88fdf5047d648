import { ApiObject, App, Chart } from 'cdk8s';
import { nameOf } from './measure';
import { addTenant } from './platform';

/** What the raw contender needs to make the same manifests. */
export interface Template {
  /** The manifests of a management chart, as a JavaScript expression of `name`. */
  readonly management: string;
  /** The manifests of a tenant chart, as a JavaScript expression of `name` and `checksum`. */
  readonly tenant: string;
  /** The checksum of each tenant's configuration. */
  readonly checksums: string[];
}

/*
 * template.ts COUNT: prints the template for that many tenants.
 */
const app = new App();
for (let i = 0; i < Number(process.argv[2]); i++) {
  addTenant(app, i);
}
const [management, tenant] = app.charts.slice(0, 2).map(manifestsOf);
const checksums = app.charts.filter((_, i) => i % 2 === 1).map(chart => checksumOf(manifestsOf(chart)));
const expression = (manifests: any[]) =>
  JSON.stringify(manifests).split(nameOf(0)).join('"+name+"').split(checksums[0]).join('"+checksum+"');
const result: Template = { management: expression(management), tenant: expression(tenant), checksums };
process.stdout.write(JSON.stringify(result));

function manifestsOf(chart: Chart): any[] {
  return chart.node.findAll().filter(ApiObject.isApiObject).map(object => object.toJson());
}

function checksumOf(manifests: any[]): string {
  return manifests.find(({ kind }) => kind === 'Deployment').spec.template.metadata.annotations['checksum/haproxy-config'];
}
