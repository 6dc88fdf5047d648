import { Command, Option } from 'commander';
import { diagnose } from './diagnose';
import { isHealthy } from './hop';
import { pageWriter, refuseNameless } from './page';
import { Examinee, readExaminees } from './read-target';
import { Examination, hopLine, liveJson, liveSarif, podPathLines, shortText, skippedLines, titleOf, totalText, verdictText } from './report';
import { print } from '../../../cli/output';
import { Paint, paintFor } from '../../../cli/palette';
import { sideBySide } from '../../../cli/side-by-side';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { parseLiveOptions } from '../options';
import { outputOption } from '../output-option';

/** `doctor live`: the path of a client over the network, hop by hop. */
export function liveCommand(): Command {
  return new Command('live')
    .description('follow the path of a client over the network, hop by hop: DNS, TCP, SNI, certificates, the API server, konnectivity')
    .argument('[host]', 'host name of the API')
    .optionsGroup('Where the values come from, in the place of flags or beside them:')
    .option('--manifests <path>', 'rendered manifests, a folder or a file; may be repeated', (path: string, others: string[] = []) => [...others, path])
    .option('--kubeconfig <path>', 'of the management cluster, which kubectl reads')
    .option('--context <name>', 'of that kubeconfig (default: the current one)')
    .option('--tenant-kubeconfig <path>', "server and CA of a tenant's own kubeconfig; credentials are not read")
    .optionsGroup('Which tenants:')
    .option('--tenant <namespace/name>', 'one of --manifests or --kubeconfig')
    .option('--all', 'all of them')
    .addOption(new Option('--concurrency <number>', 'how many at once').default('8'))
    .optionsGroup('Values of the path:')
    .option('--port <port>', 'port of the shared address (default: 443)')
    .option('--ca-file <path>', "the tenant's ca.crt; {namespace} and {name} in there are the tenant's")
    .option('--konnectivity-host <host>', 'host name of the konnectivity server')
    .option('--konnectivity-port <port>', 'its port (default: that of the API)')
    .option('--gateway-address <host:port>', 'port of a shared gateway that takes PROXY headers')
    .option('--cluster-id <id>', "the tenant's cluster ID")
    .option('--tlv-type <type>', 'type of the TLV that carries it (default: 0xE1)')
    .option('--resolver <address>', 'DNS server to ask, address or address:port')
    .option('--connect-to <address>', 'address to dial in the place of what DNS says')
    .addOption(new Option('--timeout <duration>', 'for each connection and each lookup').default('5s'))
    .optionsGroup('Output:')
    .addOption(outputOption())
    .option('--page <path>', 'write a page of the tenants and of what was seen as HTML, beside the output')
    .option('--report <path>', 'the JSON of an ExposureReport, which the page then says too')
    .option('--no-color', 'never use colours; they appear on terminals only')
    .action((host: string | undefined, values: Record<string, unknown>) => run(host, values));
}

async function run(host: string | undefined, values: Record<string, unknown>): Promise<void> {
  const options = parseLiveOptions(host, values);
  const writePage = pageWriter(options);
  const { chosen, left } = await readExaminees(options);
  if (writePage) refuseNameless(chosen);
  const paint = paintFor(process.stdout, options.color);
  const examinations = options.output !== 'text'
    ? await examineAll(chosen, options.concurrency)
    : chosen.length === 1 && !options.all ? [await showOne(chosen[0], paint)] : await showAll(chosen, left, options.concurrency, paint);
  if (options.output === 'json') print(liveJson(examinations, left));
  if (options.output === 'sarif') print(liveSarif(examinations));
  writePage?.(examinations, left);
  process.exitCode = examinations.every(({ results }) => isHealthy(results)) ? 0 : 1;
}

async function examine(examinee: Examinee, onResult?: Parameters<typeof diagnose>[1]): Promise<Examination> {
  return { ...examinee, results: (await diagnose(examinee.target, onResult)).results };
}

function examineAll(examinees: Examinee[], atOnce: number, onEnd: (examination: Examination) => void = () => undefined): Promise<Examination[]> {
  return sideBySide(examinees, atOnce, async examinee => {
    const examination = await examine(examinee);
    onEnd(examination);
    return examination;
  });
}

/** Each hop as soon as it is known. */
async function showOne(examinee: Examinee, paint: Paint): Promise<Examination> {
  print([titleOf(examinee), ...podPathLines(examinee)].join('\n'));
  const examination = await examine(examinee, result => result.status !== 'skipped' && print(hopLine(result, paint)));
  print([...skippedLines(examination.results, paint), verdictText(examination.results, paint)].join('\n'));
  return examination;
}

/** Each tenant as soon as it is known: in one line where all is well. */
async function showAll(examinees: Examinee[], left: ControlPlane[], atOnce: number, paint: Paint): Promise<Examination[]> {
  const examinations = await examineAll(examinees, atOnce, examination => print(shortText(examination, paint)));
  print(totalText(examinations, left, paint));
  return examinations;
}
