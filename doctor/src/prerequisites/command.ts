import { Command, Option } from 'commander';
import { neededBy } from './clusters';
import { lookFor } from './look';
import { isLacking, prerequisitesJson, prerequisitesText } from './report';
import { readAllDocuments } from '../../../cli/documents';
import { print } from '../../../cli/output';
import { paintFor } from '../../../cli/palette';
import { parsePrerequisitesOptions } from '../options';

/** `doctor prerequisites <path…>`: what must exist before manifests work. */
export function prerequisitesCommand(): Command {
  return new Command('prerequisites')
    .description('what must exist before manifests work: namespaces, Secrets, classes, APIs, operators; with --kubeconfig, whether it does')
    .argument('<path...>', 'folders and files')
    .option('--kubeconfig <path>', 'of the management cluster, which kubectl reads')
    .option('--context <name>', 'of that kubeconfig (default: the current one)')
    .addOption(new Option('-o, --output <format>', 'text, json').default('text'))
    .option('--no-color', 'never use colours; they appear on terminals only')
    .action((paths: string[], values: Record<string, unknown>) => run(paths, values));
}

async function run(paths: string[], values: Record<string, unknown>): Promise<void> {
  const { kubeconfig, context, output, color } = parsePrerequisitesOptions(values);
  const needed = neededBy(readAllDocuments(paths));
  const looked = kubeconfig === undefined ? undefined : await lookFor(needed.management, kubeconfig, context);
  print(output === 'json' ? prerequisitesJson(needed, looked) : prerequisitesText(needed, looked, paintFor(process.stdout, color)));
  process.exitCode = looked !== undefined && isLacking(looked) ? 1 : 0;
}
