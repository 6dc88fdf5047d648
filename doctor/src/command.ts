import { Command } from 'commander';
import { insteadOf } from './instead-of';
import { liveCommand } from './live/command';
import { manifestsCommand } from './manifests/command';
import { moveCommand } from './move/command';
import { prerequisitesCommand } from './prerequisites/command';
import { ConfigurationError } from '../../cli/configuration';

/**
 * `doctor manifests <path…>` compares YAML, `doctor live` goes over the network, `doctor prerequisites <path…>` says what YAML needs, `doctor move <tenant>` compares
 * a tenant in two management clusters. Flags have no environment variables: in a pod,
 * Kubernetes sets TCP_PROXY_PORT for a Service of that name.
 */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Finds what is wrong between clients and hosted control planes: "manifests" in YAML, before anything is applied; "live" on the network; "prerequisites" of YAML, in a cluster too; "move" compares a tenant in two management clusters.')
    .addCommand(manifestsCommand().exitOverride())
    .addCommand(liveCommand().exitOverride())
    .addCommand(prerequisitesCommand().exitOverride())
    .addCommand(moveCommand().exitOverride())
    .addCommand(otherwiseCommand(), { hidden: true, isDefault: true })
    .addHelpText('after', '\nExit codes: 0 healthy, 1 something is broken or unknown, 2 wrong usage, or nothing could be read.');
}

/** Takes whatever is none of these. */
function otherwiseCommand(): Command {
  return new Command('otherwise')
    .argument('[words...]')
    .helpOption(false)
    .allowUnknownOption()
    .action((words: string[], _: unknown, command: Command) => {
      if (words.length === 0) command.parent!.help({ error: true });
      throw new ConfigurationError(insteadOf(words));
    });
}
