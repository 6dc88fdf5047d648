import { CheckResult, Finding, NOTHING_TO_COMPARE, TenantPath, UNREADABLE } from './check';
import { count, jsonText } from '../../../cli/output';
import { Paint } from '../../../cli/palette';
import { printable } from '../../../cli/printable';
import { RULES } from '../../../src/findings/rules';
import { someOf } from '../../../src/findings/rules/rule';
import { podPathText } from '../../../src/manifests/pod-path';
import { jsonOf, prerequisitesHint } from '../prerequisites/report';
import { SarifRule, sarifText } from '../sarif';

/** Changes when a field changes its meaning or goes; new fields do not change it. */
const JSON_VERSION = 1;

export function findingsText(result: CheckResult, paint: Paint): string {
  const hint = prerequisitesHint(result.needed);
  return [...result.findings.map(finding => findingText(finding, paint)), summary(result, paint), ...pathLines(result.paths), ...hint === undefined ? [] : [hint]].join('\n');
}

/** More tenants than these are told by their ways. */
const MOST_PATHS = 20;
const UNKNOWN_PATH = 'these manifests do not say how they reach the API server';

/** One object; `docs/doctor.md` describes it. */
export function findingsJson({ files, objects, controlPlanes, findings, paths, needed }: CheckResult): string {
  return jsonText({
    version: JSON_VERSION,
    command: 'manifests',
    healthy: !isBroken(findings),
    files,
    objects,
    controlPlanes,
    findings,
    podPaths: paths.map(({ path, ...tenant }) => ({ ...tenant, ...path })),
    prerequisites: { management: needed.management.map(jsonOf), tenants: needed.tenants.map(jsonOf) },
  });
}

export function findingsSarif({ findings }: CheckResult): string {
  const rules: SarifRule[] = [
    { code: UNREADABLE, severity: 'error' as const, title: 'a document cannot be read' },
    { code: NOTHING_TO_COMPARE, severity: 'error' as const, title: 'there is no control plane, so nothing was compared' },
    ...RULES,
  ].map(({ code, severity, title }) => ({
    id: code, level: severity, title, help: `${code}: ${title}. What to write instead is in the message of each result.`, anchor: 'manifests',
  }));
  return sarifText('manifests', rules, findings.map(({ code, severity, file, line, object, field, message, remedy }) => ({
    ruleId: code,
    level: severity,
    message: `${object ? `${object.kind} ${object.namespace}/${object.name}: ` : ''}${field === undefined ? '' : `${field}: `}${message}. Remedy: ${remedy}`,
    file,
    line,
    subject: object && `${object.kind} ${object.namespace}/${object.name}`,
  })));
}

/** Whether something does not work, as opposed to a trap. */
export function isBroken(findings: Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function findingText({ code, severity, file, line, object, field, message, remedy }: Finding, paint: Paint): string {
  const where = object ? ` ${object.kind} ${object.namespace}/${object.name}` : '';
  const tone = severity === 'error' ? 'bad' : 'attention';
  return [
    `${paint(tone, code)} ${printable(`${file}:${line}${where}`)}`,
    `  ${printable(`${field === undefined ? '' : `${field}: `}${message}`)}`,
    `  ${paint('strong', 'remedy')}: ${printable(remedy)}`,
  ].join('\n');
}

/** A line for each tenant; for each way, where there are many. */
function pathLines(paths: TenantPath[]): string[] {
  const texts = paths.map(({ namespace, name, path }) => ({ name: `${namespace}/${name}`, path }));
  if (texts.length <= MOST_PATHS) return texts.map(({ name, path }) => printable(`Pods of ${name}: ${path ? podPathText(path) : UNKNOWN_PATH}.`));
  const ways = new Map<string, string[]>();
  for (const { name, path } of texts) {
    const text = path ? podPathText({ ...path, endpoints: [] }) : UNKNOWN_PATH;
    ways.set(text, [...ways.get(text) ?? [], name]);
  }
  return [...ways].map(([text, names]) => printable(`Pods of ${names.length} (${someOf(names)}): ${text}.`));
}

function summary({ files, objects, controlPlanes, findings }: CheckResult, paint: Paint): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const counts = `${count(objects, 'object')} in ${count(files, 'file')}, ${count(controlPlanes, 'control plane')}`;
  if (findings.length === 0) return paint('good', `No disagreement: ${counts}.`);
  return paint(errors > 0 ? 'bad' : 'attention', `${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}: ${counts}.`);
}
