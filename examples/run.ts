import { readdirSync } from 'fs';
import { join } from 'path';
import { App } from 'cdk8s';
import { report } from './report';

/** Synthesizes every example into its folder `dist` and prints what has to exist around the manifests. */
async function main(): Promise<void> {
  const examples = readdirSync(__dirname, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name).sort();
  for (const example of examples) {
    process.env.CDK8S_OUTDIR = join(__dirname, example, 'dist');
    const { app }: { app: App } = await import(`./${example}/main`);
    console.log(`${example}: manifests are in examples/${example}/dist\n`);
    console.log(report(app));
  }
}

void main();
