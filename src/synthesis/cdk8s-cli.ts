import { existsSync } from 'fs';
import { tmpdir } from 'os';
import { basename, dirname, join, relative, resolve, sep } from 'path';
import { App } from 'cdk8s';

/** What `cdk8s synth` of cdk8s-cli does with what an app writes. */
export enum CliOutput {
  /** It leaves it in the output folder, as when the app runs by itself. */
  FOLDER,
  /** `--stdout`: it prints the YAML files of a folder of its own, in an order of its own, and removes the folder. */
  STDOUT,
  /** `--format helm`: the output folder is `templates` of a chart, and Helm renders every file in it. */
  HELM,
}

/**
 * What cdk8s-cli does with the output of an app. The app is told the folder alone, in `CDK8S_OUTDIR`, so it is recognized by that.
 * Asked before the app is synthesized: folders are made then.
 */
export function cliOutputOf(app: App): CliOutput {
  const folder = process.env.CDK8S_OUTDIR && resolve(process.env.CDK8S_OUTDIR);
  if (!folder || !isWithin(folder, app.outdir)) {
    return CliOutput.FOLDER;
  }
  // With --output, cdk8s-cli has removed the folder by now.
  if (dirname(folder) === resolve(tmpdir()) && /^cdk8s-\w{6}$/.test(basename(folder)) && existsSync(folder)) {
    return CliOutput.STDOUT;
  }
  return basename(folder) === 'templates' && existsSync(join(dirname(folder), 'Chart.yaml')) ? CliOutput.HELM : CliOutput.FOLDER;
}

/** Whether cdk8s-cli gives plugins, which are named in `cdk8s.yaml`, the YAML files of the output folder. */
export function isValidatedByCli(): boolean {
  return process.env.CDK8S_RECORD_CONSTRUCT_METADATA === 'true';
}

/** Whether a path is a folder, or in it. */
export function isWithin(folder: string, path: string): boolean {
  return relative(resolve(folder), resolve(path)).split(sep)[0] !== '..';
}
