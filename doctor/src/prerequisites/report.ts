import { Needed } from './clusters';
import { Looked, Presence } from './look';
import { count, jsonText } from '../../../cli/output';
import { Paint, Tone } from '../../../cli/palette';
import { printable } from '../../../cli/printable';
import { Prerequisite } from '../../../src/manifests/prerequisites';

/** Changes when a field changes its meaning or goes; new fields do not change it. */
const JSON_VERSION = 1;
const TONES: Record<Presence, Tone> = { ok: 'good', missing: 'bad', wrong: 'bad', unsure: 'attention', unknown: 'attention' };
const WIDTH = 'missing'.length;

/** Whether something that is needed is not there, or cannot be seen. */
export function isLacking(looked: Looked[]): boolean {
  return looked.some(({ presence }) => presence === 'missing' || presence === 'wrong' || presence === 'unknown');
}

/** @param looked of the management cluster; undefined where nobody looked */
export function prerequisitesText({ management, tenants }: Needed, looked: Looked[] | undefined, paint: Paint): string {
  const inManagement = looked?.map(each => lookedLine(each, paint)) ?? management.map(each => `  ${lineOf(each)}`);
  return [
    ...management.length === 0 ? [] : ['In the management cluster:', ...inManagement],
    ...tenants.length === 0 ? [] : ['In tenant clusters:', ...tenants.map(each => `  ${lineOf(each)}`)],
    summary({ management, tenants }, looked, paint),
  ].join('\n');
}

/** One object; `docs/doctor.md` describes it. */
export function prerequisitesJson({ management, tenants }: Needed, looked: Looked[] | undefined): string {
  return jsonText({
    version: JSON_VERSION,
    command: 'prerequisites',
    ...looked ? { healthy: !isLacking(looked) } : {},
    management: looked ? looked.map(({ prerequisite, presence, detail }) => ({ ...jsonOf(prerequisite), presence, detail })) : management.map(jsonOf),
    tenants: tenants.map(jsonOf),
  });
}

/** In one line how many of each kind, for who asked for something else. */
export function prerequisitesHint({ management, tenants }: Needed): string | undefined {
  const kinds = new Map<string, number>();
  [...management, ...tenants].forEach(({ kind }) => kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
  return kinds.size === 0 ? undefined : `Must exist before: ${[...kinds].map(([kind, number]) => `${number} ${printable(kind)}`).join(', ')}; doctor prerequisites lists them.`;
}

/** Without an API version where there is none. */
export function jsonOf({ apiVersion, ...rest }: Prerequisite): object {
  return { ...apiVersion === '' ? {} : { apiVersion }, ...rest };
}

function lineOf({ kind, apiVersion, namespace, name, labels, reason, neededBy }: Prerequisite): string {
  const [group] = apiVersion.split('/');
  const ofGroup = group.includes('.') && !group.endsWith('.k8s.io') ? `${kind}.${group}` : kind;
  const what = kind === 'API' ? `API ${apiVersion} ${name}` : `${ofGroup} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const withLabels = labels ? `, with ${Object.entries(labels).map(([label, value]) => `${label}=${value}`).join(', ')}` : '';
  const others = neededBy.length > 1 ? ` and ${neededBy.length - 1} more` : '';
  return printable(`${what}: ${reason}${withLabels} (${neededBy[0]}${others})`);
}

function lookedLine({ prerequisite, presence, detail }: Looked, paint: Paint): string {
  return `  ${paint(TONES[presence], presence.padEnd(WIDTH))}  ${lineOf(prerequisite)}${detail === undefined ? '' : `: ${printable(detail)}`}`;
}

function summary({ management, tenants }: Needed, looked: Looked[] | undefined, paint: Paint): string {
  const number = management.length + tenants.length;
  if (number === 0) return paint('good', 'The manifests hold all that they refer to.');
  if (looked === undefined) return `${count(number, 'thing')} must exist before. Give --kubeconfig to look for those of the management cluster.`;
  const lacking = looked.filter(each => isLacking([each])).length;
  return paint(lacking > 0 ? 'bad' : 'good', lacking > 0 ? `${lacking} of ${management.length} are not there as they must be.`
    : `All ${management.length} are there, as far as it shows.`);
}
