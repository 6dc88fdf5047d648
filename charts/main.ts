/**
 * Writes the Helm charts into dist/charts, which `helm package` takes as they are.
 *
 *     npm run charts -- --version 1.2.3
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { Command } from 'commander';
import { HELM_CHARTS } from './all';
import { chartFiles } from './engine/chart-files';

const ROOT = join(__dirname, '..');

function main(): void {
  const { version: own } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const program = new Command().name('charts')
    .option('--version <version>', 'version of the charts', own)
    .option('--folder <folder>', 'where they are written', join(ROOT, 'dist', 'charts'))
    .parse();
  const { version, folder } = program.opts<{ version: string; folder: string }>();
  for (const chart of HELM_CHARTS) {
    requireOwn(join(folder, chart.name), chart.name);
    rmSync(join(folder, chart.name), { recursive: true, force: true });
    for (const [path, content] of Object.entries(chartFiles(chart, version))) {
      const file = join(folder, chart.name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    console.log(join(folder, chart.name));
  }
}

/** What is there goes, so it has to be a chart of this name. @throws where it is something else */
function requireOwn(folder: string, name: string): void {
  const file = join(folder, 'Chart.yaml');
  if (existsSync(folder) && !(existsSync(file) && new RegExp(`^name: ${name}$`, 'm').test(readFileSync(file, 'utf8')))) {
    throw new Error(`--folder: ${JSON.stringify(folder)} is there and is no chart ${name}, and it would be replaced; name another folder`);
  }
}

main();
