import { Command, Option } from 'commander';
import { CONTROLLERS, DELIVERIES, Choice, LANGUAGES, PLATFORMS } from './choices';
import { languageOf, projectOf } from './project';
import { askAtTerminal } from './questions';
import { Answers, DEFAULTS, Settings, settingsOf } from './settings';
import { requireEmpty, writeProject } from './write-project';
import { ConfigurationError } from '../../cli/configuration';

/** Flags of `init`, as they were typed. */
interface Flags extends Answers {
  readonly yes?: boolean;
}

/** `init [folder]`: a project with an app, its test, a workflow and an update bot. */
export function initCommand(): Command {
  const names = (choices: readonly Choice[]) => choices.map(({ name }) => name).join(', ');
  return new Command('init')
    .description('Makes a project in an empty folder: an app that describes a control plane, its test, a workflow for GitHub and an update bot. Asks at a terminal for what no flag says.')
    .argument('[folder]', 'empty or new', '.')
    .addOption(new Option('--platform <name>', names(PLATFORMS)))
    .addOption(new Option('--controller <name>', names(CONTROLLERS)))
    .addOption(new Option('--delivery <name>', names(DELIVERIES)))
    .addOption(new Option('--language <name>', names(LANGUAGES)))
    .addOption(new Option('--domain <name>', 'that the hosts of control planes end with, like example.com'))
    .addOption(new Option('--tenant <name>', `name of the first control plane (default: ${DEFAULTS.tenant})`))
    .addOption(new Option('--namespace <name>', `of the control planes (default: ${DEFAULTS.namespace})`))
    .addOption(new Option('--gateway-class <name>', 'of the Gateway, with the controllers gateway-api and kgateway'))
    .addOption(new Option('--repo-url <url>', 'Git repository that Argo CD reads, with the delivery argocd'))
    .addOption(new Option('-y, --yes', 'ask nothing, and take the first possible choice where no flag says one'))
    .addHelpText('after', '\nExit codes: 0 written, 2 wrong usage or a folder that is not empty. Nothing is overwritten, and nothing is left half written.')
    .action((folder: string, flags: Flags) => init(folder, flags));
}

async function init(folder: string, { yes, ...given }: Flags): Promise<void> {
  requireEmpty(folder);
  const answers = yes ? given : await answered(given);
  const settings = settingsOf(answers);
  writeProject(folder, projectOf(settings));
  process.stdout.write(`${nextSteps(folder, settings).join('\n')}\n`);
}

async function answered(given: Answers): Promise<Answers> {
  if (process.stdin.isTTY && process.stdout.isTTY) return askAtTerminal(given);
  const missing = ['platform', 'controller', 'delivery', 'language', 'domain'].filter(name => given[name as keyof Answers] === undefined);
  if (missing.length > 0) {
    throw new ConfigurationError(`${missing.map(name => `--${name}`).join(', ')}: missing, and there is no terminal to ask at. Give them, or --yes and --domain for the first possible choices`);
  }
  return given;
}

function nextSteps(folder: string, settings: Settings): string[] {
  const { install, test, command } = languageOf(settings);
  const { platform, controller, delivery, apiHost } = settings;
  return [
    `A project for ${platform.title} behind ${controller.title}, with delivery by ${delivery.title}. The first API server is ${apiHost}.`,
    '',
    'Next:',
    ...[...folder === '.' ? [] : [`cd ${quoted(folder)}`], ...install, test, command].map(line => `  ${line}`),
    '',
    'README.md has the rest in ten lines.',
  ];
}

/** As a shell takes it. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}
