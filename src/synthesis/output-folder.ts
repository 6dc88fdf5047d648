import { dirname, isAbsolute, join, resolve } from 'path';
import { App } from 'cdk8s';
import { CliOutput, cliOutputOf } from './cdk8s-cli';
import { invalidInput } from '../validation/invalid-input';

/** Where files go that are no manifests. */
export interface OutputFolder {
  readonly path: string;
  /** Whether files are to be written at all: `cdk8s synth --stdout` leaves none behind. */
  readonly isWritten: boolean;
}

/**
 * A folder beside the manifests. Helm would take all files of its `templates` for manifests, so there it is in the folder of the chart.
 *
 * @param folder from the app's output folder, or absolute
 */
export function outputFolderOf(app: App, folder: string): OutputFolder {
  const output = cliOutputOf(app);
  const outdir = output === CliOutput.HELM ? dirname(app.outdir) : app.outdir;
  const path = isAbsolute(folder) ? folder : join(outdir, folder);
  if (resolve(path) === resolve(outdir)) {
    throw invalidInput('folder', folder, 'is the folder of the manifests, where kubectl would take the JSON for one', 'Give another, e.g. "report"');
  }
  return { path, isWritten: output !== CliOutput.STDOUT };
}

/** Checks the name of a file, without extension. */
export function fileNameOf(name: string): string {
  if (!/^[\w-][\w.-]*$/.test(name)) {
    throw invalidInput('fileName', name, 'is not the name of a file', 'Use letters, digits, ".", "_" and "-", and give the folder as "folder"');
  }
  return name;
}
