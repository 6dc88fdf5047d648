import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { appsOf } from '../../../examples/apps';

const EXAMPLES = join(__dirname, '..', '..', '..', 'examples');

export interface Examples {
  readonly names: string[];
  /** Where the manifests of an example are, once tests run. */
  folder(name: string): string;
}

/** Synthesizes the examples of this project before the tests of a file, and takes the manifests away after them. */
export function synthesizeExamples(): Examples {
  const names = readdirSync(EXAMPLES, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name).sort();
  let outdir: string;
  beforeAll(() => {
    outdir = mkdtempSync(join(tmpdir(), 'doctor-examples-'));
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    for (const name of names) {
      process.env.CDK8S_OUTDIR = join(outdir, name);
      appsOf(jest.requireActual(join(EXAMPLES, name, 'main'))).forEach(({ app }) => app.synth());
    }
    delete process.env.CDK8S_OUTDIR;
    warn.mockRestore();
  });
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));
  return { names, folder: name => join(outdir, name) };
}

/** Texts of the manifests in a folder and all below it. */
export function manifestFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name)).sort()
    .map(path => readFileSync(path, 'utf8'));
}
