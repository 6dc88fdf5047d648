import { readdirSync } from 'fs';
import { join } from 'path';
import { ExposureReport } from 'cdk8s-hosted-control-plane';
import { appsOf, Example } from './apps';

/** Synthesizes every example into its folder `dist` and prints what has to exist around the manifests. */
async function main(): Promise<void> {
  const examples = readdirSync(__dirname, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name).sort();
  for (const example of examples) {
    process.env.CDK8S_OUTDIR = join(__dirname, example, 'dist');
    const program: Example = await import(`./${example}/main`);
    for (const { folder, app } of appsOf(program)) {
      console.log(`${example}: manifests are in ${join('examples', example, 'dist', folder)}\n`);
      console.log(new ExposureReport(app, 'printed', { fileName: 'printed' }).summary());
    }
  }
}

void main();
