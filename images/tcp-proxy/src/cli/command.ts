import { Command, Option } from 'commander';
import { AgentCommand, environmentVariable, Flag, flagOf } from '../../../../src/agent/contract/flags';

/** The parser of a command. Its values are for `parseSettings`. */
export function parserOf({ name, description, flags }: AgentCommand): Command {
  const command = new Command(name).description(description);
  for (const [setting, flag] of Object.entries(flags)) {
    command.addOption(optionOf(setting, flag));
    if (flag.value === undefined) takeTextOfVariable(command, setting);
  }
  return command;
}

/** A flag wins over its environment variable, which wins over the default. In the variable, commas separate the values of a list. */
function optionOf(setting: string, { value, list, description, default: preset }: Flag): Option {
  if (list) {
    const told = preset === undefined ? '' : `; default: ${[preset].flat().join(', ')}`;
    // The default of a list is left to `parseSettings`: here it would be the first of the values.
    return new Option(`${flagOf(setting)} <${value}...>`, `${description} (repeatable${told})`).argParser(collect).env(environmentVariable(setting));
  }
  return value === undefined
    ? new Option(flagOf(setting), description).default(false).env(environmentVariable(setting))
    : new Option(`${flagOf(setting)} <${value}>`, description).default(preset).env(environmentVariable(setting));
}

/** To commander, a switch is on whenever its variable is there, whatever is in it. */
function takeTextOfVariable(command: Command, setting: string): void {
  command.on(`optionEnv:${flagOf(setting).slice(2)}`, () => command.setOptionValueWithSource(setting, process.env[environmentVariable(setting)], 'env'));
}

function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), ...value.split(',').map(part => part.trim()).filter(part => part !== '')];
}
