import { Command } from 'commander';
import { checkManifests, CheckResult } from './check';
import { findingsJson, findingsSarif, findingsText, isBroken } from './report';
import { print } from '../../../cli/output';
import { Paint, paintFor } from '../../../cli/palette';
import { OfflineOptions, parseOfflineOptions } from '../options';
import { outputOption } from '../output-option';

/** `doctor manifests <path…>`: rules that compare YAML of any origin. */
export function manifestsCommand(): Command {
  return new Command('manifests')
    .description('compare rendered YAML of any origin: hosts, routes, SANs, flags, agents, DNS records; of every tenant, without a cluster')
    .argument('<path...>', 'folders and files')
    .addOption(outputOption())
    .option('--no-color', 'never use colours; they appear on terminals only')
    .action((paths: string[], values: Record<string, unknown>) => run(paths, values));
}

const WRITERS: { [output in OfflineOptions['output']]: (result: CheckResult, paint: Paint) => string } = {
  text: findingsText,
  json: findingsJson,
  sarif: findingsSarif,
};

function run(paths: string[], values: Record<string, unknown>): void {
  const { output, color } = parseOfflineOptions(values);
  const result = checkManifests(paths);
  print(WRITERS[output](result, paintFor(process.stdout, color)));
  process.exitCode = isBroken(result.findings) ? 1 : 0;
}
