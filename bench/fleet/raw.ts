import { createHash } from 'crypto';
import { readFileSync } from 'fs';
import { join } from 'path';
import { ApiObject, App, Chart } from 'cdk8s';
import { clusterIdOf, clusterName, clusterOf, CLUSTERS, hostOf, konnectivityHostOf, serviceOf, tenantName } from './names';

/*
 * The same objects as `listed` and `all` of synth.ts, as a user writes them by hand: objects that do not depend on tenants are read, as they were
 * synthesized, and lines are made in a loop. Arguments: WHAT TENANTS PORT OUTDIR TEMPLATES FILES.
 */
const [what, tenants, port, outdir, templates, files] = process.argv.slice(2);
const app = new App({ outdir });
type Tables = { [table: string]: string[] };

/** Objects of a chart, with these lines in the ConfigMaps of its routes. */
function add(name: string, shardOf: Map<number, Tables>): void {
  const chart = new Chart(app, name);
  const manifests: any[] = JSON.parse(readFileSync(join(templates, `${name}.json`), 'utf8'));
  manifests.forEach((manifest, i) => {
    const shard = /-routes-(\d+)-of-/.exec(manifest.metadata.name)?.[1];
    for (const table of shard === undefined ? [] : Object.keys(manifest.data)) {
      manifest.data[table] += (shardOf.get(Number(shard))?.[table] ?? []).sort().map(line => `${line}\n`).join('');
    }
    new ApiObject(chart, String(i), manifest);
  });
}

const shardOf = (name: string, shards: number) => createHash('sha256').update(name).digest().readUInt32BE() % shards;

function push(lines: Map<number, Tables>, shard: number, hosts: string[], ids: string[]): void {
  let tables = lines.get(shard);
  if (!tables) lines.set(shard, tables = { 'hosts.map': [], 'cluster-ids.map': [] });
  tables['hosts.map'].push(...hosts);
  tables['cluster-ids.map'].push(...ids);
}

const shards = Math.max(8, Math.ceil(Number(tenants) / 4_000));
const edge = new Map<number, Tables>();
if (what === 'listed') {
  for (let cluster = 0; cluster < CLUSTERS; cluster++) {
    const name = clusterName(cluster);
    const file = JSON.parse(readFileSync(join(files, `${name}.json`), 'utf8'));
    for (const tenant of file.tenants) {
      push(edge, shardOf(`${name}/${tenant.namespace}/${tenant.name}`, shards), tenant.routes.map(({ host }: any) => `${host} @${name}`), [`${tenant.clusterId} @${name}`]);
    }
  }
} else {
  const inner = Array.from({ length: CLUSTERS }, () => new Map<number, Tables>());
  for (let i = 0; i < Number(tenants); i++) {
    const cluster = clusterOf(i);
    const [api, konnectivity] = [`${serviceOf(i)}:${port}`, `${serviceOf(i)}:8132`];
    push(inner[cluster], shardOf(`${tenantName(i)}/${tenantName(i)}`, 8), [`${hostOf(i)} ${api}`, `${konnectivityHostOf(i)} ${konnectivity}`], [`${clusterIdOf(i)} ${api}`]);
    const target = `@${clusterName(cluster)}`;
    push(edge, shardOf(`${clusterName(cluster)}/${tenantName(i)}/${tenantName(i)}`, shards),
      [`${hostOf(i)} ${target}`, `${konnectivityHostOf(i)} ${target}`], [`${clusterIdOf(i)} ${target}`]);
  }
  inner.forEach((lines, cluster) => add(clusterName(cluster), lines));
}
add('edge', edge);
app.synth();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({
  wallMs: Math.round(performance.now()), cpuMs: Math.round((user + system) / 1000), peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1024),
}));
