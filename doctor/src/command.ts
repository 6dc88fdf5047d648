import { Command, Option } from 'commander';
import { diagnose } from './live/diagnose';
import { readTarget } from './live/read-target';
import { hopLine, liveJson, verdictText } from './live/report';
import { hostPort } from './live/target';
import { checkManifests } from './manifests/check';
import { findingsJson, findingsText } from './manifests/report';
import { parseLiveOptions, parseOfflineOptions } from './options';
import { paintFor } from './palette';

const EXIT_CODES = '\nExit codes: 0 healthy, 1 something is broken or unknown, 2 wrong usage.';

/**
 * `doctor <host>` checks a path, `doctor manifests <path…>` checks YAML. Flags have no environment variables: in a pod,
 * Kubernetes sets TCP_PROXY_PORT for a Service of that name.
 */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Tells which hop between a client and a hosted control plane fails, why, and what to do.')
    .argument('[host]', 'host name of the API; may come from --kubeconfig or --manifests')
    .option('--port <port>', 'port of the shared address (default: 443)')
    .option('--ca-file <path>', "the tenant's ca.crt")
    .option('--kubeconfig <path>', 'takes server and CA from a kubeconfig; credentials are not read')
    .option('--manifests <folder>', 'takes hosts, ports, SANs and the cluster ID from rendered manifests')
    .option('--konnectivity-host <host>', 'host name of the konnectivity server')
    .option('--konnectivity-port <port>', 'its port (default: that of the API)')
    .option('--gateway-address <host:port>', 'port of a shared gateway that takes PROXY headers')
    .option('--cluster-id <id>', "the tenant's cluster ID")
    .option('--tlv-type <type>', 'type of the TLV that carries it (default: 0xE1)')
    .option('--resolver <address>', 'DNS server to ask, address or address:port')
    .option('--connect-to <address>', 'address to dial in the place of what DNS says')
    .addOption(new Option('--timeout <duration>', 'for each connection and each lookup').default('5s'))
    .addOption(new Option('--output <format>', 'text or json').default('text'))
    .option('--no-color', 'never use colours; they appear on terminals only')
    .addHelpText('after', EXIT_CODES)
    .action(async (host: string | undefined, values: Record<string, unknown>) => runLive(host, values))
    .addCommand(manifestsCommand());
}

function manifestsCommand(): Command {
  return new Command('manifests')
    .description('Finds disagreements in rendered YAML of any origin: hosts, routes, SANs, flags, agents, DNS records.')
    .argument('<path...>', 'folders and files')
    .addOption(new Option('--output <format>', 'text or json').default('text'))
    .option('--no-color', 'never use colours; they appear on terminals only')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    // A flag that the parent has too is the parent's to commander, wherever it stands.
    .action(async (paths: string[], _: unknown, command: Command) => runOffline(paths, command.optsWithGlobals()));
}

// A reader such as `head` may leave early.
const ignoreClosedPipe = () => process.stdout.on('error', () => undefined);

async function runLive(host: string | undefined, values: Record<string, unknown>): Promise<void> {
  ignoreClosedPipe();
  const options = parseLiveOptions(host, values);
  const target = readTarget(options);
  const paint = paintFor(process.stdout, options.color);
  const text = options.output === 'text';
  if (text) process.stdout.write(`${hostPort(target)}\n`);
  const path = await diagnose(target, result => text && process.stdout.write(`${hopLine(result, paint)}\n`));
  process.stdout.write(`${text ? verdictText(path.results, paint) : liveJson(target, path.results)}\n`);
  process.exitCode = path.healthy ? 0 : 1;
}

async function runOffline(paths: string[], values: Record<string, unknown>): Promise<void> {
  ignoreClosedPipe();
  const options = parseOfflineOptions(values);
  const result = checkManifests(paths);
  const paint = paintFor(process.stdout, options.color);
  process.stdout.write(`${options.output === 'text' ? findingsText(result, paint) : findingsJson(result)}\n`);
  process.exitCode = result.findings.some(({ severity }) => severity === 'error') ? 1 : 0;
}
