import { join } from 'path';
import { App } from 'cdk8s';
import { addCluster, addEdge } from './apps';
import { clusterName, Place } from './names';
import { FleetExport, FleetRoutes } from '../../src';

/*
 * Synthesizes an app of the fleet as the arguments ask, WHAT TENANTS PORT OUTDIR PLACES FILES, and prints what that took:
 *
 * - a number: the app of that cluster, which writes its file for the edge to FILES
 * - `listed`: that of the edge, with the files in FILES
 * - `domains`: that of the edge, without them
 * - `all`: all clusters and the edge in one app
 */
const [what, tenants, port, outdir, placesText, files] = process.argv.slice(2);
const places: Place[] = JSON.parse(placesText);
const count = Number(tenants);
const app = new App({ outdir });
switch (what) {
  case 'listed':
    addEdge(app, count, places, places.map((_, i) => FleetRoutes.fromFile(join(files, `${clusterName(i)}.json`))));
    break;
  case 'domains':
    addEdge(app, count, places);
    break;
  case 'all':
    addEdge(app, count, places, places.map((place, i) => FleetRoutes.ofGateway(addCluster(app, i, count, Number(port), place))));
    break;
  default: {
    const cluster = Number(what);
    const gateway = addCluster(app, cluster, count, Number(port), places[cluster]);
    new FleetExport(gateway, 'fleet', { gateway, cluster: clusterName(cluster), address: places[cluster].address, folder: files });
  }
}
app.synth();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({
  wallMs: Math.round(performance.now()), cpuMs: Math.round((user + system) / 1000), peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1024),
}));
