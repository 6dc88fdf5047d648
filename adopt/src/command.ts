import { mkdirSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';
import { Command, Option } from 'commander';
import { Adoption } from './adopt';
import { adoptAll } from './adopt-all';
import { Call } from './code/expression';
import { compare, comparisonJson, comparisonText } from './compare';
import { installedModules, Modules } from './modules';
import { AdoptOptions, CONTROLLERS, GATEWAY_CONTROLLERS, OUTPUTS, parseAdoptOptions } from './options';
import { planOf } from './plan';
import { programOf } from './program';
import { adoptionsJson, adoptionsText } from './report';
import { isFree, readRunning } from './running';
import { ConfigurationError } from '../../cli/configuration';
import { readObjects } from '../../cli/documents';
import { print } from '../../cli/output';
import { paintFor } from '../../cli/palette';

/** `adopt <path…>`: from control planes that run to the program that describes them, what applying it changes, and the plan of the move. */
export function adoptCommand(modules: () => Modules = installedModules): Command {
  return new Command('adopt')
    .description('From control planes that run, in a cluster or in dumps of kubectl, to the program that describes them with the constructs; with the difference that applying it makes, and a plan.')
    .argument('[path...]', 'folders and files of "kubectl get … --output yaml"')
    .option('--kubeconfig <path>', 'of the management cluster, which kubectl reads, instead of dumps')
    .option('--context <name>', 'of that kubeconfig (default: the current one)')
    .option('--tenant <namespace/name...>', 'these control planes alone')
    .option('--domain <domain>', 'for hosts that no object names, e.g. example.com')
    .addOption(new Option('--controller <name>', `what routes at the shared address: ${[...CONTROLLERS, ...GATEWAY_CONTROLLERS].join(', ')}`).default('traefik'))
    .option('--gateway <namespace/name>', 'the Gateway at the shared address')
    .option('--no-tcp-proxy', 'without a TcpProxyAddon for tenants of Kamaji and Steward')
    .option('--out <folder>', 'an empty folder, or a new one, for main.ts and plan.md')
    .option('--compare <path...>', 'compare with these manifests, and write nothing')
    .addOption(new Option('-o, --output <format>', OUTPUTS.join(', ')).default('text'))
    .option('--no-color', 'never use colours; they appear on terminals only')
    .addHelpText('after', '\nExit codes: 0 all described, or no difference; 1 some control plane is not described, or would change; 2 wrong usage, or nothing could be read or described.')
    .action((paths: string[], values: Record<string, unknown>) => run(parseAdoptOptions(paths, values), modules));
}

async function run(options: AdoptOptions, modules: () => Modules): Promise<void> {
  if (options.compare !== undefined) return runCompare(options, options.compare);
  const { out, domain, gateway, tcpProxy, output, color } = options;
  if (out !== undefined && !isFree(out)) throw new ConfigurationError(`--out ${JSON.stringify(out)}: is there, and not empty; name a new folder`);
  const controller = controllerOf(options);
  const { adoptions, left } = adoptAll(modules(), await readRunning(options), { domain, gateway, tcpProxy }, controller);
  const written = out === undefined || adoptions.length === 0 ? undefined : write(out, adoptions, controller);
  print(output === 'json' ? adoptionsJson(adoptions, left) : [adoptionsText(adoptions, left, paintFor(process.stdout, color)), ...written ?? []].join('\n'));
  process.exitCode = left.length === 0 ? 0 : 1;
}

/** Into a folder that has nothing in it: both, or none. */
function write(folder: string, adoptions: Adoption[], controller: Call): string[] {
  const [program, plan] = [join(folder, 'main.ts'), join(folder, 'plan.md')];
  const texts = { [program]: programOf(adoptions, controller), [plan]: planOf(adoptions) };
  const written: string[] = [];
  try {
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(texts)) {
      writeFileSync(file, '', { flag: 'wx' });
      written.push(file);
      writeFileSync(file, text);
    }
  } catch (error) {
    written.forEach(file => rmSync(file, { force: true }));
    throw new ConfigurationError(`--out ${JSON.stringify(folder)}: cannot be written (${(error as Error).message}); name another folder`);
  }
  return [`Written: ${program}, and ${plan} with the next steps.`];
}

async function runCompare(options: AdoptOptions, manifests: string[]): Promise<void> {
  const { sources, unreadable: [broken] } = readObjects(manifests);
  if (broken) throw new ConfigurationError(`--compare: ${JSON.stringify(broken.file)}, line ${broken.line}: cannot be read as YAML or JSON`);
  const comparisons = compare(await readRunning(options), sources);
  print(options.output === 'json' ? comparisonJson(comparisons) : comparisonText(comparisons, paintFor(process.stdout, options.color)));
  process.exitCode = comparisons.every(({ changes }) => changes?.length === 0) ? 0 : 1;
}

function controllerOf({ controller, gateway }: AdoptOptions): Call {
  const atGateway = GATEWAY_CONTROLLERS.includes(controller);
  return new Call(`IngressController.${controller}`, atGateway ? [{ gateway: { ...gateway! } }] : []);
}
