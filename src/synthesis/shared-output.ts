import { resolve } from 'path';
import { App, Chart } from 'cdk8s';
import { aroundSynthesis } from './around-synthesis';
import { CliOutput, cliOutputOf, isWithin } from './cdk8s-cli';
import { clusterOf } from './chart-cluster';
import { isIncluded } from './included-trees';
import { invalidInput } from '../validation/invalid-input';

/** Folders that apps of this program wrote to, and which wrote last. */
const writers = new Map<string, object>();

/**
 * Says where manifests of several clusters, or of several apps, would end in one place: each is applied as a whole.
 *
 * @return why the app cannot be written as it is to be
 */
export function watchOutput(app: App): () => string[] {
  const output = cliOutputOf(app);
  const writer = {};
  const folder = process.env.CDK8S_OUTDIR ?? app.outdir;
  const othersWrote = () => [...writers].some(([path, other]) => other !== writer && isWithin(folder, path));
  let said = false;
  aroundSynthesis(app, 'synth', synth => () => {
    if (isIncluded(app)) {
      // The app that it is a part of says where it is written to.
      return synth();
    }
    if (!said) {
      said = warn(app, output, writers.get(resolve(app.outdir)), writer, othersWrote());
    }
    synth();
    writers.set(resolve(app.outdir), writer);
  });
  return () => output === CliOutput.HELM && !isIncluded(app) ? helmErrors(app, othersWrote()) : [];
}

function warn(app: App, output: CliOutput, last: object | undefined, writer: object, othersWrote: boolean): boolean {
  const text = output === CliOutput.STDOUT ? severalText(app, othersWrote)
    : last !== undefined && last !== writer
      ? `outdir: "${app.outdir}" is also that of another app of this program, so files of one name are written over. Give each app, e.g. each environment, a folder ` +
        'of its own, e.g. new App({ outdir: join(process.env.CDK8S_OUTDIR ?? "dist", "dev") }).'
      : undefined;
  if (text !== undefined) {
    process.emitWarning(text, 'HostedControlPlaneWarning');
  }
  return text !== undefined;
}

function severalText(app: App, othersWrote: boolean): string | undefined {
  const clusters = clustersOf(app);
  return clusters.length > 1 || othersWrote
    ? `"cdk8s synth --stdout" prints the manifests of several ${othersWrote ? 'apps' : `clusters (${clusters.join(', ')})`} as one text, which no cluster is to get. ` +
      'Synthesize into a folder to apply them.'
    : undefined;
}

function helmErrors(app: App, othersWrote: boolean): string[] {
  const clusters = clustersOf(app);
  return clusters.length > 1 || othersWrote
    ? [invalidInput('app', othersWrote ? app.outdir : clusters, `${othersWrote ? 'is not the only app of this program' : 'are several clusters'}, and Helm installs ` +
      'the chart that "cdk8s synth --format helm" writes into one',
    'Run it once for each cluster, e.g. with an environment variable that names it; deliver tenants with TenantDelivery.sync()').message]
    : [];
}

function clustersOf(app: App): string[] {
  const clusters = app.node.findAll().filter((construct): construct is Chart => construct instanceof Chart).map(clusterOf);
  return [...new Set(clusters.filter(cluster => cluster !== undefined))].sort();
}
