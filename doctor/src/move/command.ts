import { Command, Option } from 'commander';
import { compareSides, isReady, MoveResult, MoveStatus } from './compare';
import { readSide } from './side';
import { count, jsonText, print } from '../../../cli/output';
import { Paint, paintFor, Tone } from '../../../cli/palette';
import { printable } from '../../../cli/printable';
import { parseMoveOptions } from '../options';

const TONES: Record<MoveStatus, Tone> = { ok: 'good', failed: 'bad', unknown: 'attention', skipped: 'dim' };
/** A list of names may be long. */
const MAX_DETAIL = 2_000;

/** `doctor move <namespace/name>`: whether a tenant that moves is the same in both management clusters. */
export function moveCommand(): Command {
  return new Command('move')
    .description('compare a tenant in two management clusters before its address changes: names, CA, keys of service accounts, datastore, data')
    .argument('<namespace/name>', 'the control plane, of Kamaji or Steward')
    .requiredOption('--from <path>', 'kubeconfig of the old management cluster, which kubectl reads')
    .option('--from-context <name>', 'of that kubeconfig (default: the current one)')
    .requiredOption('--to <path>', 'kubeconfig of the new one')
    .option('--to-context <name>', 'of that kubeconfig (default: the current one)')
    .option('--from-tenant <path>', 'kubeconfig of the tenant, for the API server in the old cluster: keys and data are compared too')
    .option('--to-tenant <path>', 'the same for the new cluster')
    .addOption(new Option('-o, --output <format>', 'text, json').default('text'))
    .option('--no-color', 'never use colours; they appear on terminals only')
    .action((tenant: string, values: Record<string, unknown>) => run(tenant, values));
}

async function run(tenant: string, values: Record<string, unknown>): Promise<void> {
  const { namespace, name, from, fromContext, fromTenant, to, toContext, toTenant, output, color } = parseMoveOptions(tenant, values);
  const sides = await Promise.all([
    readSide({ title: 'old', flag: '--from', namespace, name, kubeconfig: from, context: fromContext, tenantKubeconfig: fromTenant }),
    readSide({ title: 'new', flag: '--to', namespace, name, kubeconfig: to, context: toContext, tenantKubeconfig: toTenant }),
  ]);
  const results = await compareSides(...sides as [typeof sides[0], typeof sides[0]]);
  const ready = isReady(results);
  print(output === 'json' ? jsonText({ tenant, same: ready, comparisons: results }, MAX_DETAIL) : textOf(tenant, results, paintFor(process.stdout, color)));
  process.exitCode = ready ? 0 : 1;
}

function textOf(tenant: string, results: MoveResult[], paint: Paint): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.flatMap(({ name, title, status, detail, remedy }) => [
    `${paint(TONES[status], status.padEnd(7))} ${name.padEnd(width)}  ${title}: ${printable(detail, MAX_DETAIL)}`,
    ...remedy === undefined ? [] : [`${' '.repeat(width + 10)}${remedy}`],
  ]);
  const wrong = results.filter(({ status }) => status === 'failed' || status === 'unknown').length;
  const skipped = results.filter(({ status }) => status === 'skipped').length;
  const verdict = wrong > 0
    ? paint('bad', `${tenant} is not the same in both clusters: ${count(wrong, 'thing')} to look at before its address changes.`)
    : paint('good', `${tenant} is the same in both clusters${skipped > 0 ? `, but for ${count(skipped, 'comparison')} left out` : ''}.`);
  return [...lines, verdict].join('\n');
}
