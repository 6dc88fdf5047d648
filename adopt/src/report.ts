import { Adoption, hasOldWay } from './adopt';
import { Json } from './code/expression';
import { byDanger, isSecret } from './difference/danger';
import { Change } from './difference/difference';
import { pathText } from './json';
import { Left } from './tenants';
import { count, jsonText } from '../../cli/output';
import { Paint } from '../../cli/palette';
import { printable } from '../../cli/printable';

const LONGEST_VALUE = 200;
const HIDDEN = '(not shown: it may be a password)';

/** How a control plane is called in reports. */
export function titleOf({ description: { controlPlane: { system, source } } }: Adoption): string {
  return printable(`${system} ${source.namespace}/${source.name}`);
}

/** What applying the program changes, the most dangerous first. */
export function differenceLines(changes: Change[], paint: Paint = (_, text) => text): string[] {
  return byDanger(changes).flatMap(({ topic: { title, warning }, changes: of }) => [
    warning === undefined ? title : `${paint('attention', title)}: ${warning}`,
    ...byPath(of).map(line => `  ${line}`),
  ]);
}

/** Items of one list are told in one line. */
function byPath(changes: Change[]): string[] {
  const lines = new Map<string, Change[]>();
  for (const change of changes) {
    const kind = change.before === undefined ? '+' : change.after === undefined ? '-' : '~';
    const key = `${kind} ${pathText(change.path)}`;
    lines.set(key, [...lines.get(key) ?? [], change]);
  }
  return [...lines].map(([key, of]) => printable(`${key}: ${of.map(valueText).join(', ')}`, 1000));
}

function valueText({ path, before, after }: Change): string {
  if (isSecret(path)) return HIDDEN;
  if (before === undefined) return shown(after);
  return after === undefined ? shown(before) : `${shown(before)} → ${shown(after)}`;
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** One control plane, for people. */
function adoptionText(adoption: Adoption, paint: Paint): string {
  const { changes, lastChanges, kept, oldWay, refused, warnings } = adoption;
  const section = (title: string, lines: string[]) => (lines.length === 0 ? [] : [`  ${paint('strong', title)}`, ...lines.map(line => `    ${line}`)]);
  return [
    paint('strong', titleOf(adoption)),
    ...changes.length === 0 ? ['  Applying changes nothing.'] : section('Applying changes:', differenceLines(changes, paint)),
    ...section('The last step of the plan changes further:', hasOldWay(adoption) ? differenceLines(lastChanges, paint) : []),
    ...section('As it runs, by a patch, since the library has no property for it:', [...kept, ...oldWay].map(({ path }) => printable(pathText(path)))),
    ...section('The library refuses what runs:', refused),
    ...section('The library warns:', warnings.map(text => printable(text, 1000))),
  ].join('\n');
}

export function adoptionsText(adoptions: Adoption[], left: Left[], paint: Paint): string {
  return [
    ...adoptions.map(adoption => `${adoptionText(adoption, paint)}\n`),
    ...left.map(({ source, reason }) => printable(`Not described: ${source.kind} ${source.namespace}/${source.name}: ${reason}`, 1000)),
    `${count(adoptions.length, 'control plane')} described${left.length === 0 ? '' : `, ${left.length} not`}.`,
  ].join('\n');
}

/** For machines: names of fields stay. */
export function adoptionsJson(adoptions: Adoption[], left: Left[]): string {
  return jsonText({
    version: 1,
    command: 'adopt',
    tenants: adoptions.map(adoption => {
      const { description: { controlPlane: { system, source } }, changes, lastChanges, kept, oldWay, refused, warnings, dnsNames } = adoption;
      return {
        namespace: source.namespace,
        name: source.name,
        kind: source.kind,
        system,
        dnsNames,
        changes: changesJson(changes),
        lastStep: hasOldWay(adoption) ? changesJson(lastChanges) : [],
        kept: kept.map(({ path }) => pathText(path)),
        keptUntilLastStep: oldWay.map(({ path }) => pathText(path)),
        refused,
        warnings,
      };
    }),
    notDescribed: left.map(({ source: { kind, namespace, name }, reason }) => ({ kind, namespace, name, reason })),
  }, 1000);
}

/** Changes of one control plane by topic, for machines. */
export function changesJson(changes: Change[]): object[] {
  return byDanger(changes).flatMap(({ topic: { title, warning }, changes: of }) => of.map(({ path, before, after }) => ({
    topic: title,
    dangerous: warning !== undefined,
    field: pathText(path),
    ...before === undefined ? {} : { before: isSecret(path) ? HIDDEN : before },
    ...after === undefined ? {} : { after: isSecret(path) ? HIDDEN : after },
  })));
}
