import { readdirSync } from 'fs';
import { join } from 'path';
import { App } from 'cdk8s';
import { appsOf } from '../../examples/apps';

/** The programs of the examples. */
export const EXAMPLES = join(__dirname, '..', '..', 'examples');

/** Names of all examples. */
export const EXAMPLE_NAMES = readdirSync(EXAMPLES, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name).sort();

/** An app of an example, and its folder where there are several. */
export interface ExampleApp {
  readonly folder: string;
  readonly app: App;
}

/** Runs every example, once in a test file, without its warnings; each writes into a folder of its name. */
export function runExamples(outdir: string): { [name: string]: ExampleApp[] } {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  try {
    return Object.fromEntries(EXAMPLE_NAMES.map(name => {
      process.env.CDK8S_OUTDIR = join(outdir, name);
      return [name, appsOf(jest.requireActual(join(EXAMPLES, name, 'main')))];
    }));
  } finally {
    delete process.env.CDK8S_OUTDIR;
    warn.mockRestore();
  }
}
