import { HOP_TITLES, HopName, HopResult, HOPS, HopStatus, isHealthy } from './hop';
import { Examinee } from './read-target';
import { hostPort } from './target';
import { tenantName } from './tenants';
import { count, jsonText } from '../../../cli/output';
import { Paint, Tone } from '../../../cli/palette';
import { printable } from '../../../cli/printable';
import { someOf } from '../../../src/findings/rules/rule';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { podPathText } from '../../../src/manifests/pod-path';
import { SarifResult, SarifRule, sarifText } from '../sarif';

/** What was seen of one path. */
export interface Examination extends Examinee {
  readonly results: HopResult[];
}

/** Changes when a field changes its meaning or goes; new fields do not change it. */
const JSON_VERSION = 2;
const TONES: Record<HopStatus, Tone> = { ok: 'good', warning: 'attention', failed: 'bad', unknown: 'attention', skipped: 'dim' };
const NAME_WIDTH = Math.max(...HOPS.map(hop => hop.length));
const STATUS_WIDTH = 'warning'.length;

/** Whose path it is, and where it leads. */
export function titleOf({ controlPlane, target }: Examinee): string {
  return printable(controlPlane ? `${tenantName(controlPlane)} ${hostPort(target)}` : hostPort(target));
}

/** How pods reach the same API server, which the hops below do not try; none where nobody told. */
export function podPathLines({ podPath }: Examinee): string[] {
  return podPath ? [printable(`Its pods: ${podPathText(podPath)}.`)] : [];
}

export function hopLine({ hop, status, detail }: HopResult, paint: Paint): string {
  return line(status, hop, printable(detail), paint);
}

/** One line for each reason, however many hops were skipped for it. */
export function skippedLines(results: HopResult[], paint: Paint): string[] {
  return grouped(results.filter(({ status }) => status === 'skipped'), ({ detail }) => detail)
    .map(([detail, hops]) => line('skipped', hops.join(', '), paint('dim', printable(detail)), paint));
}

/** What is wrong and what to do, after the lines of the hops. */
export function verdictText(results: HopResult[], paint: Paint): string {
  const faults = grouped(results.filter(({ remedy }) => remedy !== undefined), ({ status, remedy }) => `${status} ${remedy}`);
  const lines = faults.map(([, hops]) => {
    const { status, remedy } = results.find(({ hop }) => hop === hops[0])!;
    return `  ${paint(TONES[status], hops.join(', '))}: ${printable(remedy!)}`;
  });
  return [paint(isHealthy(results) ? 'good' : 'bad', summaryOf(results)), ...lines].join('\n');
}

/** A tenant among many: what is not well, or one line. */
export function shortText(examination: Examination, paint: Paint): string {
  const { results } = examination;
  const seen = results.filter(({ status }) => status !== 'ok' && status !== 'skipped');
  const needing = results.filter(({ status, detail }) => status === 'skipped' && detail.startsWith('needs '));
  const [summary, ...remedies] = verdictText(results, paint).split('\n');
  return [`${titleOf(examination)}: ${summary}`, ...seen.map(result => hopLine(result, paint)), ...skippedLines(needing, paint), ...remedies].join('\n');
}

/** The last line about many tenants. */
export function totalText(examinations: Examination[], left: ControlPlane[], paint: Paint): string {
  const broken = examinations.filter(({ results }) => !isHealthy(results));
  const total = `${count(examinations.length, 'tenant')}: ${broken.length === 0 ? 'all healthy' : `${examinations.length - broken.length} healthy, ${broken.length} not`}.`;
  const unseen = left.length === 0 ? [] : [`Not checked, as no host leads to ${left.length === 1 ? 'it' : 'them'}: ${printable(someOf(left.map(tenantName)))}.`];
  return [paint(broken.length === 0 ? 'good' : 'bad', total), ...unseen].join('\n');
}

/** One object; `docs/doctor.md` describes it. */
export function liveJson(examinations: Examination[], left: ControlPlane[]): string {
  return jsonText({
    version: JSON_VERSION,
    command: 'live',
    healthy: examinations.every(({ results }) => isHealthy(results)),
    tenants: examinations.map(({ controlPlane, podPath, target, results }) => ({
      ...(controlPlane ? nameIn(controlPlane) : {}),
      target: hostPort(target),
      healthy: isHealthy(results),
      summary: summaryOf(results),
      ...podPath ? { podPath } : {},
      hops: results,
    })),
    notChecked: left.map(nameIn),
  });
}

function nameIn({ system, source }: ControlPlane) {
  return { namespace: source.namespace, name: source.name, system };
}

export function liveSarif(examinations: Examination[]): string {
  const rules = HOPS.map((hop): SarifRule => ({
    id: ruleOf(hop),
    level: 'error',
    title: `${hop}: ${HOP_TITLES[hop]}`,
    help: `The hop ${hop} is ok when ${HOP_TITLES[hop]}. What to do is in the message of each result.`,
    anchor: 'a-path-hop-by-hop',
  }));
  return sarifText('live', rules, examinations.flatMap(examination => examination.results.flatMap(result => sarifResult(examination, result) ?? [])));
}

function sarifResult({ controlPlane, target }: Examination, { hop, status, detail, remedy }: HopResult): SarifResult | undefined {
  if (remedy === undefined) return undefined;
  const written = controlPlane?.source.file ? controlPlane.source : undefined;
  return {
    ruleId: ruleOf(hop),
    level: status === 'warning' ? 'warning' : 'error',
    message: `${hostPort(target)}: ${hop} ${status}: ${detail}. Remedy: ${remedy}`,
    file: written?.file,
    line: written?.line,
    subject: controlPlane ? `${controlPlane.source.kind} ${tenantName(controlPlane)}` : hostPort(target),
  };
}

/** Apart from the codes of manifests. */
function ruleOf(hop: HopName): string {
  return `live/${hop}`;
}

function line(status: HopStatus, name: string, text: string, paint: Paint): string {
  return `  ${paint(TONES[status], status.padEnd(STATUS_WIDTH))}  ${name.padEnd(NAME_WIDTH)}  ${text}`;
}

/** Names of hops by what they have in common, in the order of the first. */
function grouped(results: HopResult[], keyOf: (result: HopResult) => string): [string, HopName[]][] {
  const groups = new Map<string, HopName[]>();
  for (const result of results) groups.set(keyOf(result), [...groups.get(keyOf(result)) ?? [], result.hop]);
  return [...groups];
}

/** In one sentence. */
export function summaryOf(results: HopResult[]): string {
  const names = (wanted: HopStatus) => results.filter(({ status }) => status === wanted).map(({ hop }) => hop);
  const [broken, unseen, doubtful] = [names('failed'), names('unknown'), names('warning')];
  if (broken.length > 0) return `Broken at ${broken.join(', ')}.`;
  if (unseen.length > 0) return `Works as far as it shows, but ${unseen.join(', ')} ${unseen.length === 1 ? 'is' : 'are'} unknown.`;
  return doubtful.length > 0 ? `Works; look at ${doubtful.join(', ')}.` : 'Healthy.';
}
